package run

import (
	"fmt"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// tools lists the mutants of tools.
func tools() []edit.Mutant {
	return []edit.Mutant{
		// These report calls badly.
		{Name: "failed-call-not-ended", Requirement: "helix.tools.reported", Stateful: true,
			Summary: "Once a call has worked, one that fails in the same step is never ended.",
			Also:    []string{"helix.tools.ended", "helix.snapshot.partial-parts"},
			Apply:   on.Written(on.Per("step", on.FailedCall().After(on.WorkedCall()))).Drop()},
		{Name: "start-comes-with-end", Requirement: "helix.tools.reported", Stateful: true,
			Summary: "A call is reported when it is over, its start and its end.",
			Also:    []string{"helix.custom.in-place", "helix.subagents.call-id", "helix.snapshot.partial-parts"},
			Apply: on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				withheld := map[string]runtime.Chunk{}
				return func(c runtime.Chunk) []runtime.Chunk {
					id := on.Text(c, "toolCallId")
					switch c.Type() {
					case "tool_start":
						withheld[id] = c
						return nil
					case "tool_end":
						withheld[id]["timestamp"] = c["timestamp"]
						return edit.Only(withheld[id], c)
					}
					return edit.Only(c)
				}
			})},

		// These mix the ids of calls up.
		{Name: "end-has-id-of-its-own", Requirement: "helix.tools.start-first",
			Summary: "The end of a call has an id of its own.",
			Also:    []string{"helix.tools.reported", "helix.tools.ended", "helix.tools.result"},
			Apply: on.Written(on.Type("tool_end")).
				With(func(c runtime.Chunk) { c["toolCallId"] = on.Text(c, "toolCallId") + "-end" })},
		{Name: "id-counts-per-step", Requirement: "helix.tools.unique-id", Stateful: true,
			Summary: "Calls are numbered in each step anew.",
			Apply: renamesCalls(func(count int, c runtime.Chunk) string {
				return fmt.Sprintf("call_%d", count)
			})},

		// These leave calls open.
		{Name: "second-of-open-calls-left-open", Requirement: "helix.tools.ended", Stateful: true,
			Summary: "Of calls that are open at once, only the first to come back is ended.",
			Also:    []string{"helix.tools.reported", "helix.tools.result", "helix.tools.failure-goes-on"},
			Apply: on.Written(func(*on.Producer) func(runtime.Chunk) bool {
				open, ended := 0, 0
				return func(c runtime.Chunk) bool {
					switch c.Type() {
					case "tool_start":
						open++
					case "tool_end":
						ended++
						if ended == open {
							lost := open > 1
							open, ended = 0, 0
							return lost
						}
					}
					return false
				}
			}).Drop()},
		{Name: "later-step-leaves-calls-open", Requirement: "helix.tools.ended", Stateful: true,
			Summary: "A call of a tool that an earlier step has called isn't ended.",
			Also:    []string{"helix.tools.reported", "helix.tools.result"},
			Apply: on.Written(func(*on.Producer) func(runtime.Chunk) bool {
				first := map[string]int{}
				return func(c runtime.Chunk) bool {
					step, _ := c.Step()
					tool := on.Text(c, "toolName")
					if c.Type() == "tool_start" && first[tool] == 0 {
						first[tool] = step
					}
					return c.Type() == "tool_end" && step > first[tool]
				}
			}).Drop()},

		// These end calls under another name, or twice.
		{Name: "failed-call-ends-as-error", Requirement: "helix.tools.same-name",
			Summary: "The end of a call that failed has the name error.",
			Also:    []string{"helix.tools.failure-goes-on", "helix.tools.result", "helix.approval.denied"},
			Apply:   on.Written(on.FailedCall()).Set("toolName", "error")},
		{Name: "ends-as-latest-tool", Requirement: "helix.tools.same-name", Stateful: true,
			Summary: "A call ends under the name of the tool that was called last.",
			Also:    []string{"helix.tools.failure-goes-on", "helix.custom.in-place"},
			Apply:   on.Written(on.Type("tool_end")).Recall("toolName", on.Type("tool_start"), "toolName")},
		{Name: "failed-call-ends-twice", Requirement: "helix.tools.end-once",
			Summary: "A failure is reported by the tool and by the runtime.",
			Apply:   on.Written(on.FailedCall()).Copied()},

		// These end calls in the name of another agent, or at another time.
		{Name: "second-step-ends-as-run", Requirement: "helix.tools.same-agent", Stateful: true,
			Summary: "From the second step on, the end of a call carries the id of the run as agentId.",
			Also:    []string{"helix.subagents.child-id"},
			Apply:   on.Written(on.Type("tool_end"), on.AfterStep(1)).By(asRun)},
		{Name: "second-end-timed-before-start", Requirement: "helix.tools.clock", Stateful: true,
			Summary: "From the second call on its duration is taken from its end twice.",
			Also:    []string{"helix.runs.clock"},
			Apply:   on.Written(on.Type("tool_end").From(2)).Add("timestamp", -60_000)},
	}
}

// renamesCalls gives calls other ids. The function gets the start of a call and its number in the step.
func renamesCalls(name func(count int, c runtime.Chunk) string) on.Apply {
	return on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
		names, count, in := map[string]string{}, 0, 0
		return func(c runtime.Chunk) {
			if step, ok := c.Step(); ok && step != in {
				count, in = 0, step
			}
			if c.Type() == "tool_start" {
				count++
				names[on.Text(c, "toolCallId")] = name(count, c)
			}
			for _, member := range []string{"toolCallId", "callId", "pendingToolCallId"} {
				if to, known := names[on.Text(c, member)]; known {
					c[member] = to
				}
			}
		}
	})
}

// asRun writes a chunk in the name of its run.
func asRun(by *on.Producer, c runtime.Chunk) { c["agentId"] = by.Run }
