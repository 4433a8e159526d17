package run

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// subagentsInside lists the mutants of subagents inside.
func subagentsInside() []edit.Mutant {
	end := func(j runtime.Journal, w runtime.Writer, c runtime.Chunk) {
		_ = j.End(context.Background(), w, edit.RawMember(c, "output")) // it is over already, then
	}

	failed := on.Type("subagent_end").And(on.Is("error", nil).Not())

	return []edit.Mutant{
		// These send the chunks of sub-agents under other ids or types.
		{Name: "grandchild-named-by-path", Requirement: "helix.subagents.child-id", Stateful: true,
			Summary: "The sub-agent of a sub-agent writes under the path to it, and is announced under its last part.",
			Also:    []string{"helix.state.per-agent"},
			Apply: on.Written().BySequence(func(p *on.Producer) func(runtime.Chunk) {
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
		{Name: "type-lost-after-tool", Requirement: "helix.subagents.agent-type", Stateful: true,
			Summary: "A sub-agent that comes back from a tool has no type but that it is one.",
			Apply:   on.Written(on.ByChild(), on.Per("agentId", on.Any().After(on.Type("tool_end")))).Set("agentType", "subagent")},

		// These let sub-agents go on after their end.
		{Name: "last-word-after-end", Requirement: "helix.subagents.within",
			Summary: "The last piece of a sub-agent's text waits for more, and is written when the end has been.",
			Apply:   on.OnWritten(delayedChunks(ofType("text_delta")))},
		{Name: "last-patch-after-end", Requirement: "helix.subagents.within", Stateful: true,
			Summary: "The changes of a sub-agent's last step are written when its parent has closed it.",
			Apply:   on.OnWritten(delayedChunks(ofType("state_patch")))},

		// Mutants that take the end of a sub-agent for the end of the run.
		{Name: "second-child-output-ends-stream", Requirement: "helix.subagents.child-terminal", Stateful: true,
			Summary: "The second output of a stream is taken for that of the root, and ends it.",
			Also:    []string{"helix.subagents.ended", "helix.tools.ended"},
			Apply:   endsStream(on.Type("output").Nth(2).And(on.ByChild()), end)},
		{Name: "child-error-fails-stream", Requirement: "helix.subagents.child-terminal",
			Summary: "An error that nothing goes on after fails the stream, whoever it is from.",
			Also:    []string{"helix.subagents.failed", "helix.subagents.reported"},
			Apply: endsStream(fatalError().And(on.ByChild()), func(j runtime.Journal, w runtime.Writer, c runtime.Chunk) {
				_ = j.Fail(context.Background(), w, on.Text(c, "error"), on.Text(c, "code")) // it is over already, then
			})},

		// These give sub-agents other results.
		{Name: "child-result-of-first", Requirement: "helix.subagents.result", Stateful: true,
			Summary: "The result of the first sub-agent of a type is remembered, and is that of all others.",
			Apply:   on.Written(on.Type("subagent_end")).Stick("result", "subAgentType")},
		{Name: "child-result-of-whoever", Requirement: "helix.subagents.result", Stateful: true,
			Summary: "The result of a sub-agent is what any sub-agent put out first while it worked.",
			Apply: on.Written().BySequence(func(p *on.Producer) func(runtime.Chunk) {
				puts := map[string]json.RawMessage{}
				return func(c runtime.Chunk) {
					switch {
					case c.Type() == "subagent_start":
						puts[on.Text(c, "subSessionId")] = nil
					case c.Type() == "output" && p.Child(c):
						for id, put := range puts {
							if put == nil {
								puts[id] = edit.RawMember(c, "output")
							}
						}
					case c.Type() == "subagent_end":
						id := on.Text(c, "subSessionId")
						if put := puts[id]; put != nil && string(edit.RawMember(c, "result")) != "null" {
							c["result"] = put
						}
						delete(puts, id)
					}
				}
			})},

		// These hide that a sub-agent failed.
		{Name: "late-child-stays-open", Requirement: "helix.subagents.failed",
			Summary: "A sub-agent that takes too long is left alone, and its end is never reported.",
			Also:    []string{"helix.subagents.ended"},
			Apply: on.Written(failed, on.If(func(c runtime.Chunk) bool { return strings.Contains(on.Text(c, "error"), "took longer") })).
				Drop()},
		{Name: "second-failure-has-result", Requirement: "helix.subagents.failed", Stateful: true,
			Summary: "A type of sub-agent that has failed before is given an empty result when it fails again.",
			Apply:   on.Written(on.Per("subAgentType", failed.From(2))).Set("result", json.RawMessage("{}"))},
	}
}

// delayedChunks delays the chunks of sub-agents that hold matches. They are written before its next one, or after its end.
func delayedChunks(hold func(runtime.Chunk) bool) alter.Change[*on.Producer, runtime.Chunk] {
	return func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
		withheld := map[string][]runtime.Chunk{}
		return func(c runtime.Chunk) []runtime.Chunk {
			id := c.AgentID()
			if p.Child(c) && hold(c) {
				before := withheld[id]
				withheld[id] = edit.Only(c)
				return before
			}
			before, after := withheld[id], []runtime.Chunk(nil)
			delete(withheld, id)
			if c.Type() == "subagent_end" {
				ended := on.Text(c, "subSessionId")
				after = withheld[ended]
				delete(withheld, ended)
			}
			return slices.Concat(before, edit.Only(c), after)
		}
	}
}

// startsChild matches the calls that start sub-agents.
func startsChild() on.Writing {
	return on.If(func(c runtime.Chunk) bool { return strings.HasPrefix(on.Text(c, "toolName"), "subagent__") })
}

// endsStream finishes the stream of a run right after a chunk that when matches.
func endsStream(when on.Writing, finish func(runtime.Journal, runtime.Writer, runtime.Chunk)) on.Apply {
	return on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
		hits := on.Noting(when)
		j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
			sequences, err := inner.Append(ctx, w, chunks)
			for _, c := range chunks {
				if hits(w, c) && err == nil {
					finish(inner, w, c)
				}
			}
			return sequences, err
		}
	})
}
