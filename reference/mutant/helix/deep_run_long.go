package helix

import (
	"bytes"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// deepRunLong have no room for much.
func deepRunLong() []Mutant {
	return []Mutant{{
		Name: "large-results-are-null", Requirement: "helix.tools.result",
		Summary: "A result of more than 8 KiB is reported as null.",
		Apply: onProducedKind("tool_end", func(c runtime.Chunk) {
			if c["success"] == true && len(rawMember(c, "result")) > 8<<10 {
				c["result"] = nil
			}
		}),
	}, {
		Name: "snapshot-of-the-last-messages", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.text"},
		Summary: "A snapshot has the last 12 messages.",
		Apply: onTaken(func(s *helix.Snapshot) {
			s.Messages = s.Messages[max(0, len(s.Messages)-12):]
		}),
	}}
}

// deepAnswers err with what a client or a tool says, for some words.
func deepAnswers() []Mutant {
	return []Mutant{{
		Name: "empty-answers-of-clients-are-null", Requirement: "helix.tools.result",
		Summary: "A client that hands in 0, false, or something empty has handed in null.",
		Apply: onProduced(func() producing {
			waited := map[string]bool{}
			return func(_ runtime.Writer, c runtime.Chunk) []runtime.Chunk {
				switch c.Type() {
				case "run_paused":
					if c["reason"] == "client_tool" {
						waited[wordOf(c, "pendingToolCallId")] = true
					}
				case "tool_end":
					empty := []string{"0", "false", `""`, "[]", "{}"}
					if waited[wordOf(c, "toolCallId")] && slices.Contains(empty, string(bytes.TrimSpace(rawMember(c, "result")))) {
						c["result"] = nil
					}
				}
				return only(c)
			}
		}),
	}, {
		Name: "blank-error-is-none", Requirement: "helix.tools.result", Also: []string{"helix.tools.outcome"},
		Summary: "A tool that fails with white space alone has worked, and returned null.",
		Apply: onProducedKind("tool_end", func(c runtime.Chunk) {
			if c["success"] == false && strings.TrimSpace(wordOf(c, "error")) == "" {
				delete(c, "error")
				c["success"], c["result"] = true, nil
			}
		}),
	}}
}
