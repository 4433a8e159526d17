package helix

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// denied is the text by which readers know a denied call.
const denied = "Tool call was not approved by the user"

// tools are other ways to report tool calls.
func tools() []Variant {
	return []Variant{
		{Name: "failed-call-with-result", Freedom: "a tool that failed",
			Summary: "The end of a failed call has a result, which is null.",
			Apply:   on.Written(on.Type("tool_end"), on.Is("success", false)).Set("result", nil)},
		{Name: "tools-take-their-time", Freedom: "tools that run side by side",
			Summary: "A tool takes a few milliseconds, so that calls end in any order.",
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				p.Tools = slowTools{p.Tools}
			})},
		{Name: "new-list-in-place-of-another-value", Freedom: "an append to a member that is no list",
			Summary: "What is appended to a member that is no list begins a new list in its place.",
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				p.Tools = listTools{p.Tools}
			})},
		{Name: "denied-as-result", Freedom: "a denied call",
			Summary: "A denied call ends well, and its result says that it was denied.",
			Apply: on.Written(on.Type("tool_end"), on.Is("error", denied)).With(func(c runtime.Chunk) {
				delete(c, "error")
				c["success"], c["result"] = true, denied
			})},
		{Name: "denied-within-more", Freedom: "a denied call",
			Summary: "A denied call ends with an object that says so, and with an error that says more.",
			Apply: on.Written(on.Type("tool_end"), on.Is("error", denied)).With(func(c runtime.Chunk) {
				c["error"] = "Error: " + denied + ". Try something else."
				c["result"] = json.RawMessage(`{"denied":true,"content":[{"text":"` + denied + `"}]}`)
			})},
		{Name: "asks-after-pausing", Freedom: "between content",
			Summary: "The request for approval follows the run_paused.",
			Apply:   onWriting(asksAfterPausing)},
		{Name: "gated-call-starts-when-decided", Freedom: "helix.approval.request-members",
			Summary: "A call that needs consent is asked for first and begins when it was decided.",
			Apply:   onWriting(startsWhenDecided)},
		{Name: "says-more-of-calls", Freedom: "any object",
			Summary: "Chunks about calls, errors and outputs have members of the server's own.",
			Apply: on.Written(on.Type("tool_start", "tool_end", "tool_approval_request", "error", "output", "custom", "thinking", "text_delta")).
				With(func(c runtime.Chunk) {
					c["messageId"], c["metadata"] = "m-1", json.RawMessage(`{"toolCallId":"none","type":"text_delta"}`)
				})},
	}
}

// slowTools take a little longer.
type slowTools struct{ runtime.Tools }

func (t slowTools) Execute(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error) {
	if err := alter.Pause(ctx, rand.N(5*time.Millisecond)); err != nil {
		return nil, context.Cause(ctx)
	}
	return t.Tools.Execute(ctx, c, env)
}

// listTools append to the value of the path, whatever its type.
type listTools struct{ runtime.Tools }

func (t listTools) Work(ctx context.Context, w runtime.Work, env runtime.Env) error {
	return t.Tools.Work(ctx, w, newLists{env})
}

// newLists replaces a missing list by a new one.
type newLists struct{ runtime.Env }

func (e newLists) Append(ctx context.Context, key string, items []json.RawMessage) error {
	err := e.Env.Append(ctx, key, items)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if err := e.Env.Set(ctx, key, json.RawMessage("[]")); err != nil {
		return err
	}
	return e.Env.Append(ctx, key, items)
}

// asksAfterPausing delays an approval request until the run has paused, or continues in another branch.
func asksAfterPausing() writing {
	var asked []runtime.Chunk
	return func(chunks []runtime.Chunk) []runtime.Chunk {
		if at := slices.IndexFunc(chunks, isRequest); at >= 0 {
			asked = append(asked, chunks[at])
			return slices.Delete(chunks, at, at+1)
		}
		late := asked
		asked = nil
		for _, c := range late {
			c["timestamp"] = chunks[0]["timestamp"]
		}
		if len(chunks) == 1 && chunks[0].Type() == "run_paused" {
			return append(chunks, late...)
		}
		return append(late, chunks...)
	}
}

// startsWhenDecided delays the start of a call that needs consent until the call ends.
func startsWhenDecided() writing {
	held := map[any]runtime.Chunk{}
	return func(chunks []runtime.Chunk) []runtime.Chunk {
		if slices.ContainsFunc(chunks, isRequest) {
			at := slices.IndexFunc(chunks, func(c runtime.Chunk) bool { return c.Type() == "tool_start" })
			held[chunks[at]["toolCallId"]] = chunks[at]
			return slices.Delete(chunks, at, at+1)
		}
		start := held[chunks[0]["toolCallId"]]
		if start == nil || chunks[0].Type() != "tool_end" {
			return chunks
		}
		start["timestamp"] = chunks[0]["timestamp"]
		return append([]runtime.Chunk{start}, chunks...)
	}
}

func isRequest(c runtime.Chunk) bool { return c.Type() == "tool_approval_request" }
