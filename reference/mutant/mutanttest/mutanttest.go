package mutanttest

import (
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference/mutant"
)

// Check fails the test unless every mutant of a pack, the campaignOnly ones included, has a unique name, which serve finds
// it by, changes something, has a sentence that describes the change, and violates at most three requirements besides the
// one that it names; and unless as many are in the holdout as have their names on the list.
func Check[O any](t *testing.T, all []mutant.Mutant[O], seams func(mutant.Mutant[O]) []string, putAside int) {
	t.Helper()
	names, aside := map[string]bool{}, 0
	for _, m := range all {
		if names[m.Name] {
			t.Errorf("there are two mutants %q", m.Name)
		}
		names[m.Name] = true
		if m.Holdout {
			aside++
		}
		if len(m.Also) > 3 || slices.Contains(m.Also, m.Requirement) {
			t.Errorf("mutant %s breaks too much besides: %v", m.Name, m.Also)
		}
		if len(seams(m)) == 0 || !strings.HasSuffix(m.Summary, ".") {
			t.Errorf("mutant %s changes nothing, or its summary isn't a sentence: %q", m.Name, m.Summary)
		}
	}
	if aside != putAside {
		t.Errorf("%d mutants are put aside, of %d names", aside, putAside)
	}
}
