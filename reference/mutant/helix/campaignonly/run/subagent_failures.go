package run

import (
	"encoding/json"
	"fmt"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// subAgentFailures err in how a sub-agent ends.
func subAgentFailures() []edit.Mutant {
	return []edit.Mutant{
		{Name: "helper-that-stops-for-no-known-reason-is-cancelled", Requirement: "helix.errors.stop-reason",
			Summary: "A sub-agent whose model stops for a reason that nobody knows fails as one that was cancelled.",
			Apply: on.Written(on.Type("error").And(on.ByChild()).And(on.If(func(c runtime.Chunk) bool {
				return strings.Contains(on.Text(c, "error"), "unknown reason")
			}))).Set("code", "framework_cancelled")},
		{Name: "second-helper-out-of-time-speaks-on", Requirement: "helix.subagents.within",
			Summary: "From the second sub-agent of a stream on whose time runs out, the last word comes behind its end.",
			Apply: on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				delayed := 0
				return func(c runtime.Chunk) []runtime.Chunk {
					if c.Type() == "subagent_end" && strings.Contains(on.Text(c, "error"), "took longer") {
						if delayed++; delayed > 1 {
							return edit.Only(c, on.Like(c, "text_delta", runtime.Chunk{"agentId": c["subSessionId"], "delta": " late"}))
						}
					}
					return edit.Only(c)
				}
			})},
		{Name: "large-output-of-a-helper-is-lost", Requirement: "helix.subagents.result",
			Summary: "An output of a sub-agent of more than 4 KiB is kept outside of the stream, and its result is null.",
			Apply: on.Written(on.Type("subagent_end").And(on.If(func(c runtime.Chunk) bool {
				return len(edit.RawMember(c, "result")) > 4<<10
			}))).Set("result", json.RawMessage("null"))},
	}
}

// steered err when calls that steer a run come upon one another, or when it goes on for long.
func steered() []edit.Mutant {
	return []edit.Mutant{
		{Name: "interruption-names-what-a-rollback-took", Requirement: "helix.runs.interrupt-checkpoint",
			Summary: "An interruption after a rollback names the checkpoint that was saved last, which is gone.",
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				checkpointed := any(nil)
				return func(c runtime.Chunk) {
					switch c.Type() {
					case "checkpoint_created":
						checkpointed = c["checkpointId"]
					case "run_interrupted":
						if checkpointed != nil {
							c["checkpointId"] = checkpointed
						}
					}
				}
			})},
		{Name: "commit-of-a-late-step-is-lost", Requirement: "helix.checkpoints.committed",
			Summary: "A session announces the commits of its first forty steps.",
			Apply:   on.Written(on.Type("step_committed").From(41)).Drop()},
		{Name: "loosely-equal-values-are-skipped", Requirement: "helix.state.sum",
			Summary: "A value that is replaced by one that prints alike stays what it was.",
			Apply: on.Written(on.Type("state_patch")).With(func(c runtime.Chunk) {
				var kept []runtime.Operation
				for _, o := range c["patches"].([]runtime.Operation) {
					n := len(kept)
					if n > 0 && o.Op == "replace" && kept[n-1].Path == o.Path && printed(o.Value) == printed(kept[n-1].Value) {
						continue
					}
					kept = append(kept, o)
				}
				c["patches"] = kept
			})},
	}
}

// printed is a JSON value as a loose comparison sees it.
func printed(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil || v == nil {
		return "null"
	}
	return strings.ToLower(strings.TrimSpace(fmt.Sprint(v)))
}
