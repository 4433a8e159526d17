package run

import (
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// runsMutants lists the mutants of runs.
func runsMutants() []edit.Mutant {
	return []edit.Mutant{
		// These are wrong about the step that a chunk belongs to.
		{Name: "custom-without-step", Requirement: "helix.runs.step",
			Summary: "What a tool emits doesn't carry a step.",
			Apply:   on.Written(on.Type("custom")).Remove("step")},
		{Name: "failed-call-without-step", Requirement: "helix.runs.step",
			Summary: "The end of a call that failed is made by the handler of errors, which knows no step.",
			Apply:   on.Written(on.Type("tool_end"), on.Is("success", false)).Remove("step")},
		{Name: "interrupted-step-counts", Requirement: "helix.runs.step", Stateful: true,
			Summary: "After an interruption the dropped step keeps its number.",
			Also:    []string{"helix.runs.step-order"},
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				lost := 0
				return func(c runtime.Chunk) {
					if step, ok := c.Step(); ok && isContentKind(c.Type()) {
						c["step"] = step + lost
					}
					if c.Type() == "run_interrupted" {
						lost++
					}
				}
			})},
		{Name: "children-live-in-step-one", Requirement: "helix.runs.step", Stateful: true,
			Summary: "What sub-agents say is of step 1, whatever the step of their parent.",
			Apply:   on.Written(on.ByChild()).Set("step", 1)},

		// These let steps go back.
		{Name: "steps-restart-after-interruption", Requirement: "helix.runs.step-order", Stateful: true,
			Summary: "After an interruption the steps are counted from 1 again.",
			Also:    []string{"helix.runs.step", "helix.checkpoints.after-step"},
			Apply: afterInterruption(func(c runtime.Chunk, done int) {
				if step, ok := c.Step(); ok && isContentKind(c.Type()) {
					c["step"] = max(1, step-done)
				}
			})},

		// These are wrong about the time.
		{Name: "run-time-in-seconds", Requirement: "helix.runs.timestamps",
			Summary: "Timestamps are in seconds.",
			Apply:   on.Written().With(inSeconds)},
		{Name: "resumed-time-in-seconds", Requirement: "helix.runs.timestamps", Stateful: true,
			Summary: "A run that was resumed has timestamps in seconds.",
			Also:    []string{"helix.tools.clock"},
			Apply:   on.Written(on.Any().Since(on.Type("run_resumed"))).With(inSeconds)},
		{Name: "commits-by-another-clock", Requirement: "helix.runs.clock",
			Summary: "step_committed has the time of another host, which is five seconds late.",
			Apply:   on.Written(on.Type("step_committed")).Add("timestamp", -5000)},
		{Name: "resumed-by-another-clock", Requirement: "helix.runs.clock", Stateful: true,
			Summary: "A run that was resumed has the time of another host, which is five seconds late.",
			Also:    []string{"helix.tools.clock"},
			Apply:   on.Written(on.Any().Since(on.Type("run_resumed"))).Add("timestamp", -5000)},

		// Mutants that send null for an absent value.
		{Name: "tool-end-null-error", Requirement: "helix.runs.nulls",
			Summary: "A call that succeeded ends with an error of null.",
			Apply:   on.Written(on.Type("tool_end"), on.Has("error").Not()).Set("error", nil)},
		{Name: "interruption-null-reason", Requirement: "helix.runs.nulls",
			Summary: "An interruption without a reason has a reason of null.",
			Apply:   on.Written(on.Type("run_interrupted"), on.Has("reason").Not()).Set("reason", nil)},
		{Name: "null-code-after-a-failed-call", Requirement: "helix.runs.nulls", Stateful: true,
			Summary: "Once a call has failed, an error that nobody classified has a code of null.",
			Apply:   on.Written(on.Type("error").Since(on.FailedCall()), on.Has("code").Not()).Set("code", nil)},

		// These give the runs of a session other names.
		{Name: "run-is-the-agent", Requirement: "helix.runs.same-session", Stateful: true,
			Summary: "run_resumed comes from an agent that is called like the run.",
			Also:    []string{"helix.subagents.child-id", "helix.runs.silent", "helix.runs.resume-announced"},
			Apply:   on.Written(on.Type("run_resumed")).Copy("agentId", "runId")},
		{Name: "session-after-second-interruption", Requirement: "helix.runs.same-session", Stateful: true,
			Summary: "A run that goes on after its second interruption is a session of its own.",
			Also:    []string{"helix.subagents.child-id", "helix.checkpoints.id-form"},
			Apply:   on.Written(on.ByChild().Not().Since(on.Type("run_resumed").After(on.Type("run_interrupted").Nth(2)))).By(asAnother)},
		{Name: "recovered-run-is-another-session", Requirement: "helix.runs.same-session", Stateful: true,
			Summary: "A run that recovers from a crash is a session of its own.",
			Also:    []string{"helix.checkpoints.id-form"},
			Apply:   on.Written(on.ByChild().Not().Since(returns("crash_recovery"))).By(asAnother)},
	}
}

// afterInterruption changes chunks; done is how many steps the run had when it went on after its last interruption, 0 before
// the first.
func afterInterruption(change func(c runtime.Chunk, done int)) on.Apply {
	return on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
		done, stopped := 0, false
		return func(c runtime.Chunk) {
			switch c.Type() {
			case "run_interrupted":
				stopped = true
			case "run_resumed":
				if steps, ok := c["fromStepCount"].(int); ok && stopped {
					done = steps
				}
				stopped = false
			}
			change(c, done)
		}
	})
}

// inSeconds gives a chunk its time in seconds.
func inSeconds(c runtime.Chunk) {
	if at, ok := c["timestamp"].(int64); ok {
		c["timestamp"] = at / 1000
	}
}

// asAnother writes a chunk in the name of a session that never began.
func asAnother(by *on.Producer, c runtime.Chunk) { c["agentId"] = by.Session + "-again" }
