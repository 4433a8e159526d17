package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSpecified: names may be exchanged for each other, other kinds keep theirs, and the object stays as it is.
func TestSpecified(t *testing.T) {
	names := Names{"call": {"id": "name", "name": "id", "args": "input"}}
	object := map[string]any{"id": "clock", "name": "call-1", "args": "another thing", "more": true}
	want := map[string]any{"id": "call-1", "name": "clock", "more": true}
	if diff := cmp.Diff(want, names.Specified("call", object)); diff != "" || len(object) != 4 {
		t.Errorf("(-want +got):\n%s of %v", diff, object)
	}
	for _, got := range []map[string]any{names.Specified("result", object), Names(nil).Specified("call", object)} {
		if diff := cmp.Diff(object, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if got := names.Specified("call", nil); got != nil {
		t.Errorf("nothing became %v", got)
	}
}
