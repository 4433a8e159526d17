package run

import (
	"encoding/json"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// runAgain err when something happens again in a run.
func runAgain() []edit.Mutant {
	return []edit.Mutant{
		{Name: "late-child-ends-as-its-parent", Requirement: "helix.subagents.paired",
			Summary: "Behind the 80th chunk of a stream, the end of a sub-agent has the type of who started it.",
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				chunks := 0
				return func(c runtime.Chunk) {
					if chunks++; chunks > 80 && c.Type() == "subagent_end" {
						c["subAgentType"] = c["agentType"]
					}
				}
			})},
		{Name: "fourth-thought-joins", Requirement: "helix.thinking.blocks",
			Summary: "From the fourth block on, a block of reasoning is not completed but goes on in the next one.",
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				blocks := 0
				return func(c runtime.Chunk) {
					if c.Type() == "thinking" && c["isComplete"] == true {
						if blocks++; blocks == 4 {
							c["isComplete"] = false
						}
					}
				}
			})},
		{Name: "seventh-call-forgets-its-result", Requirement: "helix.tools.result",
			Summary: "From the seventh call of a stream on, results are taken from a cache of the call before.",
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				calls, before := 0, json.RawMessage("null")
				return func(c runtime.Chunk) {
					if c.Type() == "tool_end" && c["success"] == true {
						calls++
						mine := edit.RawMember(c, "result")
						if calls >= 7 {
							c["result"] = before
						}
						before = mine
					}
				}
			})},
		{Name: "second-resume-keeps-mode", Requirement: "helix.runs.mode",
			Summary: "From the second resume on, the mode is that of the first.",
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				var first any
				return func(c runtime.Chunk) {
					if c.Type() == "run_resumed" {
						if first == nil {
							first = c["mode"]
						}
						c["mode"] = first
					}
				}
			})},
	}
}

// coincidences lists mutants that err where two conditions of a run coincide.
func coincidences() []edit.Mutant {
	return []edit.Mutant{
		{Name: "speaks-twice-after-second-return", Requirement: "helix.text.concatenation",
			Summary: "What is said first after the second resume of a session is said again.",
			Apply: on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				resumes, repeat := 0, false
				return func(c runtime.Chunk) []runtime.Chunk {
					if c.Type() == "run_resumed" {
						resumes++
						repeat = resumes == 2
					}
					if c.Type() != "text_delta" || !repeat {
						return edit.Only(c)
					}
					repeat = false
					return edit.Only(c, c.Clone())
				}
			})},
		{Name: "third-branch-swaps-results", Requirement: "helix.tools.result",
			Summary: "Where three calls or more are open at once, each that ends after the first has the result of the one before.",
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				open, before := 0, json.RawMessage(nil)
				return func(c runtime.Chunk) {
					switch c.Type() {
					case "tool_start":
						if open++; open < 3 {
							before = nil
						}
					case "tool_end":
						if open--; c["success"] == true {
							mine := edit.RawMember(c, "result")
							if before != nil {
								c["result"] = before
							}
							if before = nil; open >= 2 {
								before = mine
							}
						}
					}
				}
			})},
		{Name: "later-patches-keep-one-item", Requirement: "helix.state.sum",
			Summary: "From the third patch of a stream on, of several items that are appended to one list at once the last is kept.",
			Apply: on.Written(on.Type("state_patch").From(3)).With(func(c runtime.Chunk) {
				all, kept := edit.Operations(c), []runtime.Operation(nil)
				for i, o := range all {
					if i+1 == len(all) || !strings.HasSuffix(o.Path, "/-") || all[i+1].Path != o.Path {
						kept = append(kept, o)
					}
				}
				c["patches"] = kept
			})},
		{Name: "snapshot-loses-nulls", Requirement: "helix.snapshot.exact",
			Summary: "The state of a snapshot lacks members that are null, at every depth.",
			Apply:   on.Snapshot(func(s *helix.Snapshot) { s.State = sansNulls(s.State) })},
	}
}
