package helix

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// campaignOnlyGates err with calls that need consent where something else comes along: the client, or sub-agents around.
func campaignOnlyGates() []Mutant {
	return []Mutant{
		{Name: "broken-gate-deep-down", Requirement: "helix.approval.fails-closed", Also: []string{"helix.approval.requested", "helix.approval.waits", "helix.approval.suspended"},
			Summary: "Where the gate of a call fails that a sub-agent of a sub-agent makes, the call runs.",
			Apply:   opensDeepDown},
		{Name: "denied-and-given-to-the-client", Requirement: "helix.approval.denied",
			Summary: "A call that the client runs ends without a result when it is denied, as if the client had answered.",
			Apply:   deniedClients},
		{Name: "denial-of-one-is-of-all", Requirement: "helix.approval.waits", Also: []string{"helix.approval.granted"},
			Summary: "Who denies a call denies all calls of the same tool that wait beside it.",
			Apply:   on.OnWritten(deniesAll)},
	}
}

// deniesAll ends with a call that is denied all others of its tool about which somebody is asked.
func deniesAll(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
	var requested []runtime.Chunk
	ended := map[string]bool{}
	return func(c runtime.Chunk) []runtime.Chunk {
		id := on.Text(c, "toolCallId")
		switch {
		case c.Type() == requestKind:
			requested = append(requested, c)
			return only(c)
		case c.Type() != "tool_end":
			return only(c)
		case ended[id]:
			return nil
		}
		out := only(c)
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

// campaignOnlyCall marks a call that a sub-agent of a sub-agent makes.
type campaignOnlyCall struct{ origin any }

// unmarked is a call as it was before, and whether it was marked.
func unmarked(c runtime.Call) (runtime.Call, bool) {
	d, marked := c.Origin.(campaignOnlyCall)
	if marked {
		c.Origin = d.origin
	}
	return c, marked
}

// opensDeepDown lets calls run whose gate fails, two sub-agents deep.
func opensDeepDown(o reference.Options) reference.Options {
	var mark func(e runtime.Event) (runtime.Event, error)
	mark = func(e runtime.Event) (runtime.Event, error) {
		switch e := e.(type) {
		case runtime.Call:
			e.Origin = campaignOnlyCall{e.Origin}
			return e, nil
		case runtime.Delegation:
			e.Model = within{e.Model, mark}
			return e, nil
		}
		return e, nil
	}
	return alter.All(onTools(func(inner runtime.Tools, t *toolShim) {
		t.gate = func(ctx context.Context, c runtime.Call) (runtime.Way, error) {
			c, marked := unmarked(c)
			way, err := inner.Gate(ctx, c)
			if err != nil && marked {
				return runtime.Way{}, nil
			}
			return way, err
		}
		t.execute = func(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error) {
			c, _ = unmarked(c)
			return inner.Execute(ctx, c, env)
		}
	}), onModelEvents(func(e runtime.Event) (runtime.Event, error) {
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
	var clients sync.Map // by toolCallId
	return alter.All(onTools(func(inner runtime.Tools, t *toolShim) {
		t.gate = func(ctx context.Context, c runtime.Call) (runtime.Way, error) {
			way, err := inner.Gate(ctx, c)
			if way.Consent && way.Client {
				clients.Store(c.ID, true)
			}
			return way, err
		}
	}), on.Written(on.Type("tool_end")).With(func(c runtime.Chunk) {
		_, client := clients.Load(on.Text(c, "toolCallId"))
		if client && (on.Text(c, "error") == deniedText || on.Text(c, "result") == deniedText) {
			delete(c, "error")
			c["success"], c["result"] = true, nil
		}
	}))(o)
}
