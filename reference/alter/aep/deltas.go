package aep

import (
	"context"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
)

// Doing selects deltas of an agent's turn.
type Doing = alter.When[struct{}, agent.Delta]

// Deltas selects the deltas of an agent's turn for which all conditions hold.
func Deltas(when ...Doing) alter.Choice[aep.Options, struct{}, agent.Delta] {
	return alter.Flow[aep.Options, struct{}, agent.Delta](func(change alter.Change[struct{}, agent.Delta]) Apply {
		return OnDeltas(func() func(agent.Delta) []agent.Delta { return change(struct{}{}) })
	}).When(when...)
}

// IfDoes matches deltas one by one, without state.
func IfDoes(hit func(d agent.Delta) bool) Doing { return alter.Each[struct{}](hit) }

// Does matches deltas of some kinds.
func Does(kinds ...agent.Kind) Doing {
	return IfDoes(func(d agent.Delta) bool { return slices.Contains(kinds, d.Kind) })
}

// Calls selects the deltas of tool calls, including their outcomes.
func Calls() Doing { return Does(agent.Call, agent.Arguments, agent.Called, agent.Outcome) }

// FailedCalls matches the outcomes of tools that failed.
func FailedCalls() Doing {
	return Does(agent.Outcome).And(IfDoes(func(d agent.Delta) bool { return d.Failed }))
}

// Pieces changes the text of each piece of some kind.
func Pieces(kind agent.Kind, change func(piece string) string) Apply {
	return Deltas(Does(kind)).Edit(func(d *agent.Delta) { d.Piece = change(d.Piece) })
}

// Turns changes the turn that the agent gets.
func Turns(change func(t *agent.Turn)) Apply {
	return func(o aep.Options) aep.Options {
		inner := o.Agent
		o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
			change(&t)
			return inner.Run(ctx, t, say)
		})
		return o
	}
}

// Results changes the members of each result of an action that the agent is handed.
func Results(change func(result alter.Object)) Apply {
	return Turns(func(t *agent.Turn) {
		for i, result := range t.Results {
			members := alter.Members(result)
			change(members)
			t.Results[i] = alter.Encode(members)
		}
	})
}
