package helixui

import (
	"testing"

	model "github.com/streamcert/streamcert/runner/model/helix-ui"
)

// TestRest: an id that parts share may have come with the first of them, while the others were on their way.
func TestRest(t *testing.T) {
	parts := []model.Part{{ID: "1"}, {ID: "2"}, {ID: "2"}, {ID: ""}, {ID: "3"}}
	for _, test := range []struct {
		r    returned
		want int
	}{
		{returned{id: "1", behind: 1}, 4},
		{returned{id: "2", behind: 2}, 2},
		{returned{id: "2", behind: 3}, 2},
		{returned{id: "3", behind: 5}, 0},
	} {
		if got := len(test.r.rest(parts)); got != test.want {
			t.Errorf("behind %s, of %d parts: %d parts, want %d", test.r.id, test.r.behind, got, test.want)
		}
	}
}
