package helix

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
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
			Apply:   returnsDone},
		{Name: "message-to-a-child-that-exists", Freedom: "a message to a sub-agent that exists", Persistent: true,
			Warns:   []string{"helix.subagents.unique"},
			Summary: "A sub-agent that is started after one of its type has ended is that one, which receives a message.",
			Apply:   continuesChildren},
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
		{Name: "failing-child-saves-its-last-step", Freedom: "what a sub-agent wrote that fails at the end of its script",
			Summary: "A sub-agent that fails at the end of its script does so when its last step is saved.",
			Wrap: alter.OnBodies(posts("/control/runs"), func(body []byte) []byte {
				d := json.NewDecoder(bytes.NewReader(body))
				d.UseNumber()
				var run any
				if d.Decode(&run) != nil {
					return body
				}
				failsBehind(run)
				return alter.Encode(run)
			})},
	}
}

// failsBehind gives each sub-agent of a script that fails at its end an empty step to fail in.
func failsBehind(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			failsBehind(item)
		}
	case map[string]any:
		for _, member := range v {
			failsBehind(member)
		}
		child, _ := v["subagent"].(map[string]any)
		script, _ := child["script"].([]any)
		if n := len(script); n > 0 && child["error"] != nil && !strings.Contains(string(alter.Encode(script[n-1])), `"output"`) {
			child["script"] = append(script, []any{})
		}
	}
}

// continuesChildren gives a sub-agent the id of the one of its type that its parent started before, if that has ended.
func continuesChildren(o reference.Options) reference.Options {
	var ended, earlier alter.PerKey[string] // by parent and type; by the id that the reference chose
	return on.Written().With(func(c runtime.Chunk) {
		for _, member := range []string{"agentId", "subSessionId"} {
			if id := earlier.Get(on.Text(c, member)); id != "" {
				c[member] = id
			}
		}
		id, of := on.Text(c, "subSessionId"), c.AgentID()+" "+on.Text(c, "subAgentType")
		switch c.Type() {
		case "subagent_start":
			if before := ended.Swap(of, ""); before != "" {
				earlier.Set(id, before)
				c["subSessionId"] = before
			}
		case "subagent_end":
			ended.Set(of, id)
		}
	})(o)
}

// returnsDone gives sub-agents a result that have none. Null is one, if it was put out.
func returnsDone(o reference.Options) reference.Options {
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
