package helix_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// many returns a list of operations, # replaced by their index.
func many(n int, operation string) string {
	var list []string
	for i := range n {
		list = append(list, strings.ReplaceAll(operation, "#", fmt.Sprint(i)))
	}
	return patchOf(strings.Join(list, ","))
}

// TestFoldIsBounded: a patch that would make the state larger or deeper than a server can store is skipped, like one that
// can't be applied.
func TestFoldIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("long streams")
	}
	big := patchOf(`{"op":"add","path":"/a","value":["` + strings.Repeat("x", 1000) + `"]}`)
	levels := func(from, to int) string {
		var list []string
		for i := from; i < to; i++ {
			list = append(list, `{"op":"add","path":"`+strings.Repeat("/a", i+1)+`","value":{}}`)
		}
		return patchOf(strings.Join(list, ","))
	}
	for name, c := range map[string]struct {
		chunks []string
		says   string // in the snapshot
	}{
		"copies of itself":       {[]string{big, many(40, `{"op":"copy","from":"/a","path":"/a/-"}`), patchOf(`{"op":"replace","path":"/a","value":7}`)}, `{"a":7}`},
		"copies in many patches": {append([]string{big}, repeated(15, `{"op":"copy","from":"/a","path":"/a/-"}`)...), `{"a":["xxx`},
		"levels":                 {[]string{levels(0, 900), levels(900, 3000)}, strings.Repeat(`{"a":`, 900) + "{}"},
		"5,000 adds, the last not": {append(append([]string{patchOf(`{"op":"add","path":"/l","value":[]}`)}, repeated(5_000, `{"op":"add","path":"/l/-","value":"#`+strings.Repeat("y", 100)+`"}`)...),
			patchOf(`{"op":"remove","path":"/none"}`)), `"4999yyyy`},
	} {
		s := serveAtNoon(t)
		s.open("many")
		if got := s.write("many", "["+strings.Join(c.chunks, ",")+"]"); !strings.HasPrefix(got, "201") {
			t.Fatal(name, got)
		}
		began := time.Now()
		got := s.call("GET", "/streams/many/snapshot", "")
		if took := time.Since(began); took > 60*time.Second {
			t.Errorf("%s: the snapshot took %v", name, took)
		}
		if !strings.Contains(got, c.says) || len(got) > 20<<20 {
			t.Errorf("%s: got %d bytes: %.200s", name, len(got), got)
		}
	}
}

// repeated are n chunks of one operation each.
func repeated(n int, operation string) []string {
	var chunks []string
	for i := range n {
		chunks = append(chunks, patchOf(strings.ReplaceAll(operation, "#", fmt.Sprint(i))))
	}
	return chunks
}
