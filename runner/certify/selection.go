package certify

import (
	"slices"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/spec"
)

// selection determines which rows a run plays, and which violations fail it.
type selection struct {
	suite   *pack.Suite // shared with other runs; never changes
	options Options     // of the run
	plan    Plan        // of the suite for options.Only; a run drops scenarios without a row to play
	skips   skips       // of options.Skip
}

// wanted reports whether a row was selected.
func (s *selection) wanted(sc features.Scenario, title string) bool {
	plays := s.options.Effort.Plays() || !sc.Campaign || sc.Probe && s.options.Slow > 0
	return plays && (s.options.Rows == nil || s.options.Rows(sc, title)) && !s.skips.row(sc, title)
}

// rowsOf returns the number of rows of a scenario to run.
func (s *selection) rowsOf(sc features.Scenario) int {
	n := 0
	for _, row := range sc.Rows {
		if s.wanted(sc, row.Title) {
			n++
		}
	}
	return n
}

// planned returns the number of rows to run for a requirement.
func (s *selection) planned(id string) int {
	n := 0
	for _, sc := range s.plan.Scenarios {
		if sc.Requirement == id {
			n += s.rowsOf(sc)
		}
	}
	return n
}

// skipped returns the number of rows of a requirement that the caller excludes.
func (s *selection) skipped(id string) int {
	n := 0
	for _, sc := range s.suite.Scenarios {
		if sc.Requirement != id {
			continue
		}
		for _, row := range sc.Rows {
			if s.skips.row(sc, row.Title) {
				n++
			}
		}
	}
	return n
}

// level returns the level of a requirement for the target, whose config may lower one to a SHOULD.
func (s *selection) level(q spec.Requirement) spec.Level {
	if lenient := s.suite.Pack.Recommended; lenient != nil && slices.Contains(lenient(s.options.Target), q.ID) {
		return spec.Should
	}
	return q.Level
}

func (s *selection) notClaimed(capability string) string {
	if capability == "auth" && !s.options.Target.Claims("auth") && len(s.options.Target.Credentials()) == 0 {
		return "capability auth: the config names no headers that could be a credential"
	}
	return "capability " + capability
}

// alone reports whether the scenarios of a requirement may kill the server, or one of its replicas.
func (s *selection) alone(requirement string) bool {
	q, _ := s.suite.Book.Get(requirement)
	return q.Tier == spec.TierLaunched || q.Tier == spec.TierReplicated
}

// fails reports whether a finding of a requirement fails the run.
func (s *selection) fails(id string) bool {
	q, _ := s.suite.Book.Get(id)
	_, known := s.options.Known[id]
	selected := slices.ContainsFunc(s.plan.Requirements, func(p spec.Requirement) bool { return p.ID == id })
	return selected && !known && !s.skips.requirements[id] && (s.level(q).Mandatory() || s.options.Strict)
}

// locations returns the locations of the scenarios of the suite that carry an id.
func locations(s *pack.Suite, id string) []string {
	var out []string
	for _, sc := range s.Scenarios {
		if slices.Contains(sc.IDs, id) {
			out = append(out, "features/"+sc.Location())
		}
	}
	slices.Sort(out)
	return out
}
