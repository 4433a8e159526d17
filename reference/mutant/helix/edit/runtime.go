package edit

import (
	"context"
	"encoding/json"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// Only returns its arguments as a list.
func Only(chunks ...runtime.Chunk) []runtime.Chunk { return chunks }

// RawMember returns a member as JSON.
func RawMember(c runtime.Chunk, member string) json.RawMessage {
	if raw, ok := c[member].(json.RawMessage); ok {
		return raw
	}
	return alter.Encode(c[member])
}

// OnModelEvents changes the events of models: nil drops an event, and an error ends the turn.
func OnModelEvents(change func(runtime.Event) (runtime.Event, error)) on.Apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		inner := p.Model
		p.Model = func(m runtime.Model) runtime.Model { return &Model{inner(m), change} }
	})
}

// Model changes the events of the turns of a model, like OnModelEvents.
type Model struct {
	runtime.Model
	Change func(runtime.Event) (runtime.Event, error)
}

// Step implements runtime.Model.
func (m *Model) Step(ctx context.Context, n int, w runtime.Waiter) (runtime.Turn, error) {
	turn, err := m.Model.Step(ctx, n, w)
	if err != nil {
		return nil, err
	}
	return &Turn{turn, m.Change}, nil
}

// Turn changes the events of a turn, like OnModelEvents.
type Turn struct {
	runtime.Turn
	Change func(runtime.Event) (runtime.Event, error)
}

// Next implements runtime.Turn.
func (t *Turn) Next(ctx context.Context) (runtime.Event, error) {
	for {
		event, err := t.Turn.Next(ctx)
		if err != nil {
			return nil, err
		}
		if event, err = t.Change(event); event != nil || err != nil {
			return event, err
		}
	}
}

// OnBranches changes each branch of a model that works on several concurrently.
func OnBranches(change func(runtime.Turn) runtime.Turn) on.Apply {
	return OnModelEvents(func(e runtime.Event) (runtime.Event, error) {
		p, ok := e.(runtime.Parallel)
		if !ok {
			return e, nil
		}
		branches := make([]runtime.Turn, len(p.Branches))
		for i, branch := range p.Branches {
			branches[i] = change(branch)
		}
		return runtime.Parallel{Branches: branches}, nil
	})
}

// Tools is a set of tools with another Gate or Execute; a function that is nil changes neither.
type Tools struct {
	runtime.Tools
	OnGate    func(ctx context.Context, c runtime.Call) (runtime.Way, error)
	OnExecute func(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error)
}

// Gate implements runtime.Tools.
func (t *Tools) Gate(ctx context.Context, c runtime.Call) (runtime.Way, error) {
	if t.OnGate != nil {
		return t.OnGate(ctx, c)
	}
	return t.Tools.Gate(ctx, c)
}

// Execute implements runtime.Tools.
func (t *Tools) Execute(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error) {
	if t.OnExecute != nil {
		return t.OnExecute(ctx, c, env)
	}
	return t.Tools.Execute(ctx, c, env)
}

// OnTools changes the tools of a server; replace sets the functions of t.
func OnTools(replace func(inner runtime.Tools, t *Tools)) on.Apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		t := &Tools{Tools: p.Tools}
		replace(p.Tools, t)
		p.Tools = t
	})
}

// Operations returns the operations of a state_patch; nil for a chunk of another type.
func Operations(c runtime.Chunk) []runtime.Operation {
	all, _ := c["patches"].([]runtime.Operation)
	return all
}

// OnArguments replaces the arguments of a model that aren't an object; nil leaves them to the server.
func OnArguments(change func(raw json.RawMessage) json.RawMessage) on.Apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		inner := p.Arguments
		p.Arguments = func(raw json.RawMessage) json.RawMessage {
			if len(raw) == 0 || raw[0] == '{' {
				return inner(raw)
			}
			if made := change(raw); made != nil {
				return made
			}
			return inner(raw)
		}
	})
}
