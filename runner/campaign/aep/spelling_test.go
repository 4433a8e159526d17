package aep

import "testing"

// TestCatalogued: programs with all data contain each text and each value.
func TestCatalogued(t *testing.T) {
	p := Draw(1, 0, "answers that hold data", func(string) bool { return true })
	all, payloads := false, map[int]bool{}
	for _, o := range p.operations {
		all = all || o.class == every
		for _, a := range o.steps {
			if a.name == "continue" && a.class == sample && a.size%3 == 0 {
				payloads[a.size/3%bareValues] = true
			}
		}
	}
	if !all || len(payloads) < bareValues {
		t.Errorf("%d of %d values, everything: %v", len(payloads), bareValues, all)
	}
}
