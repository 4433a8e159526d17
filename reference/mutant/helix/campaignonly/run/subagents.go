package run

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// children err where several sub-agents work, side by side or inside each other.
func children() []edit.Mutant {
	return []edit.Mutant{
		{Name: "thoughts-of-a-twin", Requirement: "helix.thinking.content",
			Summary: "Reasoning is kept by the kind of its agent: of two children of a kind that work side by side, the first thinks for both.",
			Apply: on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				open := map[string][]string{} // ids by kind, in the order of their starts
				return func(c runtime.Chunk) []runtime.Chunk {
					kind, id := on.Text(c, "subAgentType"), on.Text(c, "subSessionId")
					switch c.Type() {
					case "subagent_start":
						open[kind] = append(open[kind], id)
					case "subagent_end":
						open[kind] = slices.DeleteFunc(open[kind], func(other string) bool { return other == id })
					case "thinking":
						if twins := open[on.Text(c, "agentType")]; slices.Contains(twins, c.AgentID()) {
							c["agentId"] = twins[0]
						}
					}
					return edit.Only(c)
				}
			})},
	}
}

// memories lists mutants that err with the stored data of sub-agents.
func memories() []edit.Mutant {
	return []edit.Mutant{
		{Name: "child-begins-lists-anew", Requirement: "helix.state.sum", Also: []string{"helix.state.per-agent"},
			Summary: "From its third step on, a sub-agent begins with an empty state, so that an append begins the list anew.",
			Apply: on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
				steps := map[string]int{} // that changed a state
				return func(c runtime.Chunk) []runtime.Chunk {
					all, _ := c["patches"].([]runtime.Operation)
					if !p.Child(c) || len(all) == 0 {
						return edit.Only(c)
					}
					if steps[c.AgentID()]++; steps[c.AgentID()] < 3 {
						return edit.Only(c)
					}
					all = slices.Clone(all)
					if i := slices.IndexFunc(all, func(o runtime.Operation) bool { return strings.HasSuffix(o.Path, "/-") }); i >= 0 {
						all[i].Path, all[i].Value = strings.TrimSuffix(all[i].Path, "/-"), slices.Concat(json.RawMessage("["), all[i].Value, json.RawMessage("]"))
					}
					c["patches"] = all
					return edit.Only(c)
				}
			})},
	}
}

// words lists mutants that report some of an agent's text, reasoning or errors wrongly.
func words() []edit.Mutant {
	return []edit.Mutant{
		{Name: "second-retry-loses-a-word", Requirement: "helix.text.concatenation",
			Summary: "The first delta behind the second retry of a session is taken for one of the run before.",
			Apply: on.Written(func(*on.Producer) func(runtime.Chunk) bool {
				retries, lost := 0, false
				return func(c runtime.Chunk) bool {
					if c.Type() == "run_resumed" && c["mode"] == "retry" {
						retries++
					}
					hit := c.Type() == "text_delta" && retries > 1 && !lost
					lost = lost || hit
					return hit
				}
			}).Drop()},
		{Name: "long-words-are-cut-in-bytes", Requirement: "helix.text.whole-characters", Also: []string{"helix.text.concatenation"},
			Summary: "A word of more than 1,024 bytes is cut after as many, inside of a character too.",
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				inner := p.Pieces
				p.Pieces = func(text string) (pieces []string) {
					for _, piece := range inner(text) {
						for len(piece) > 1024 {
							pieces, piece = append(pieces, piece[:1024]), piece[1024:]
						}
						pieces = append(pieces, piece)
					}
					return pieces
				}
			})},
	}
}

// quietTurn ends without an error when a context other than the caller's is cancelled.
type quietTurn struct{ runtime.Turn }

func (t quietTurn) Next(ctx context.Context) (runtime.Event, error) {
	event, err := t.Turn.Next(ctx)
	if errors.Is(err, context.Canceled) && ctx.Err() == nil {
		return nil, io.EOF
	}
	return event, err
}

// agentErrors err with an error, or after one.
func agentErrors() []edit.Mutant {
	return []edit.Mutant{
		{Name: "abort-in-a-branch-is-swallowed", Requirement: "helix.errors.cancelled",
			Summary: "A branch whose model aborts is taken for one that another branch has cancelled: nothing is said of it.",
			Apply:   edit.OnBranches(func(t runtime.Turn) runtime.Turn { return quietTurn{t} })},
		{Name: "error-after-a-retry-in-the-step-before", Requirement: "helix.errors.step",
			Summary: "After a retry, an error is reported with the number of completed steps.",
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				retried := false
				return func(c runtime.Chunk) {
					retried = retried || c.Type() == "run_resumed" && c["mode"] == "retry"
					if step, ok := c.Step(); ok && retried && c.Type() == "error" && c["recoverable"] == true {
						c["step"] = step - 1
					}
				}
			})},
		{Name: "child-outlives-its-executor", Requirement: "helix.subagents.reported", Also: []string{"helix.runs.superseded-silent"},
			Summary: "The clock of a sub-agent goes on when its executor is replaced: its time runs out beside that of the one that takes its place.",
			Apply: on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
				open, replaced := map[string]bool{}, ""
				return func(c runtime.Chunk) []runtime.Chunk {
					switch c.Type() {
					case "subagent_start":
						open[on.Text(c, "subSessionId")] = true
					case "subagent_end":
						delete(open, on.Text(c, "subSessionId"))
					case "stream_resync":
						for id := range open {
							replaced = id
						}
						clear(open)
					case "error":
						if delayed := replaced; delayed != "" && p.Child(c) && c["code"] == "tool_timeout" {
							replaced = ""
							return []runtime.Chunk{on.Like(c, "error", runtime.Chunk{"agentId": delayed, "error": c["error"], "code": c["code"], "recoverable": false}), c}
						}
					}
					return edit.Only(c)
				}
			})},
		{Name: "child-is-silent-after-an-error", Requirement: "helix.text.concatenation",
			Summary: "What a sub-agent says after an error that it got over is lost, up to its end.",
			Apply: on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
				erred := map[string]bool{}
				return func(c runtime.Chunk) []runtime.Chunk {
					if c.AgentID() == p.Session {
						return edit.Only(c)
					}
					erred[c.AgentID()] = erred[c.AgentID()] || c.Type() == "error"
					if c.Type() == "text_delta" && erred[c.AgentID()] {
						return nil
					}
					return edit.Only(c)
				}
			})},
	}
}
