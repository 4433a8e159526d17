package certify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// selects is the part of [Options].Rerun that selects requirements. A command without it can't select anything else.
const selects = " --only %s"

// rerun returns the command that plays a selection; without the campaigns if quick is set.
func (s *selection) rerun(quick bool, patterns ...string) string {
	line := s.options.Rerun
	if !strings.Contains(line, selects) {
		return ""
	}
	if quick && s.options.Effort.Plays() {
		if before, after, found := strings.Cut(line, " --effort "); found {
			_, after, _ = strings.Cut(after, " ")
			line = before + " " + after
		}
		line = strings.Replace(line, " --seed ", " --effort quick --seed ", 1)
	}
	only := ""
	for _, p := range patterns {
		only += " --only " + report.Shell(p)
	}
	return strings.ReplaceAll(line, selects, only)
}

// everything returns the command that repeats the complete run with this concurrency.
func (s *selection) everything(concurrency int) string {
	line := s.rerun(false, s.options.Only...)
	if line == "" {
		return ""
	}
	return line + fmt.Sprintf(" --concurrency %d", concurrency)
}

// untried returns the command for a finding that was not confirmed: the complete requirement if the finding's scenario
// belongs to it, else that scenario. A campaign draws the same programs in any selection.
func (s *selection) untried(id string, own []string, f record.Finding) string {
	campaign := slices.ContainsFunc(s.suite.Scenarios, func(sc features.Scenario) bool { return sc.Campaign && "features/"+sc.Location() == f.Location })
	if line := s.rerun(false, f.Location); line != "" && f.Location != "" && (campaign || !slices.Contains(own, f.Location)) {
		return line
	}
	return strings.ReplaceAll(s.options.Rerun, "%s", id)
}

// simplestFirst orders the findings of a requirement: those of its scenarios, which locations lists, before those that the
// judge found in others; those that a scenario reproduces alone before those that need others; those of scenarios before
// those of campaigns; and the shortest scenario first.
func (s *selection) simplestFirst(findings []record.Finding, locations []string) {
	type weight struct{ foreign, beside, campaign, steps int }
	weights := map[string]weight{}
	of := func(f record.Finding) weight {
		w, known := weights[f.Location]
		if !known {
			for _, sc := range s.suite.Scenarios {
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
