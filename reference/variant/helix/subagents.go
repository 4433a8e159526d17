package helix

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// subagents are other ways to tell of sub-agents.
func subagents() []Variant {
	return []Variant{
		{Name: "children-without-calls", Freedom: "helix.subagents.call-id",
			Summary: "Sub-agents are started without a tool call, and callId is an id that was made up for it.",
			Apply:   on.Written(on.If(func(c runtime.Chunk) bool { return strings.HasPrefix(on.Text(c, "toolName"), "subagent__") })).Drop()},
		{Name: "child-ends-without-reason", Freedom: "helix.subagents.failed",
			Summary: "The end of a sub-agent that failed has no member error; the error chunk says it.",
			Apply:   on.Written(on.Type("subagent_end")).Remove("error")},
		{Name: "child-without-output-says-done", Freedom: "helix.subagents.result",
			Summary: "The result of a sub-agent that put nothing out and has none to return is the word done.",
			Apply:   saysDone},
		{Name: "failing-child-takes-back", Freedom: "helix.checkpoints.discarded",
			Summary: "A sub-agent that fails discards its step like any other agent, and what it had said no longer counts.",
			Apply: on.Written(on.Type("subagent_end"), on.Is("error", nil).Not()).To(func(_ *on.Producer, c runtime.Chunk) []runtime.Chunk {
				id := on.Text(c, "subSessionId")
				back := runtime.Chunk{
					"type": "step_discarded", "runId": "run-of-" + id, "stepId": "step-of-" + id, "reason": "failed",
					"agentId": id, "agentType": c["subAgentType"], "timestamp": c["timestamp"],
				}
				if step := c["step"]; step != nil {
					back["step"] = step
				}
				return []runtime.Chunk{back, c}
			})},
	}
}

// saysDone gives sub-agents a result that have none. Null is one, if it was put out.
func saysDone(o reference.Options) reference.Options {
	var put sync.Map // by agentId
	return on.Written().With(func(c runtime.Chunk) {
		switch raw, _ := c["result"].(json.RawMessage); c.Type() {
		case "output":
			put.Store(c.AgentID(), true)
		case "subagent_end":
			_, has := put.Load(c["subSessionId"])
			if !has && c["error"] == nil && string(raw) == "null" {
				c["result"] = json.RawMessage(`"done"`)
			}
		}
	})(o)
}
