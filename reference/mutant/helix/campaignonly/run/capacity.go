package run

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// amountsOfRuns lists mutants that have more capacity for an agent's output than most agents use, and not enough for all.
func amountsOfRuns() []edit.Mutant {
	return []edit.Mutant{
		{Name: "branches-of-64", Requirement: "helix.tools.reported",
			Summary: "Side by side, 64 branches are worked on; the others never are.",
			Apply: edit.OnModelEvents(func(e runtime.Event) (runtime.Event, error) {
				if p, is := e.(runtime.Parallel); is {
					p.Branches = p.Branches[:min(64, len(p.Branches))]
					return p, nil
				}
				return e, nil
			})},
		{Name: "patches-of-512-operations", Requirement: "helix.state.sum",
			Summary: "A patch has 512 operations at most, and the rest is lost.",
			Apply: on.Written(on.Type("state_patch")).With(func(c runtime.Chunk) {
				operations := c["patches"].([]runtime.Operation)
				c["patches"] = operations[:min(512, len(operations))]
			})},
		{Name: "appends-of-256-items", Requirement: "helix.state.sum",
			Summary: "Of the items that are appended at once, 256 are.",
			Apply: onAppends(func(ctx context.Context, env runtime.Env, key string, items []json.RawMessage) error {
				return env.Append(ctx, key, items[:min(256, len(items))])
			})},
		{Name: "chunks-of-a-run-of-128-kib", Requirement: "helix.text.concatenation",
			Summary: "A runtime drops what is larger than 128 KiB on its way to the stream.",
			Apply: on.Written(on.If(func(c runtime.Chunk) bool {
				raw, err := c.JSON()
				return err == nil && len(raw) > 128<<10
			})).Drop()},
		{Name: "fifth-generation-speaks-as-its-parent", Requirement: "helix.text.per-agent", Also: []string{"helix.subagents.reported"},
			Summary: "A sub-agent of a sub-agent, and so on, that has four others around it speaks with the id of its parent.",
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				parents := map[string]string{}
				return func(c runtime.Chunk) {
					if c.Type() == "subagent_start" {
						parents[on.Text(c, "subSessionId")] = c.AgentID()
					}
					around, id := 0, c.AgentID()
					for parent, is := parents[id]; is; parent, is = parents[parent] {
						around++
					}
					if around > 4 {
						c["agentId"] = parents[id]
					}
				}
			})},
	}
}

// leftovers lists mutants that leave something behind without ending or removing it.
func leftovers() []edit.Mutant {
	return []edit.Mutant{
		{Name: "helper-of-a-helper-out-of-time-isnt-ended", Requirement: "helix.subagents.ended",
			Summary: "When the time of a sub-agent is over, what it had begun itself hears nothing of that.",
			Apply:   on.OnAppended(endsAlone)},
		{Name: "call-of-a-helper-out-of-time-isnt-ended", Requirement: "helix.tools.ended",
			Summary: "When the time of a sub-agent is over, its calls are forgotten.",
			Apply: on.Written(on.Type("tool_end"), on.ByChild(), on.If(func(c runtime.Chunk) bool {
				return delayed(c) && !strings.HasPrefix(on.Text(c, "toolName"), "subagent__")
			})).Drop()},
		{Name: "checkpoints-outlive-their-session", Requirement: "helix.runs.interrupt-checkpoint", Also: []string{"helix.state.after-resync", "helix.state.sum"},
			Summary: "A run on a stream that was reset finds the checkpoints of the one before.",
			Apply:   on.OnRuntime(func(p *runtime.Ports) { p.Checkpoints = lasting{p.Checkpoints} })},
		{Name: "texts-of-a-message-are-one", Requirement: "helix.snapshot.exact",
			Summary: "In a snapshot, a message has what was said between its calls before the first of them.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				s.Messages = slices.Clone(s.Messages)
				for i, m := range s.Messages {
					s.Messages[i].Parts = gathered(m.Parts)
				}
			})},
		{Name: "error-of-the-first-call-that-failed", Requirement: "helix.snapshot.exact",
			Summary: "In a snapshot, calls of one message that failed all have the error of the first.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				s.Messages = slices.Clone(s.Messages)
				for n, m := range s.Messages {
					s.Messages[n].Parts = slices.Clone(m.Parts)
					first := ""
					for i, p := range m.Parts {
						if first == "" {
							first = p.Error
						}
						if p.Error != "" {
							s.Messages[n].Parts[i].Error = first
						}
					}
				}
			})},
	}
}

// delayed reports whether the end of a call or a sub-agent is a timeout.
func delayed(c runtime.Chunk) bool { return strings.Contains(on.Text(c, "error"), "took longer") }

// endsAlone delays the end of a sub-agent within another one, and drops it where the end of that comes next: one timeout
// ended both.
func endsAlone(p *on.Producer) func([]runtime.Chunk) []runtime.Chunk {
	var withheld []runtime.Chunk
	return func(chunks []runtime.Chunk) []runtime.Chunk {
		before := withheld
		withheld = nil
		if len(chunks) == 0 || chunks[0].Type() != "subagent_end" || !delayed(chunks[0]) {
			return slices.Concat(before, chunks)
		}
		if len(before) > 0 && before[0].AgentID() == on.Text(chunks[0], "subSessionId") {
			before = nil
		}
		if p.Child(chunks[0]) {
			withheld = chunks
			return before
		}
		return slices.Concat(before, chunks)
	}
}

// lasting are checkpoints that are never removed.
type lasting struct{ runtime.Checkpoints }

// Forget implements runtime.Checkpoints.
func (lasting) Forget(string) {}

// gathered are parts in which all texts are in the first one that is a text.
func gathered(parts []helix.Part) (out []helix.Part) {
	at := -1
	for _, p := range parts {
		switch {
		case p.Type == "text" && at >= 0:
			out[at].Text += p.Text
			continue
		case p.Type == "text":
			at = len(out)
		}
		out = append(out, p)
	}
	return out
}
