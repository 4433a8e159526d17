package certify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
)

// unique drops findings that say the same of the same scenario: a rule that is
// broken in every frame is broken once.
func unique(findings []record.Finding) []record.Finding {
	type key struct{ message, want, title string }
	seen := map[key]bool{}
	var out []record.Finding
	slices.SortStableFunc(findings, func(a, b record.Finding) int {
		return cmp.Or(cmp.Compare(a.Location, b.Location), cmp.Compare(a.Scenario, b.Scenario))
	})
	for _, f := range findings {
		k := key{f.Message, f.Want, f.Scenario}
		if !seen[k] {
			seen[k] = true
			out = append(out, f)
		}
	}
	return out
}

// simplestFirst orders the findings of a requirement: those of its scenarios, which locations lists, before those that the
// judge found in others; those that a scenario reproduces alone before those that need others; those of scenarios before
// those of campaigns; and the shortest scenario first.
func simplestFirst(s *pack.Suite, findings []record.Finding, locations []string) {
	type weight struct{ foreign, beside, campaign, steps int }
	weights := map[string]weight{}
	of := func(f record.Finding) weight {
		w, known := weights[f.Location]
		if !known {
			for _, sc := range s.Scenarios {
				if "features/"+sc.Location() == f.Location {
					w = weight{foreign: bit(!slices.Contains(locations, f.Location)), campaign: bit(sc.Campaign), steps: len(sc.Steps)}
				}
			}
			weights[f.Location] = w
		}
		w.beside = bit(strings.HasPrefix(f.Alone, record.NeedsNeighbours))
		return w
	}
	slices.SortStableFunc(findings, func(a, b record.Finding) int {
		v, w := of(a), of(b)
		return cmp.Or(cmp.Compare(v.foreign, w.foreign), cmp.Compare(v.beside, w.beside), cmp.Compare(v.campaign, w.campaign), cmp.Compare(v.steps, w.steps))
	})
}

func bit(set bool) int {
	if set {
		return 1
	}
	return 0
}
