package helix

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// childVoices let sub-agents speak under other ids.
func childVoices() []Mutant {
	return []Mutant{
		{Name: "child-speaks-as-parent", Requirement: "helix.subagents.child-id",
			Summary: "What a sub-agent says, and what its tools send, is written in the name of the root.",
			Also:    []string{"helix.text.per-agent"},
			Apply: on.Written().By(func(by *on.Producer, c runtime.Chunk) {
				if c.Type() == "text_delta" || c.Type() == "custom" {
					c["agentId"] = by.Session
				}
			})},
		{Name: "grandchild-named-by-path", Requirement: "helix.subagents.child-id", Stateful: true,
			Summary: "The sub-agent of a sub-agent writes under the path to it, and is announced under its last part.",
			Also:    []string{"helix.state.per-agent"},
			Apply: on.Written().Course(func(p *on.Producer) func(runtime.Chunk) {
				paths := map[string]string{}
				return func(c runtime.Chunk) {
					if c.Type() == "subagent_start" && p.Child(c) {
						id := on.Text(c, "subSessionId")
						paths[id] = c.AgentID() + "/" + id
					}
					if path, nested := paths[c.AgentID()]; nested {
						c["agentId"] = path
					}
				}
			})},
		{Name: "child-renamed-after-tool", Requirement: "helix.subagents.child-id", Stateful: true,
			Summary: "A sub-agent whose tool has ended goes on as a new session that nobody announces.",
			Also:    []string{"helix.state.per-agent"},
			Apply: on.Written().Course(func(p *on.Producer) func(runtime.Chunk) {
				worked := map[string]bool{}
				return func(c runtime.Chunk) {
					id := c.AgentID()
					if p.Child(c) && worked[id] && !isAbout(c) && !strings.HasPrefix(on.Text(c, "toolName"), "subagent__") {
						c["agentId"] = id + "-2"
					}
					if c.Type() == "tool_end" && p.Child(c) {
						worked[id] = true
					}
				}
			})},
	}
}

// heldBack holds the chunks of sub-agents back for which a function holds. They are written before the sub-agent's next
// one, and those that are left after its end.
func heldBack(hold func(runtime.Chunk) bool) alter.Change[*on.Producer, runtime.Chunk] {
	return func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
		held := map[string][]runtime.Chunk{}
		return func(c runtime.Chunk) []runtime.Chunk {
			id := c.AgentID()
			if p.Child(c) && hold(c) {
				before := held[id]
				held[id] = only(c)
				return before
			}
			before, after := held[id], []runtime.Chunk(nil)
			delete(held, id)
			if c.Type() == "subagent_end" {
				ended := on.Text(c, "subSessionId")
				after = held[ended]
				delete(held, ended)
			}
			return slices.Concat(before, only(c), after)
		}
	}
}

// childBounds let sub-agents go on after their end.
func childBounds() []Mutant {
	return []Mutant{
		{Name: "last-word-after-end", Requirement: "helix.subagents.within",
			Summary: "The last piece of a sub-agent's text waits for more, and is written when the end has been.",
			Apply:   on.OnWritten(heldBack(ofType("text_delta")))},
		{Name: "last-patch-after-end", Requirement: "helix.subagents.within", Stateful: true,
			Summary: "The changes of a sub-agent's last step are written when its parent has closed it.",
			Apply:   on.OnWritten(heldBack(ofType("state_patch")))},
	}
}

// childTypes give sub-agents other types.
func childTypes() []Mutant {
	return []Mutant{
		{Name: "child-typed-as-root", Requirement: "helix.subagents.agent-type",
			Summary: "What a sub-agent says carries the type of the agent that the run began with.",
			Apply: on.Written().Course(func(p *on.Producer) func(runtime.Chunk) {
				root := ""
				return func(c runtime.Chunk) {
					if !p.Child(c) {
						root = on.Text(c, "agentType")
					} else if c.Type() == "text_delta" {
						c["agentType"] = root
					}
				}
			})},
		{Name: "type-lost-after-tool", Requirement: "helix.subagents.agent-type", Stateful: true,
			Summary: "A sub-agent that comes back from a tool has no type but that it is one.",
			Apply: on.Written().Course(func(p *on.Producer) func(runtime.Chunk) {
				worked := map[string]bool{}
				return func(c runtime.Chunk) {
					if worked[c.AgentID()] {
						c["agentType"] = "subagent"
					}
					if c.Type() == "tool_end" && p.Child(c) {
						worked[c.AgentID()] = true
					}
				}
			})},
	}
}

