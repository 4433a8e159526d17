package helix

import (
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// deepUnasked tell of a run that waits for an answer, for the second time, what nobody has done to it.
func deepUnasked() []Mutant {
	return []Mutant{
		{Name: "goes-on-before-the-answer", Requirement: "helix.runs.resumed",
			Summary: "A run that pauses for the second time says at once that it goes on, and doesn't when it does.",
			Apply: unasked(func(c runtime.Chunk) runtime.Chunk {
				return on.Like(c, "run_resumed", runtime.Chunk{"runId": c["runId"], "fromCheckpointId": nil, "fromStepCount": 0, "mode": "continue"})
			}, "run_resumed")},
		{Name: "goes-on-twice", Requirement: "helix.runs.resumed",
			Summary: "A run that pauses for the second time says at once that it goes on, and again when it does.",
			Apply: unasked(func(c runtime.Chunk) runtime.Chunk {
				return on.Like(c, "run_resumed", runtime.Chunk{"runId": c["runId"], "fromCheckpointId": nil, "fromStepCount": 0, "mode": "continue"})
			}, "")},
		{Name: "pauses-are-interruptions", Requirement: "helix.runs.interrupted",
			Summary: "A run that pauses for the second time says that somebody has interrupted it.",
			Apply: unasked(func(c runtime.Chunk) runtime.Chunk {
				return on.Like(c, "run_interrupted", runtime.Chunk{"runId": c["runId"], "checkpointId": nil})
			}, "")},
	}
}

// unasked writes a chunk behind the second run_paused of a stream, and leaves out the next one of a type; "" is none.
func unasked(more func(paused runtime.Chunk) runtime.Chunk, less string) apply {
	return on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
		pauses, owed := 0, false
		return func(c runtime.Chunk) []runtime.Chunk {
			switch kind := c.Type(); {
			case owed && kind == less:
				owed = false
				return nil
			case kind == "run_paused":
				if pauses++; pauses == 2 {
					owed = less != ""
					return []runtime.Chunk{c, more(c)}
				}
			}
			return []runtime.Chunk{c}
		}
	})
}
