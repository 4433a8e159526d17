package run

import (
	"context"
	"io"
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// errorStops misread why a model stopped.
func errorStops() []edit.Mutant {
	ignored := func(reasons ...string) on.Apply {
		return edit.OnModelEvents(func(e runtime.Event) (runtime.Event, error) {
			if stop, ok := e.(runtime.Stop); ok && slices.Contains(reasons, stop.Reason) {
				return nil, nil
			}
			return e, nil
		})
	}
	return []edit.Mutant{
		{Name: "unknown-stop-is-none", Requirement: "helix.errors.stop-reason",
			Summary: "A stop reason that nobody knows is ignored.",
			Apply:   ignored("unknown")},
		{Name: "second-stop-not-reported", Requirement: "helix.errors.stop-reason", Stateful: true,
			Summary: "Only the first stop reason of a run that is a failure is reported.",
			Apply: on.Written(on.Type("error").Since(on.If(func(c runtime.Chunk) bool {
				return c.Type() == "error" && strings.HasPrefix(on.Text(c, "error"), "the model ")
			}).Nth(2))).Drop()},
		{Name: "max-tokens-ends-step", Requirement: "helix.errors.goes-on",
			Summary: "A model that reached its limit isn't asked to go on.",
			Also:    []string{"helix.errors.stop-reason"},
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				inner := p.Model
				p.Model = func(m runtime.Model) runtime.Model { return limited{inner(m)} }
			})},
	}
}

// limited is a model whose turns are over at its limit.
type limited struct{ runtime.Model }

func (m limited) Step(ctx context.Context, n int, w runtime.Waiter) (runtime.Turn, error) {
	turn, err := m.Model.Step(ctx, n, w)
	if err != nil {
		return nil, err
	}
	over := false
	return &edit.Turn{Turn: turn, Change: func(e runtime.Event) (runtime.Event, error) {
		if over {
			return nil, io.EOF
		}
		stop, ok := e.(runtime.Stop)
		over = ok && stop.Reason == "max_tokens"
		return e, nil
	}}, nil
}
