package helix_test

import (
	"testing"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// TestFound: a stream that existed before the server is one of an earlier process.
func TestFound(t *testing.T) {
	for _, c := range []struct {
		name, want string
		do         on.Apply
	}{
		{"starts", "3 end4 over", on.OnFoundStart(func(was store.Info, after int64) int64 { return was.LatestSequence - after })},
		{"events", "2 3 end4 over", on.OnFound(func(was store.Info, e store.Event) []store.Event {
			if e.Sequence < was.LatestSequence-1 {
				return nil
			}
			return []store.Event{e}
		})},
	} {
		if got := delivered(c.do, helix.Cursor{After: 1, Given: true}); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
