package certify

import (
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