// childTerminals take what a sub-agent says for the last word of all.
func childTerminals() []Mutant {
	end := func(j runtime.Journal, w runtime.Writer, c runtime.Chunk) {
		_ = j.End(context.Background(), w, rawMember(c, "output")) // it is over already, then
	}
	childPuts := func(w runtime.Writer, c runtime.Chunk) bool { return c.Type() == "output" && isChild(w, c) }
	return []Mutant{
		{Name: "child-output-ends-stream", Requirement: "helix.subagents.child-terminal",
			Summary: "An output ends the stream, whoever it is from.",
			Also:    []string{"helix.subagents.failed", "helix.subagents.ended", "helix.tools.ended"},
			Apply:   endsStream(func() hitting { return childPuts }, end)},
		{Name: "second-child-output-ends-stream", Requirement: "helix.subagents.child-terminal", Stateful: true,
			Summary: "The second output of a stream is taken for that of the root, and ends it.",
			Also:    []string{"helix.subagents.ended", "helix.tools.ended"},
			Apply: endsStream(func() hitting {
				outputs := 0
				return func(w runtime.Writer, c runtime.Chunk) bool {
					if c.Type() == "output" {
						outputs++
					}
					return outputs == 2 && childPuts(w, c)
				}
			}, end)},
		{Name: "child-error-fails-stream", Requirement: "helix.subagents.child-terminal",
			Summary: "An error that nothing goes on after fails the stream, whoever it is from.",
			Also:    []string{"helix.subagents.failed", "helix.subagents.reported"},
			Apply: endsStream(func() hitting {
				return func(w runtime.Writer, c runtime.Chunk) bool {
					return c.Type() == "error" && c["recoverable"] == false && isChild(w, c)
				}
			}, func(j runtime.Journal, w runtime.Writer, c runtime.Chunk) {
				_ = j.Fail(context.Background(), w, on.Text(c, "error"), on.Text(c, "code")) // it is over already, then
			})},
	}
}

// childResults give sub-agents other results.
func childResults() []Mutant {
	return []Mutant{
		{Name: "child-result-as-text", Requirement: "helix.subagents.result",
			Summary: "The result of a sub-agent is the text of its output.",
			Also:    []string{"helix.subagents.failed"},
			Apply: on.Written(on.Type("subagent_end")).With(func(c runtime.Chunk) {
				if result := rawMember(c, "result"); string(result) != "null" {
					c["result"] = alter.Encode(string(result))
				}
			})},
		{Name: "child-result-of-first", Requirement: "helix.subagents.result", Stateful: true,
			Summary: "The result of the first sub-agent of a type is remembered, and is that of all others.",
			Apply: on.Written().Course(func(*on.Producer) func(runtime.Chunk) {
				results := map[string]json.RawMessage{}
				return func(c runtime.Chunk) {
					if c.Type() == "subagent_end" {
						kind := on.Text(c, "subAgentType")
						if results[kind] == nil {
							results[kind] = rawMember(c, "result")
						}
						c["result"] = results[kind]
					}
				}
			})},
		{Name: "child-result-of-whoever", Requirement: "helix.subagents.result", Stateful: true,
			Summary: "The result of a sub-agent is what any sub-agent put out first while it worked.",
			Apply: on.Written().Course(func(p *on.Producer) func(runtime.Chunk) {
				puts := map[string]json.RawMessage{}
				return func(c runtime.Chunk) {
					switch {
					case c.Type() == "subagent_start":
						puts[on.Text(c, "subSessionId")] = nil
					case c.Type() == "output" && p.Child(c):
						for id, put := range puts {
							if put == nil {
								puts[id] = rawMember(c, "output")
							}
						}
					case c.Type() == "subagent_end":
						id := on.Text(c, "subSessionId")
						if put := puts[id]; put != nil && string(rawMember(c, "result")) != "null" {
							c["result"] = put
						}
						delete(puts, id)
					}
				}
			})},
	}
}

// childFailures hide that a sub-agent failed.
func childFailures() []Mutant {
	failed := func(c runtime.Chunk) bool { return c.Type() == "subagent_end" && c["error"] != nil }
	return []Mutant{
		{Name: "failed-child-result-is-text", Requirement: "helix.subagents.failed",
			Summary: "The result of a sub-agent that failed is the text of its error.",
			Apply: on.Written(on.Type("subagent_end")).With(func(c runtime.Chunk) {
				if failed(c) {
					c["result"] = c["error"]
				}
			})},
		{Name: "late-child-stays-open", Requirement: "helix.subagents.failed",
			Summary: "A sub-agent that takes too long is left alone, and its end is never reported.",
			Also:    []string{"helix.subagents.ended"},
			Apply: on.Written(on.If(func(c runtime.Chunk) bool { return failed(c) && strings.Contains(on.Text(c, "error"), "took longer") })).
				Drop()},
		{Name: "second-failure-has-result", Requirement: "helix.subagents.failed", Stateful: true,
			Summary: "A type of sub-agent that has failed before is given an empty result when it fails again.",
			Apply: on.Written().Course(func(*on.Producer) func(runtime.Chunk) {
				before := map[string]bool{}
				return func(c runtime.Chunk) {
					if failed(c) {
						if before[on.Text(c, "subAgentType")] {
							c["result"] = json.RawMessage("{}")
						}
						before[on.Text(c, "subAgentType")] = true
					}
				}
			})},
	}
}
