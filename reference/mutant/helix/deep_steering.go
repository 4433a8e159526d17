package helix

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// savedCheckpoints remembers all checkpoints of a stream, also those that were taken back, and finds some differently.
type savedCheckpoints struct {
	runtime.Checkpoints
	saved alter.Ledger[[]runtime.Checkpoint]
	went  counted // how often a session has gone back
	load  func(s *savedCheckpoints, stream, id string, c *runtime.Checkpoint)
}

// onCheckpoints finds checkpoints differently.
func onCheckpoints(load func(s *savedCheckpoints, stream, id string, c *runtime.Checkpoint)) apply {
	return on.OnRuntime(func(p *runtime.Ports) { p.Checkpoints = &savedCheckpoints{Checkpoints: p.Checkpoints, load: load} })
}

func (s *savedCheckpoints) Save(ctx context.Context, stream string, c runtime.Checkpoint) error {
	s.saved.With(stream, func(all *[]runtime.Checkpoint) { *all = append(*all, c) })
	return s.Checkpoints.Save(ctx, stream, c)
}

func (s *savedCheckpoints) Load(ctx context.Context, stream, id string) (runtime.Checkpoint, bool, error) {
	c, found, err := s.Checkpoints.Load(ctx, stream, id)
	if found && err == nil {
		s.load(s, stream, id, &c)
	}
	return c, found, err
}

func (s *savedCheckpoints) Discard(ctx context.Context, stream, after string) error {
	next(&s.went, stream)
	return s.Checkpoints.Discard(ctx, stream, after)
}

// deepCheckpoints go back to the wrong place, for some ways there.
func deepCheckpoints() []Mutant {
	return []Mutant{
		{Name: "crash-after-a-return-restores-what-was-left", Requirement: "helix.state.after-resync", Also: []string{"helix.state.sum"},
			Summary: "A session that went back and crashes is recovered with the state of the checkpoint that it had left.",
			Apply: onCheckpoints(func(s *savedCheckpoints, stream, id string, c *runtime.Checkpoint) {
				if all := s.saved.Get(stream); id == "" && s.went.Get(stream) > 0 {
					c.State = all[len(all)-1].State
				}
			})},
		{Name: "checkpoint-found-by-its-beginning", Requirement: "helix.resync.counts",
			Summary: "The row of a checkpoint is looked up by its session and step, and what begins like s1 ends up in the row of s10.",
			Apply: onCheckpoints(func(s *savedCheckpoints, stream, id string, c *runtime.Checkpoint) {
				at := strings.LastIndex(id, "-t")
				for _, other := range s.saved.Get(stream) {
					if at > 0 && other.ID != id && strings.HasPrefix(other.ID, id[:at]) && !strings.HasPrefix(other.ID, id[:at]+"-") {
						named := c.ID
						*c = other
						c.ID = named
					}
				}
			})},
		{Name: "third-checkpoint-of-a-step-has-an-old-id", Requirement: "helix.checkpoints.unique",
			Summary: "From the third time on that a session completes a step, its checkpoint takes the id of the second.",
			Apply: on.OnIDs(func(inner runtime.IDs, i *on.IDs) {
				type key struct {
					session string
					step    int
				}
				made := map[key][]string{} // the session is locked
				i.OnCheckpoint = func(session string, stepCount int, at time.Time) string {
					k := key{session, stepCount}
					if ids := made[k]; len(ids) > 1 {
						return ids[1]
					}
					id := inner.Checkpoint(session, stepCount, at)
					made[k] = append(made[k], id)
					return id
				}
			})},
	}
}

// deepRuns err in a later run of a session.
func deepRuns() []Mutant {
	return []Mutant{
		{Name: "second-branch-is-a-rollback", Requirement: "helix.resync.written",
			Summary: "A session that is a branch already goes back by a rollback when it is branched.",
			Apply: on.Written().Course(func(*on.Producer) func(runtime.Chunk) {
				branches := 0
				return func(c runtime.Chunk) {
					if c.Type() == "stream_resync" && c["reason"] == "branch" {
						if branches++; branches > 1 {
							c["reason"] = "rollback"
						}
					}
				}
			})},
		{Name: "last-child-speaks-for-the-root", Requirement: "helix.output.final-output",
			Summary: "Where the root agent has no output, the stream ends with that of the last of several children.",
			Apply: func(o reference.Options) reference.Options {
				type family struct {
					children int
					result   any
				}
				return on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
					var families alter.Ledger[family]
					j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
						for _, c := range chunks {
							if c.Type() == "subagent_end" {
								families.With(w.Stream, func(f *family) { f.children, f.result = f.children+1, c["result"] })
							}
						}
						return inner.Append(ctx, w, chunks)
					}
					j.OnEnd = func(ctx context.Context, w runtime.Writer, output json.RawMessage) error {
						if f := families.Get(w.Stream); output == nil && f.children > 1 {
							output = rawMember(runtime.Chunk{"result": f.result}, "result")
						}
						return inner.End(ctx, w, output)
					}
				})(o)
			}},
	}
}
