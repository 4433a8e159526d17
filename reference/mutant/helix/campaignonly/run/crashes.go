package run

import (
	"context"
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// runsKilled lists mutants that take over a run whose server was killed, and lose something that it had committed: after
// the third step, the second time, or only in its output.
func runsKilled() []edit.Mutant {
	return []edit.Mutant{
		{Name: "takeover-loads-three-checkpoints", Requirement: "helix.text.concatenation", Summary: "A session is loaded with a limit of three checkpoints, and the steps behind the third one are removed as if they had been open.",
			Apply: onLoaded(func(s *runtime.StoredSession) { s.Checkpoints = s.Checkpoints[:min(3, len(s.Checkpoints))] })},
		{Name: "takeover-restores-early-state", Requirement: "helix.state.after-resync", Summary: "The state of a session is stored with every third checkpoint, and a takeover doesn't add what came since.",
			Apply: onLoaded(func(s *runtime.StoredSession) {
				if n := len(s.Checkpoints); n > 3 {
					s.Checkpoints[n-1].State = s.Checkpoints[(n-1)/3*3-1].State
				}
			})},
		{Name: "takeover-drops-schema", Requirement: "helix.output.schema", Summary: "The schema of the output isn't stored, and the executor that has taken over sends an output that breaks it.",
			Apply: onLoaded(func(s *runtime.StoredSession) { s.OutputSchema = nil })},
		{Name: "third-takeover-skips-a-step", Requirement: "helix.text.concatenation", Summary: "The third executor that takes a session over counts the step that the second one had open as done.",
			Apply: onLoaded(func(s *runtime.StoredSession) {
				if len(s.Runs) == 3 {
					s.Next++
				}
			})},
		{Name: "second-takeover-resyncs-nobody", Requirement: "helix.durable.runs", Summary: "That readers have to drop the open step is noted with the session when it is first taken over, and not written again.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					if _, before := found(ctx, stream); before {
						chunks = slices.DeleteFunc(slices.Clone(chunks), func(c store.Chunk) bool {
							return alter.Members(c.JSON).Text("type") == "stream_resync" && edit.AddToRecord(inner, "taken over:"+stream, 1) > 1
						})
					}
					return inner.Append(ctx, stream, writer, chunks)
				}
			})},
	}
}

// onLoaded changes the saved run that an executor loads when it takes a session over from another process.
func onLoaded(change func(*runtime.StoredSession)) on.Apply {
	return on.OnRuntime(func(p *runtime.Ports) { p.Handover = loading{p.Handover, change} })
}

type loading struct {
	runtime.Handover
	change func(*runtime.StoredSession)
}

// Load implements runtime.Handover.
func (f loading) Load(ctx context.Context, run string) (runtime.StoredSession, bool, error) {
	s, found, err := f.Handover.Load(ctx, run)
	if found && err == nil {
		f.change(&s)
	}
	return s, found, err
}
