package stream_test

import (
	"fmt"
	"testing"
)

// TestShapes: the cache detects a changed frame whatever text a server puts around its chunks, and however often it did.
func TestShapes(t *testing.T) {
	for name, shape := range map[string]string{
		"sequence last": `{"type":"chunk","chunk":%[1]s,"sequence":%[2]d}`, "sequence first": `{"sequence":%[2]d,"type":"chunk","chunk":%[1]s}`,
		"with digits": `{"type":"chunk","v":1,"chunk":%[1]s,"w":22,"sequence":%[2]d}`, "spaced": `{ "type":"chunk", "chunk": %[1]s, "sequence": %[2]d }`,
	} {
		for n := range 14 {
			for bug, frame := range map[string]func(i int) (id, chunk, sequence int){
				"none":             func(i int) (int, int, int) { return i, i, i },
				"another sequence": func(i int) (int, int, int) { return i, i, i + 1 },
				"the same id":      func(i int) (int, int, int) { return i - 1, i, i - 1 },
				"one left out":     func(i int) (int, int, int) { return i + 1, i + 1, i + 1 },
				"once more":        func(i int) (int, int, int) { return i, i - 1, i },
			} {
				if n == 0 && bug == "once more" {
					continue
				}
				c := newSetup().write(16, 1).attach(-1)
				send := func(id, chunk, sequence int) {
					c.take(fmt.Sprint(id), fmt.Sprintf(shape, body(c.s.Marker(chunk), 1), sequence))
				}
				for i := 1; i <= n; i++ {
					send(i, i, i)
				}
				if c.err != nil {
					t.Fatalf("%s, after %d: %v", name, n, c.err)
				}
				send(frame(n + 1))
				if (c.err == nil) != (bug == "none") {
					t.Errorf("%s, %s after %d: got %v", name, bug, n, c.err)
				}
			}
		}
	}
}
