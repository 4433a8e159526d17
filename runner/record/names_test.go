package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPlain: names may be exchanged for each other, other kinds keep theirs, and the object stays as it is.
func TestPlain(t *testing.T) {
	names := Names{"call": {"id": "name", "name": "id", "args": "input"}}
	object := map[string]any{"id": "clock", "name": "call-1", "args": "another thing", "more": true}
	want := map[string]any{"id": "call-1", "name": "clock", "more": true}
	if diff := cmp.Diff(want, names.Plain("call", object)); diff != "" || len(object) != 4 {
		t.Errorf("(-want +got):\n%s of %v", diff, object)
	}
	for _, got := range []map[string]any{names.Plain("result", object), Names(nil).Plain("call", object)} {
		if diff := cmp.Diff(object, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if got := names.Plain("call", nil); got != nil {
		t.Errorf("nothing became %v", got)
	}
}
