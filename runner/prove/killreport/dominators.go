package killreport

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Kill is a finding of the requirement that a mutant breaks.
type Kill struct {
	Scenario string // file and line, and the title of its row
	Step     string // "" for the judge
	Message  string
}

// Dominators compares the mutants of each requirement by what kills them. Lists are sorted by requirement and name.
type Dominators struct {
	Equal    []Equal    `json:"equal"`
	Subsumed []Subsumed `json:"subsumed"`
	// Dominators names a smallest set of mutants: scenarios that kill them all kill every mutant that was killed.
	Dominators []string `json:"dominators"`
}

// Equal is a group of mutants that the same scenarios, steps and messages kill: one measures as much as all.
type Equal struct {
	Requirement string   `json:"requirement"`
	Mutants     []string `json:"mutants"`
}

// Subsumed is a mutant that every scenario kills which kills another mutant of its requirement, and more scenarios besides.
type Subsumed struct {
	Requirement string `json:"requirement"`
	Mutant      string `json:"mutant"`
	By          string `json:"by"`
	Scenarios   int    `json:"scenarios"` // how many kill the mutant
	Fewer       int    `json:"fewer"`     // how many kill the other; less than Scenarios
}

// numbered matches numbers, and names such as that of a stream, which differ from run to run.
var numbered = regexp.MustCompile(`[\w-]*\d[\w-]*`)

// killSet lists what killed one mutant, without numbers.
type killSet struct {
	*Result
	kills, scenarios []string // sorted, each once
}

// Dominate compares results whose Kills are complete.
func Dominate(results []Result) *Dominators {
	d := &Dominators{Equal: []Equal{}, Subsumed: []Subsumed{}, Dominators: []string{}}
	sets := map[string][]killSet{} // by requirement
	for i := range results {
		if r := &results[i]; len(r.Kills) > 0 {
			sets[r.Requirement] = append(sets[r.Requirement], killsOf(r))
		}
	}
	for requirement, all := range sets {
		slices.SortFunc(all, func(a, b killSet) int { return cmp.Compare(a.Name, b.Name) })
		for i, one := range all {
			d.compare(requirement, one, all[:i], all[i+1:])
		}
	}
	slices.SortFunc(d.Equal, func(a, b Equal) int {
		return cmp.Or(cmp.Compare(a.Requirement, b.Requirement), cmp.Compare(a.Mutants[0], b.Mutants[0]))
	})
	slices.SortFunc(d.Subsumed, func(a, b Subsumed) int {
		return cmp.Or(cmp.Compare(a.Requirement, b.Requirement), cmp.Compare(a.Mutant, b.Mutant))
	})
	slices.Sort(d.Dominators)
	return d
}

func killsOf(r *Result) killSet {
	s := killSet{Result: r}
	for _, k := range r.Kills {
		s.kills = append(s.kills, strings.Join([]string{k.Scenario, k.Step, numbered.ReplaceAllString(k.Message, "0")}, "\n"))
		s.scenarios = append(s.scenarios, k.Scenario)
	}
	for _, list := range []*[]string{&s.kills, &s.scenarios} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return s
}

// compare adds one mutant to the lists. before and after are the others of its requirement, by name.
func (d *Dominators) compare(requirement string, one killSet, before, after []killSet) {
	alike := func(other killSet) bool { return slices.Equal(one.kills, other.kills) }
	narrowest := one
	for _, other := range slices.Concat(before, after) {
		if len(other.scenarios) < len(narrowest.scenarios) && other.within(one) {
			narrowest = other
		}
	}
	first := !slices.ContainsFunc(before, alike)
	switch {
	case narrowest.Name != one.Name:
		d.Subsumed = append(d.Subsumed, Subsumed{requirement, one.Name, narrowest.Name, len(one.scenarios), len(narrowest.scenarios)})
	case first:
		d.Dominators = append(d.Dominators, one.Name)
	}
	group := []string{one.Name}
	for _, other := range after {
		if alike(other) {
			group = append(group, other.Name)
		}
	}
	if first && len(group) > 1 {
		d.Equal = append(d.Equal, Equal{requirement, group})
	}
}

// within reports whether every scenario that kills s kills other.
func (s killSet) within(other killSet) bool {
	return !slices.ContainsFunc(s.scenarios, func(scenario string) bool { return !slices.Contains(other.scenarios, scenario) })
}

// lines appends the comparison as people read it.
func (d *Dominators) lines(b *strings.Builder) {
	if d == nil {
		return
	}
	grouped := 0
	for _, e := range d.Equal {
		fmt.Fprintf(b, "%s kills alike: %s\n", e.Requirement, strings.Join(e.Mutants, ", "))
		grouped += len(e.Mutants)
	}
	for _, s := range d.Subsumed {
		fmt.Fprintf(b, "%s: whatever kills %s (%d scenarios) kills %s (%d scenarios)\n", s.Requirement, s.By, s.Fewer, s.Mutant, s.Scenarios)
	}
	fmt.Fprintf(b, "%d groups that are killed alike, of %d mutants; %d mutants that another subsumes; %d dominators\n",
		len(d.Equal), grouped, len(d.Subsumed), len(d.Dominators))
}
