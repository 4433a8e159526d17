package helix

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/runtime"
)

// subagents are other ways to tell of sub-agents.
func subagents() []Variant {
	return []Variant{
		{Name: "children-without-calls", Freedom: "helix.subagents.call-id",
			Summary: "Sub-agents are started without a tool call, and callId is an id that was made up for it.",
			Apply: inPlaceOf(func(c runtime.Chunk) []runtime.Chunk {
				if name, _ := c["toolName"].(string); strings.HasPrefix(name, "subagent__") {
					return nil
				}
				return []runtime.Chunk{c}
			})},
		{Name: "child-ends-without-reason", Freedom: "helix.subagents.failed",
			Summary: "The end of a sub-agent that failed has no member error; the error chunk says it.",
			Apply: inPlaceOf(func(c runtime.Chunk) []runtime.Chunk {
				if c.Type() == "subagent_end" {
					delete(c, "error")
				}
				return []runtime.Chunk{c}
			})},
		{Name: "child-without-output-says-done", Freedom: "helix.subagents.result",
			Summary: "The result of a sub-agent that put nothing out and has none to return is the word done.",
			Apply:   saysDone},
		{Name: "failing-child-takes-back", Freedom: "helix.checkpoints.discarded",
			Summary: "A sub-agent that fails discards its step like any other agent, and what it had said no longer counts.",
			Apply: inPlaceOf(func(c runtime.Chunk) []runtime.Chunk {
				id, _ := c["subSessionId"].(string)
				if c.Type() != "subagent_end" || c["error"] == nil {
					return []runtime.Chunk{c}
				}
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
	return inPlaceOf(func(c runtime.Chunk) []runtime.Chunk {
		switch raw, _ := c["result"].(json.RawMessage); c.Type() {
		case "output":
			put.Store(c.AgentID(), true)
		case "subagent_end":
			_, has := put.Load(c["subSessionId"])
			if !has && c["error"] == nil && string(raw) == "null" {
				c["result"] = json.RawMessage(`"done"`)
			}
		}
		return []runtime.Chunk{c}
	})(o)
}
