package helix

import (
	"slices"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// deepChildren err where several sub-agents work, side by side or inside each other.
func deepChildren() []Mutant {
	return []Mutant{
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
					return only(c)
				}
			})},
	}
}

// deepWords report what an agent says, thinks or fails with wrongly, at times.
func deepWords() []Mutant {
	return []Mutant{
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

// deepErrors err with an error, or after one.
func deepErrors() []Mutant {
	return []Mutant{
		{Name: "error-after-a-retry-in-the-step-before", Requirement: "helix.errors.step",
			Summary: "After a retry, an error is reported with the number of completed steps.",
			Apply: on.Written().Course(func(*on.Producer) func(runtime.Chunk) {
				retried := false
				return func(c runtime.Chunk) {
					retried = retried || c.Type() == "run_resumed" && c["mode"] == "retry"
					if step, ok := c.Step(); ok && retried && c.Type() == "error" && c["recoverable"] == true {
						c["step"] = step - 1
					}
				}
			})},
		{Name: "child-is-silent-after-an-error", Requirement: "helix.text.concatenation",
			Summary: "What a sub-agent says after an error that it got over is lost, up to its end.",
			Apply: on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
				erred := map[string]bool{}
				return func(c runtime.Chunk) []runtime.Chunk {
					if c.AgentID() == p.Session {
						return only(c)
					}
					erred[c.AgentID()] = erred[c.AgentID()] || c.Type() == "error"
					if c.Type() == "text_delta" && erred[c.AgentID()] {
						return nil
					}
					return only(c)
				}
			})},
	}
}
