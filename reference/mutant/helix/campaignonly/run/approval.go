package run

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// gates err with calls that need consent where something else comes along: the client, or sub-agents around.
func gates() []edit.Mutant {
	return []edit.Mutant{
		{Name: "broken-gate-deep-down", Requirement: "helix.approval.fails-closed", Also: []string{"helix.approval.requested", "helix.approval.waits", "helix.approval.suspended"},
			Summary: "Where the gate of a call fails that a sub-agent of a sub-agent makes, the call runs.",
			Apply:   opensInSubAgents},
		{Name: "denied-and-given-to-the-client", Requirement: "helix.approval.denied",
			Summary: "A call that the client runs ends without a result when it is denied, as if the client had answered.",
			Apply:   deniedClients},
		{Name: "denial-of-one-is-of-all", Requirement: "helix.approval.waits", Also: []string{"helix.approval.granted"},
			Summary: "Who denies a call denies all calls of the same tool that wait beside it.",
			Apply:   on.OnWritten(deniesAll)},
	}
}

// deniesAll ends with a denied call all others of its tool that wait for approval.
func deniesAll(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
	var requested []runtime.Chunk
	ended := map[string]bool{}
	return func(c runtime.Chunk) []runtime.Chunk {
		id := on.Text(c, "toolCallId")
		switch {
		case c.Type() == "tool_approval_request":
			requested = append(requested, c)
			return edit.Only(c)
		case c.Type() != "tool_end":
			return edit.Only(c)
		case ended[id]:
			return nil
		}
		out := edit.Only(c)
		ended[id] = true
		if !failedCall(c) || !strings.Contains(on.Text(c, "error"), "not approved") {
			return out
		}
		for _, other := range requested {
			if theirs := on.Text(other, "toolCallId"); !ended[theirs] && other["toolName"] == c["toolName"] {
				end := maps.Clone(c)
				end["toolCallId"], ended[theirs] = theirs, true
				out = append(out, end)
			}
		}
		return out
	}
}

// markedCall marks a call that a sub-agent of a sub-agent makes.
type markedCall struct{ origin any }

// unmarked is a call as it was before, and whether it was marked.
func unmarked(c runtime.Call) (runtime.Call, bool) {
	d, marked := c.Origin.(markedCall)
	if marked {
		c.Origin = d.origin
	}
	return c, marked
}

// opensInSubAgents lets calls in a sub-agent of a sub-agent run whose gate fails.
func opensInSubAgents(o reference.Options) reference.Options {
	var mark func(e runtime.Event) (runtime.Event, error)
	mark = func(e runtime.Event) (runtime.Event, error) {
		switch e := e.(type) {
		case runtime.Call:
			e.Origin = markedCall{e.Origin}
			return e, nil
		case runtime.Delegation:
			e.Model = within{e.Model, mark}
			return e, nil
		}
		return e, nil
	}
	return alter.All(edit.OnTools(func(inner runtime.Tools, t *edit.Tools) {
		t.OnGate = func(ctx context.Context, c runtime.Call) (runtime.Way, error) {
			c, marked := unmarked(c)
			way, err := inner.Gate(ctx, c)
			if err != nil && marked {
				return runtime.Way{}, nil
			}
			return way, err
		}
		t.OnExecute = func(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error) {
			c, _ = unmarked(c)
			return inner.Execute(ctx, c, env)
		}
	}), edit.OnModelEvents(func(e runtime.Event) (runtime.Event, error) {
		if d, ok := e.(runtime.Delegation); ok {
			d.Model = within{d.Model, func(e runtime.Event) (runtime.Event, error) {
				if inner, ok := e.(runtime.Delegation); ok {
					inner.Model = within{inner.Model, mark}
					return inner, nil
				}
				return e, nil
			}}
			return d, nil
		}
		return e, nil
	}))(o)
}

// deniedClients ends denied calls of the client with null.
func deniedClients(o reference.Options) reference.Options {
	const denied = "Tool call was not approved by the user"
	var clients sync.Map // by toolCallId
	return alter.All(edit.OnTools(func(inner runtime.Tools, t *edit.Tools) {
		t.OnGate = func(ctx context.Context, c runtime.Call) (runtime.Way, error) {
			way, err := inner.Gate(ctx, c)
			if way.Consent && way.Client {
				clients.Store(c.ID, true)
			}
			return way, err
		}
	}), on.Written(on.Type("tool_end")).With(func(c runtime.Chunk) {
		_, client := clients.Load(on.Text(c, "toolCallId"))
		if client && (on.Text(c, "error") == denied || on.Text(c, "result") == denied) {
			delete(c, "error")
			c["success"], c["result"] = true, nil
		}
	}))(o)
}
