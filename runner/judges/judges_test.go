package judges_test

import (
	"testing"

	"github.com/streamcert/streamcert/runner/judges"
	"github.com/streamcert/streamcert/runner/packs"
)

// TestJudgesAreThoseOfThePacks: every pack has its judge in the list.
func TestJudgesAreThoseOfThePacks(t *testing.T) {
	all, known := packs.All(), judges.All()
	for i, p := range all {
		switch {
		case i >= len(known) || known[i].Name != p.Name:
			t.Fatalf("pack %s has no line at its place in judges.All", p.Name)
		case known[i].Machine == nil || (known[i].Recogniser == nil) != (p.Stream.Recogniser == nil):
			t.Errorf("the judge of %s has another machine or look than its pack", p.Name)
		}
	}
	if len(known) != len(all) {
		t.Errorf("there are %d judges and %d packs", len(known), len(all))
	}
}
