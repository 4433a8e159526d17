package schemas_test

import (
	"testing"
	"testing/fstest"

	"github.com/streamcert/streamcert/schemas"
)

// TestEvent: the name of an event is its type where a pack declares it, and a member of that name has no meaning.
func TestEvent(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	const any, numbered = `{"type": "object"}`, `{"type": "object", "required": ["n"]}`
	for manifest, want := range map[string]bool{`"eventName": true`: true, `"discriminator": "type"`: false} {
		set, err := schemas.Load(fstest.MapFS{
			"p/pack.json":         file(`{` + manifest + `, "unknown": {"frame": "common.json"}}`),
			"p/common.json":       file(any),
			"p/frames/count.json": file(numbered),
		}, "p")
		if err != nil {
			t.Fatal(err)
		}
		named, nameless := set.Event(schemas.Strict, "count", []byte(`{}`)), set.Event(schemas.Strict, "", []byte(`{"type": "count"}`))
		if named.Known != want || (len(named.Findings) > 0) != want || nameless.Known == want {
			t.Errorf("%s: the event count is %+v, one without a name %+v", manifest, named, nameless)
		}
	}
}
