package helix

import (
	"slices"
	"strings"
	"testing"
)

// TestDeep: every mutant has a name of its own, which serve finds it by, and those that were put aside exist.
func TestDeep(t *testing.T) {
	names, aside := map[string]bool{}, 0
	for _, m := range slices.Concat(Catalogue(), Deep()) {
		if names[m.Name] {
			t.Errorf("there are two mutants %q", m.Name)
		}
		names[m.Name] = true
		if m.Aside {
			aside++
		}
		if len(m.Also) > 3 || slices.Contains(m.Also, m.Requirement) {
			t.Errorf("mutant %s breaks too much besides: %v", m.Name, m.Also)
		}
		if len(m.Seams()) == 0 || !strings.HasSuffix(m.Summary, ".") {
			t.Errorf("mutant %s changes nothing, or its summary isn't a sentence: %q", m.Name, m.Summary)
		}
	}
	if aside != len(putAside) {
		t.Errorf("%d mutants are put aside, of %d names", aside, len(putAside))
	}
}
