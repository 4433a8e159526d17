package similar_test

import (
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/similar"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		below, want int
	}{
		{"", "", 1, 0}, {"resume", "resume", 1, 0}, {"resum", "resume", 3, 1}, {"ä", "ae", 3, 2}, {"kitten", "sitting", 4, 3}, {"é", "e", 2, 1},
	} {
		if got := similar.Distance(c.a, c.b, c.below); got != c.want {
			t.Errorf("%q and %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
	// Compared, these would take minutes.
	if got := similar.Distance(strings.Repeat("a", 1<<20), strings.Repeat("b", 1<<18), 12); got < 12 {
		t.Errorf("%d, want 12 or more", got)
	}
}
