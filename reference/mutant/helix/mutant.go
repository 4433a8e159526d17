package helix

import (
	"slices"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/mutant"
)

// Mutant is a reference server that breaks one requirement.
type Mutant = mutant.Mutant[reference.Options]

// Catalogue returns all mutants, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := slices.Concat(
		chunks(), lifecycle(), ordering(), wire(), http_(), errors_(), resume(), truncation(), status(), security(),
		snapshot(), runText(), runThinking(), runTools(), runApproval(), runCustom(), runOutput(), runErrors(),
		runSubagents(), runState(), runRuns(), runCheckpoints(), runResync(), wholes(), durable(), replicas(),
	)
	slices.SortFunc(all, mutant.Compare)
	return all
}

// Handler makes a server that is like the one that base describes but for the mutant's bug. Servers share no state,
// unless base brings a store. Whoever makes many had better bring a Validate, too: the default loads the schemas anew.
func Handler(m Mutant, base reference.Options) *alter.Server {
	o := m.Applied(reference.Defaults(base))
	return alter.NewServer(reference.New(o), m.Wrap)
}
