package run

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// sessions lists the mutants that a second session, a crash, a rollback or a later reader shows.
func sessions() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that return to the beginning of a session and leave something behind.
		{Name: "start-keeps-state", Requirement: "helix.state.after-resync", Also: []string{"helix.state.sum", "helix.state.applicable"},
			Summary: "The checkpoint before the first step has no state, and who goes back there keeps the one that there is.",
			Apply: onCheckpoints(func(s *checkpointHistory, stream, _ string, c *runtime.Checkpoint) {
				if all := s.checkpointed.Get(stream); c.StepCount == 0 && len(all) > 1 {
					c.State = all[len(all)-1].State
				}
			})},
		{Name: "start-goes-on-where-it-was", Requirement: "helix.text.concatenation",
			Summary: "A session that is rolled back to its start says that everything is void, and goes on with the step that came next.",
			Apply: onCheckpoints(func(s *checkpointHistory, stream, id string, c *runtime.Checkpoint) {
				if all := s.checkpointed.Get(stream); id != "" && c.StepCount == 0 && len(all) > 1 {
					c.Next = all[len(all)-1].Next
				}
			})},

		// Mutants whose timers outlive the executor that has started them.
		{Name: "timer-outlives-its-executor", Requirement: "helix.subagents.paired",
			Summary: "The time that a sub-agent was given runs on when its executor is dropped, and what it says then is written into the next run.",
			Apply:   outlivingTimers},

		// These tell the outcome of a sub-agent as that of the root agent.
		{Name: "last-child-fails-the-run", Requirement: "helix.errors.fail-code",
			Summary: "The code of a fail frame is that of the error which was classified last, and where nobody has classified that of the root it is that of the last of several children.",
			Apply: on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
				type family struct {
					children int
					code     string
				}
				var families alter.PerKey[family]
				j.Note(func(w runtime.Writer, c runtime.Chunk) {
					if code := on.Text(c, "code"); c.Type() == "error" && code != "" && c.AgentID() != w.Session {
						families.With(w.Stream, func(f *family) { f.children, f.code = f.children+1, code })
					}
				})
				j.OnFail = func(ctx context.Context, w runtime.Writer, message, code string) error {
					if f := families.Get(w.Stream); (code == "" || code == "framework_internal_error") && f.children > 1 {
						code = f.code
					}
					return inner.Fail(ctx, w, message, code)
				}
			})},

		// Mutants that return to the wrong checkpoint, for some calls.
		{Name: "crash-after-a-return-restores-what-was-left", Requirement: "helix.state.after-resync", Also: []string{"helix.state.sum"},
			Summary: "A session that went back and crashes is recovered with the state of the checkpoint that it had left.",
			Apply: onCheckpoints(func(s *checkpointHistory, stream, id string, c *runtime.Checkpoint) {
				if all := s.checkpointed.Get(stream); id == "" && s.went.Get(stream) > 0 {
					c.State = all[len(all)-1].State
				}
			})},
		{Name: "checkpoint-found-by-its-beginning", Requirement: "helix.resync.counts",
			Summary: "The row of a checkpoint is looked up by its session and step, and what begins like s1 ends up in the row of s10.",
			Apply: onCheckpoints(func(s *checkpointHistory, stream, id string, c *runtime.Checkpoint) {
				at := strings.LastIndex(id, "-t")
				for _, other := range s.checkpointed.Get(stream) {
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

		// These err where a session is branched.
		{Name: "start-is-bare", Requirement: "helix.state.after-resync", Also: []string{"helix.state.sum", "helix.snapshot.exact"},
			Summary: "The checkpoint of the start that an interruption makes holds an empty state, whatever the stream was given.",
			Apply: onCheckpoints(func(_ *checkpointHistory, _, id string, c *runtime.Checkpoint) {
				if id != "" && c.StepCount == 0 {
					c.State = nil
				}
			})},
		{Name: "branch-remembers-what-came-after", Requirement: "helix.resync.written", Also: []string{"helix.state.after-resync", "helix.text.concatenation"},
			Summary: "Until a branch has a checkpoint of its own, its latest one is that of the session that it came from.",
			Apply: func(o reference.Options) reference.Options {
				var branched alter.PerKey[int] // how many checkpoints there were
				o = on.OnJournal(func(_ runtime.Journal, j *on.Journal) {
					j.Note(func(w runtime.Writer, c runtime.Chunk) {
						if c.Type() == "stream_resync" {
							branched.With(w.Stream, func(n *int) { *n = map[bool]int{true: -1}[c["reason"] == "branch"] })
						}
					})
				})(o)
				return onCheckpoints(func(s *checkpointHistory, stream, id string, c *runtime.Checkpoint) {
					all := s.checkpointed.Get(stream)
					branched.With(stream, func(n *int) {
						if *n < 0 {
							*n = len(all)
						}
						if id == "" && *n > 0 && *n == len(all) {
							*c = all[len(all)-1]
						}
					})
				})(o)
			}},

		// Mutants that take over a run whose server was killed, and lose something that it had committed: after
		// the third step, the second time, or only in its output.
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

		// These err where a run goes back to where it began.
		{Name: "branch-from-the-start-is-empty", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.complete", "helix.state.after-resync"},
			Summary: "A session that branches off where another one began has no checkpoint to take its state from, and a snapshot shows none.",
			Apply:   emptyBranches},

		// Mutants that show a page which is opened later less than one that was open, or continue from another
		// checkpoint than the given one.
		{Name: "resumes-where-it-was", Requirement: "helix.resync.written", Stateful: true,
			Summary: "A run that was resumed before and is to go on from an earlier checkpoint goes on from its latest.",
			Wrap:    resumesWhereItWas()},
	}
}

// checkpointHistory remembers all checkpoints of a stream, also those that were taken back, and finds some differently.
type checkpointHistory struct {
	runtime.Checkpoints
	checkpointed alter.PerKey[[]runtime.Checkpoint]
	went         alter.PerKey[int] // how often a session has gone back
	load         func(s *checkpointHistory, stream, id string, c *runtime.Checkpoint)
}

// onCheckpoints replaces the way in which checkpoints are looked up.
func onCheckpoints(load func(s *checkpointHistory, stream, id string, c *runtime.Checkpoint)) on.Apply {
	return on.OnRuntime(func(p *runtime.Ports) { p.Checkpoints = &checkpointHistory{Checkpoints: p.Checkpoints, load: load} })
}

func (s *checkpointHistory) Save(ctx context.Context, stream string, c runtime.Checkpoint) error {
	s.checkpointed.With(stream, func(all *[]runtime.Checkpoint) { *all = append(*all, c) })
	return s.Checkpoints.Save(ctx, stream, c)
}

func (s *checkpointHistory) Load(ctx context.Context, stream, id string) (runtime.Checkpoint, bool, error) {
	c, found, err := s.Checkpoints.Load(ctx, stream, id)
	if found && err == nil {
		s.load(s, stream, id, &c)
	}
	return c, found, err
}

func (s *checkpointHistory) Discard(ctx context.Context, stream, after string) error {
	alter.Count(&s.went, stream)
	return s.Checkpoints.Discard(ctx, stream, after)
}

// timedChild is a sub-agent whose time is limited.
type timedChild struct {
	start runtime.Chunk
	by    runtime.Writer
	ended bool
}

// timedChildren records the sub-agents with a time limit that were started, and the writer of each stream.
type timedChildren struct {
	runtime.Clock
	journal runtime.Journal

	mu     sync.Mutex
	latest *timedChild            // which began last
	all    map[string]*timedChild // by session
	now    map[string]runtime.Writer
}

// AfterFunc implements runtime.Clock.
func (t *timedChildren) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.latest; c != nil {
		t.latest = nil
		t.Clock.AfterFunc(d, func() { t.expire(c) })
	}
	return t.Clock.AfterFunc(d, f)
}

// expire ends a sub-agent of an executor that was replaced.
func (t *timedChildren) expire(c *timedChild) {
	t.mu.Lock()
	now := t.now[c.by.Stream]
	left := !c.ended && (now.Run != c.by.Run || now.Token != c.by.Token)
	t.mu.Unlock()
	if left {
		end := c.start.Clone()
		end["type"], end["result"], end["error"] = "subagent_end", nil, "the sub-agent took too long"
		_, _ = t.journal.Append(context.Background(), now, []runtime.Chunk{end}) // the stream may be gone
	}
}

func outlivingTimers(o reference.Options) reference.Options {
	t := &timedChildren{all: map[string]*timedChild{}, now: map[string]runtime.Writer{}}
	o = on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
		t.journal = inner
		j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
			t.mu.Lock()
			if t.now[w.Stream].Token <= w.Token {
				t.now[w.Stream] = w
			}
			for _, c := range chunks {
				child := on.Text(c, "subSessionId")
				switch c.Type() {
				case "subagent_start":
					t.latest = &timedChild{start: c.Clone(), by: w}
					t.all[child] = t.latest
				case "subagent_end":
					if known := t.all[child]; known != nil {
						known.ended = true
					}
				}
			}
			t.mu.Unlock()
			return inner.Append(ctx, w, chunks)
		}
	})(o)
	return on.OnRuntime(func(p *runtime.Ports) { t.Clock, p.Clock = p.Clock, t })(o)
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

