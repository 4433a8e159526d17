package run

import (
	"context"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// emptyAgents err where there is nothing of something, or something within its like.
func emptyAgents() []edit.Mutant {
	return []edit.Mutant{
		{Name: "silent-child-is-not-reported-as-done", Requirement: "helix.subagents.reported", Also: []string{"helix.subagents.ended", "helix.tools.ended"},
			Summary: "A sub-agent is listed when it says its first word, and one that says nothing is never reported as done.",
			Apply: on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				spoke := map[string]bool{}
				return func(c runtime.Chunk) []runtime.Chunk {
					spoke[c.AgentID()] = true
					if c.Type() == "subagent_end" && !spoke[on.Text(c, "subSessionId")] {
						return nil
					}
					return edit.Only(c)
				}
			})},
		{Name: "inner-branches-but-the-first", Requirement: "helix.tools.reported",
			Summary: "Of branches within a branch only the first one works.",
			Apply:   edit.OnBranches(func(t runtime.Turn) runtime.Turn { return &edit.Turn{Turn: t, Change: firstBranch} })},
	}
}

func firstBranch(e runtime.Event) (runtime.Event, error) {
	if p, ok := e.(runtime.Parallel); ok && len(p.Branches) > 1 {
		return runtime.Parallel{Branches: p.Branches[:1]}, nil
	}
	return e, nil
}

// lengthy lists mutants that have no capacity for long names, or know too few words.
func lengthy() []edit.Mutant {
	return []edit.Mutant{
		{Name: "event-names-of-255-characters", Requirement: "helix.custom.unchanged", Summary: "The name of a custom event is kept in a column of 255 characters.",
			Apply: on.Written(on.Type("custom")).With(func(c runtime.Chunk) {
				name := on.Text(c, "eventName")
				c["eventName"] = strings.ToValidUTF8(name[:min(len(name), 255)], "")
			})},
		{Name: "ids-of-255-bytes", Requirement: "helix.security.isolation", Summary: "The id of a stream is kept in a column of 255 bytes.",
			Also:  []string{"helix.status.count", "helix.lifecycle.many-writers"},
			Apply: edit.OnStreamID(func(id string) string { return id[:min(len(id), 255)] })},
		{Name: "refused-runs-are-faults", Requirement: "helix.errors.fail-code", Summary: "A stream that fails because a run can't begin or go on is said to have failed by a fault of the server.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnFail = func(ctx context.Context, stream, message, code string) error {
					if code == "state_already_running" || code == "state_not_resumable" {
						code = "framework_internal_error"
					}
					return inner.Fail(ctx, stream, message, code)
				}
			})},
		{Name: "checkpoints-without-case", Requirement: "helix.runs.interrupt-checkpoint", Also: []string{"helix.state.sum", "helix.state.after-resync", "helix.resync.written"},
			Summary: "The checkpoints of a session are kept under the id of its stream, whose case isn't told apart.",
			Apply:   on.OnRuntime(func(p *runtime.Ports) { p.Checkpoints = caseless{p.Checkpoints} })},
	}
}

// caseless keeps checkpoints under ids in lower case.
type caseless struct{ runtime.Checkpoints }

// Save implements runtime.Checkpoints.
func (k caseless) Save(ctx context.Context, stream string, c runtime.Checkpoint) error {
	return k.Checkpoints.Save(ctx, strings.ToLower(stream), c)
}

// Load implements runtime.Checkpoints.
func (k caseless) Load(ctx context.Context, stream, id string) (runtime.Checkpoint, bool, error) {
	return k.Checkpoints.Load(ctx, strings.ToLower(stream), id)
}

// Discard implements runtime.Checkpoints.
func (k caseless) Discard(ctx context.Context, stream, after string) error {
	return k.Checkpoints.Discard(ctx, strings.ToLower(stream), after)
}

// Forget implements runtime.Checkpoints.
func (k caseless) Forget(stream string) { k.Checkpoints.Forget(strings.ToLower(stream)) }

// elsewhere err where a stream is read on another replica than the one on which it is written.
func elsewhere() []edit.Mutant {
	return []edit.Mutant{{Name: "large-chunks-are-not-told-elsewhere", Requirement: "helix.replicas.live",
		Also:    []string{"helix.lifecycle.live", "helix.chunks.no-merge", "helix.ordering.total-order"},
		Summary: "A chunk of more than 8,000 bytes has no room in the message by which replicas tell each other what was written.",
		Apply: on.OnStore(func(inner store.Store, s *on.Store) {
			var wrote alter.PerKey[map[int64]bool] // on this replica
			s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
				sequences, err := inner.Append(ctx, stream, writer, chunks)
				wrote.With(stream, func(own *map[int64]bool) {
					if *own == nil {
						*own = map[int64]bool{}
					}
					for _, n := range sequences {
						(*own)[n] = true
					}
				})
				return sequences, err
			}
			s.OnSubscribe = func(ctx context.Context, stream string, after int64) (store.Subscription, error) {
				before, _ := inner.Info(ctx, stream) // nothing is stored of one that isn't there
				sub, err := inner.Subscribe(ctx, stream, after)
				if err != nil {
					return nil, err
				}
				return store.Map(sub, func(e store.Event) []store.Event {
					told := e.Kind != store.ChunkWritten || e.Sequence <= before.LatestSequence || len(e.Chunk.JSON) <= 8000
					wrote.With(stream, func(own *map[int64]bool) { told = told || (*own)[e.Sequence] })
					if !told {
						return nil
					}
					return []store.Event{e}
				}), nil
			}
		})}}
}
