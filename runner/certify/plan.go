package certify

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/similar"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
)

// Plan lists the requirements that a run reports and the scenarios that it plays, in order.
type Plan struct {
	Requirements []spec.Requirement  // in the order of the spec
	Scenarios    []features.Scenario // in an order that the seed determines
	// NotClaimed lists the capability that the target lacks, by requirement id.
	NotClaimed map[string]string
	// Partial are the requirements, by id, of which only some scenarios were selected by location: they earn no class.
	Partial map[string]bool
	// Others are the requirements that scenarios selected by location may also break. They are reported only if they are.
	Others []spec.Requirement
}

// NewPlan selects the requirements whose id matches one of the patterns (all of
// them when there is none) and the scenarios that prove them, shuffled by the
// seed. A pattern is an id or a glob such as resume.*, with or without the
// name of the pack, or the location of a scenario, see [atLocation]. The error is a
// *pack.SelectionError.
func NewPlan(s *pack.Suite, t *target.Target, only []string, seed int64) (Plan, error) {
	p := Plan{NotClaimed: map[string]string{}, Partial: map[string]bool{}}
	var ids []string
	locations := map[string]bool{}
	for _, pattern := range only {
		check := knows
		if isLocation(pattern) {
			check = func(s *pack.Suite, pattern string) error { return atLocation(s, pattern, locations) }
		} else {
			ids = append(ids, pattern)
		}
		if err := check(s, pattern); err != nil {
			return p, err
		}
	}
	for _, sc := range s.Scenarios {
		if locations[sc.Location()] {
			p.Partial[sc.Requirement] = true
		}
	}
	for _, r := range s.Book.Pack(s.Pack.Name) {
		if r.Role != spec.RoleServer || r.Withdrawn != "" {
			continue
		}
		for _, c := range r.Capabilities {
			if !t.Claims(c) {
				p.NotClaimed[r.ID] = c
			}
		}
		switch {
		case len(only) == 0 || selected(r, ids): // an id selects every scenario of it, so that no location makes it partial
			p.Requirements = append(p.Requirements, r)
			delete(p.Partial, r.ID)
		case p.Partial[r.ID]:
			p.Requirements = append(p.Requirements, r)
		case len(locations) > 0 && p.NotClaimed[r.ID] == "":
			p.Others = append(p.Others, r)
		}
	}
	if len(p.Requirements) == 0 {
		return p, &pack.SelectionError{Message: "no requirement of a server was selected"}
	}
	p.take(s.Scenarios, t, locations)
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	r.Shuffle(len(p.Scenarios), func(i, j int) { p.Scenarios[i], p.Scenarios[j] = p.Scenarios[j], p.Scenarios[i] })
	return p, nil
}

// take adds the scenarios that prove a requirement of the plan, and those at the locations.
func (p *Plan) take(all []features.Scenario, t *target.Target, locations map[string]bool) {
	claimed, whole := map[string]bool{}, map[string]bool{}
	for _, r := range p.Requirements {
		claimed[r.ID] = p.NotClaimed[r.ID] == "" && r.Untestable == ""
		whole[r.ID] = claimed[r.ID] && !p.Partial[r.ID]
	}
	for _, sc := range all {
		wanted := locations[sc.Location()] && claimed[sc.Requirement] || slices.ContainsFunc(sc.IDs, func(id string) bool { return whole[id] })
		if wanted && claimedByTags(t, sc) {
			p.Scenarios = append(p.Scenarios, sc)
		}
	}
}

// claimedByTags: a scenario may need a capability that its requirement doesn't.
func claimedByTags(t *target.Target, sc features.Scenario) bool {
	for _, tag := range sc.Tags {
		if !t.Claims(strings.TrimPrefix(tag, "@")) {
			return false
		}
	}
	return true
}

func selected(r spec.Requirement, only []string) bool {
	return slices.ContainsFunc(only, func(p string) bool { return pack.Matches(p, r.ID) })
}

// knows refuses a pattern that matches nothing, and names the chapter that it is the name of, or the nearest id.
func knows(s *pack.Suite, pattern string) error {
	if _, err := path.Match(pattern, ""); err != nil {
		return unclosed(pattern)
	}
	best, at := "", 12
	for _, r := range s.Book.Pack(s.Pack.Name) {
		if pack.Matches(pattern, r.ID) {
			return nil
		}
		if strings.HasPrefix(r.ID, pattern+".") {
			best, at = pattern+".*", 0
		}
		if d := similar.Distance(pattern, r.ID, at); d < at {
			best, at = r.ID, d
		}
	}
	message := fmt.Sprintf("no requirement of pack %s matches %q", s.Pack.Name, pattern)
	if best != "" {
		message += fmt.Sprintf("; did you mean %s?", best)
	} else {
		message += "; the flag --list lists them"
	}
	return &pack.SelectionError{Message: message}
}
