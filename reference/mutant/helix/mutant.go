package helix

import (
	"slices"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/mutant"
)

// Mutant is a reference server that breaks one requirement.
type Mutant entry

type entry = mutant.Mutant[reference.Options]

// Catalogue returns all mutants, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := slices.Concat(
		chunks(), lifecycle(), ordering(), wire(), http_(), errors_(), resume(), truncation(), status(), security(),
		snapshot(), runText(), runThinking(), runTools(), runApproval(), runCustom(), runOutput(), runErrors(),
		runSubagents(), runState(), runRuns(), runCheckpoints(), runResync(), wholes(),
	)
	slices.SortFunc(all, func(a, b Mutant) int { return mutant.Compare(entry(a), entry(b)) })
	return all
}

// Handler makes a server that is like the one that base describes but for the mutant's bug. Servers share no state,
// unless base brings a store. Whoever makes many had better bring a Validate, too: the default loads the schemas anew.
func (m Mutant) Handler(base reference.Options) *alter.Server {
	o := entry(m).Applied(reference.Defaults(base))
	return alter.NewServer(reference.New(o), m.Wrap)
}

// Seams names the places where the mutant sits: the options that it replaces, in lower case and in the order of their
// declaration, and "handler" if it goes around the server.
func (m Mutant) Seams() []string {
	o := reference.Defaults(reference.Options{
		Validate:    func([]byte) error { return nil }, // the default takes its time to load
		ReaderToken: "reader", ControlToken: "control", // so that taking one away shows
	})
	places := alter.Replaced(o, entry(m).Applied(o))
	if m.Wrap != nil {
		places = append(places, "handler")
	}
	return places
}
