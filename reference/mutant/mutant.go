package mutant

import (
	"cmp"
	"net/http"
	"strings"
)

// Mutant is a reference server that breaks one requirement. O is the type of the server's options.
type Mutant[O any] struct {
	Name        string   // the bug, in kebab-case: "inclusive-resume"
	Requirement string   // the id of the requirement that it breaks
	Summary     string   // one sentence, the bug as a developer would ship it
	Also        []string // ids of requirements that it breaks by necessity, at most three
	// Stateful reports that it misbehaves only in some state, such as on the second connection, across 9→10 or after a
	// cleanup; an input of some kind is no state.
	Stateful bool
	// AcrossScenarios reports that no scenario can detect it by itself: only a comparison of many does.
	AcrossScenarios bool

	// Holdout reports that it is one of the campaignOnly mutants that aren't used to improve campaigns, only to measure
	// them.
	Holdout bool

	// Apply replaces options; nil replaces none. It gets options with every default filled in, once for each server, so
	// that state that it makes belongs to one server.
	Apply func(O) O
	// Wrap goes around the server's handler; nil is nothing. It is called once for each server too.
	Wrap func(http.Handler) http.Handler
}

// Applied returns options as the mutant changes them.
func (m Mutant[O]) Applied(o O) O {
	if m.Apply == nil {
		return o
	}
	return m.Apply(o)
}

// Compare orders mutants by requirement and then by name.
func Compare[O any](a, b Mutant[O]) int {
	return cmp.Or(strings.Compare(a.Requirement, b.Requirement), strings.Compare(a.Name, b.Name))
}
