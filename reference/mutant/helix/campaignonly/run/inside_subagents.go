package run

import (
	"context"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// within is the model of a sub-agent, which does some things differently.
type within struct {
	runtime.Model
	change func(runtime.Event) (runtime.Event, error)
}

// Step implements runtime.Model.
func (m within) Step(ctx context.Context, n int, w runtime.Waiter) (runtime.Turn, error) {
	turn, err := m.Model.Step(ctx, n, w)
	if err != nil {
		return nil, err
	}
	return &edit.Turn{Turn: turn, Change: m.change}, nil
}

// onSubAgents changes the events of the models of sub-agents, at every depth.
func onSubAgents(change func(runtime.Event) (runtime.Event, error)) on.Apply {
	var inside func(runtime.Event) (runtime.Event, error)
	delegating := func(e runtime.Event, then func(runtime.Event) (runtime.Event, error)) (runtime.Event, error) {
		if d, ok := e.(runtime.Delegation); ok {
			d.Model = within{d.Model, inside}
			e = d
		}
		return then(e)
	}
	inside = func(e runtime.Event) (runtime.Event, error) { return delegating(e, change) }
	return edit.OnModelEvents(func(e runtime.Event) (runtime.Event, error) {
		return delegating(e, func(e runtime.Event) (runtime.Event, error) { return e, nil })
	})
}

// insideSubAgents err inside of sub-agents alone.
func insideSubAgents() []edit.Mutant {
	return []edit.Mutant{
		{Name: "child-stops-at-its-limit", Requirement: "helix.errors.stop-reason", Also: []string{"helix.errors.goes-on", "helix.text.per-agent"},
			Summary: "A sub-agent whose model reached its limit has failed, and the root agent hasn't.",
			Apply: onSubAgents(func(e runtime.Event) (runtime.Event, error) {
				if stop, ok := e.(runtime.Stop); ok && stop.Reason == "max_tokens" {
					return nil, &runtime.Error{Message: "the model stopped at its limit of tokens", Code: "provider_error"}
				}
				return e, nil
			})},
	}
}