// emptyBranches leaves the state that a stream was given out of its snapshots once a session branched off at its beginning.
func emptyBranches(o reference.Options) reference.Options {
	var started alter.PerKey[alter.Object]
	var empty alter.PerKey[bool]
	return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnSetInitial = func(ctx context.Context, stream string, state json.RawMessage) error {
			started.Set(stream, alter.Members(state))
			return inner.SetInitial(ctx, stream, state)
		}
	}), on.Written(on.Type("stream_resync")).By(func(by *on.Producer, c runtime.Chunk) {
		empty.Set(by.Stream, on.Text(c, "reason") == "branch" && string(edit.RawMember(c, "stepCount")) == "0")
	}), on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
		shown, err := take(ctx, r.Partial)
		if state := alter.Members(shown.State); err == nil && empty.Get(r.Stream) && state != nil {
			for name := range started.Get(r.Stream) {
				delete(state, name)
			}
			shown.State = alter.Encode(state)
		}
		return shown, err
	}))(o)
}

// resumesWhereItWas removes the checkpoint from a second call to resume a run.
func resumesWhereItWas() alter.Around {
	var resumed alter.PerKey[int]
	return edit.OnRunCalls(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/resume") && alter.Count(&resumed, r.URL.Path) > 1 {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return // whoever sent it has gone
			}
			alter.SetBody(r, bytes.Replace(body, []byte(`"fromCheckpointId"`), []byte(`"checkpoint"`), 1))
		}
		next.ServeHTTP(w, r)
	})
}
