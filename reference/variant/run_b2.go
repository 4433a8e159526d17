package variant

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/reference/runtime"
)

// coursed are other ways in which a run can take its course.
func coursed() []Variant {
	return slices.Concat(numberedOtherwise(), announcedOtherwise(), stoppedOtherwise(), wentOnOtherwise(),
		returnedOtherwise())
}

// course is a journal that does some things differently; each function may be nil.
type course struct {
	runtime.Journal
	append    func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error)
	cleanup   func(ctx context.Context, w runtime.Writer, stepCount int) error
	setStatus func(ctx context.Context, w runtime.Writer, status runtime.Status) error
}

func (j *course) Append(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
	if j.append == nil {
		return j.Journal.Append(ctx, w, chunks)
	}
	return j.append(ctx, w, chunks)
}

func (j *course) Cleanup(ctx context.Context, w runtime.Writer, stepCount int) error {
	if j.cleanup == nil {
		return j.Journal.Cleanup(ctx, w, stepCount)
	}
	return j.cleanup(ctx, w, stepCount)
}

func (j *course) SetStatus(ctx context.Context, w runtime.Writer, status runtime.Status) error {
	if j.setStatus == nil {
		return j.Journal.SetStatus(ctx, w, status)
	}
	return j.setStatus(ctx, w, status)
}

// onCourse brings a journal that does some things differently. The function is called once for each server.
func onCourse(replace func(inner runtime.Journal, j *course)) apply {
	return onPorts(func(p *runtime.Ports) {
		j := &course{Journal: p.Journal}
		replace(p.Journal, j)
		p.Journal = j
	})
}

// names makes ids that look otherwise.
type names struct {
	runtime.IDs
	name       func(kind string) string
	checkpoint func(session string, stepCount int, at time.Time) string
}

func (n *names) New(kind string) string {
	if n.name == nil {
		return n.IDs.New(kind)
	}
	return n.name(kind)
}

func (n *names) Checkpoint(session string, stepCount int, at time.Time) string {
	return n.checkpoint(session, stepCount, at)
}

// numberedOtherwise count and name things in their own way.
func numberedOtherwise() []Variant {
	return []Variant{{
		Name: "first-step-is-two", Freedom: "the first step of a run",
		Summary: "Step 1 is what the server does before an agent begins, so that the agent's first is 2.",
		Apply:   onPorts(countsOneMore),
	}, {
		Name: "names-for-people", Freedom: "ids of checkpoints, steps, runs, calls and sessions",
		Summary: "Ids are words with spaces, slashes and letters of any language, those of every second checkpoint numbers.",
		Apply: onPorts(func(p *runtime.Ports) {
			var n atomic.Int64
			ids := p.IDs
			p.IDs = &names{
				name: func(kind string) string { return fmt.Sprintf("Täglich/%s nº %d?", kind, n.Add(1)) },
				checkpoint: func(session string, stepCount int, at time.Time) string {
					if stepCount%2 == 0 {
						return fmt.Sprint(n.Add(1))
					}
					return ids.Checkpoint(session, stepCount, at)
				},
			}
		}),
	}, {
		Name: "run-id-on-every-chunk", Freedom: "`runId`",
		Summary: "Every chunk carries the id of the run that wrote it.",
		Apply: onCourse(func(inner runtime.Journal, j *course) {
			j.append = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
				for _, c := range chunks {
					c["runId"] = w.Run
				}
				return inner.Append(ctx, w, chunks)
			}
		}),
	}, {
		Name: "bookkeeping-without-step", Freedom: "helix.runs.step",
		Summary: "What is said of runs, steps and checkpoints is not produced inside a step, and carries none.",
		Apply: onWritten(func(c runtime.Chunk) {
			switch c.Type() {
			case "checkpoint_created", "step_committed", "step_discarded", "run_interrupted", "run_paused", "run_resumed":
				delete(c, "step")
			}
		}),
	}}
}

// countsOneMore numbers the steps of agents from 2.
func countsOneMore(p *runtime.Ports) {
	ids := p.IDs
	p.IDs = &names{IDs: ids, checkpoint: func(session string, stepCount int, at time.Time) string {
		return ids.Checkpoint(session, oneMore(stepCount), at)
	}}
	inner := p.Journal
	p.Journal = &course{
		Journal: inner,
		append: func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
			for _, c := range chunks {
				for _, member := range []string{"step", "stepCount", "fromStepCount"} {
					if n, ok := c[member].(int); ok {
						c[member] = oneMore(n)
					}
				}
			}
			return inner.Append(ctx, w, chunks)
		},
		cleanup: func(ctx context.Context, w runtime.Writer, stepCount int) error {
			return inner.Cleanup(ctx, w, oneMore(stepCount))
		},
	}
}

// oneMore counts a step that an agent knows nothing of. A run that has done nothing has not done that either.
func oneMore(n int) int {
	if n == 0 {
		return 0
	}
	return n + 1
}

// announcedOtherwise say the same with other words, or in another order.
func announcedOtherwise() []Variant {
	return []Variant{{
		Name: "commit-before-checkpoint", Freedom: "between content",
		Summary: "That a step is committed is said before its checkpoint is announced.",
		Apply: onWriting(func() writing {
			return func(chunks []runtime.Chunk) []runtime.Chunk {
				swap(chunks, "checkpoint_created", "step_committed")
				return chunks
			}
		}),
	}, {
		Name: "more-about-runs", Freedom: "any object",
		Summary: "What is said of runs, steps and checkpoints has members of the server's own.",
		Apply: onWritten(func(c runtime.Chunk) {
			switch kind := c.Type(); {
			case strings.HasPrefix(kind, "run_"), strings.HasPrefix(kind, "step_"), strings.HasPrefix(kind, "checkpoint_"),
				kind == "stream_resync", kind == "executor_superseded":
				c["turn"], c["metadata"] = 3, json.RawMessage(`{"type":"text_delta","delta":"x","checkpointId":null}`)
			}
		}),
	}, {
		Name: "take-over-without-reason", Freedom: "helix.runs.superseded",
		Summary: "An executor that was replaced isn't told by whom or why.",
		Apply: onWritten(func(c runtime.Chunk) {
			if c.Type() == "executor_superseded" {
				delete(c, "reason")
			}
		}),
	}}
}

// stoppedOtherwise tell of a stop in their own way.
func stoppedOtherwise() []Variant {
	return []Variant{{
		Name: "start-is-no-checkpoint", Freedom: "helix.runs.interrupt-checkpoint",
		Summary: "The checkpoint from before the first step is named by the interruption alone.",
		Apply: onWriting(func() writing {
			return func(chunks []runtime.Chunk) []runtime.Chunk {
				return slices.DeleteFunc(chunks, func(c runtime.Chunk) bool {
					return c.Type() == "checkpoint_created" && c["stepCount"] == 0
				})
			}
		}),
	}, {
		Name: "pauses-before-it-says-so", Freedom: "helix.runs.pause-status",
		Summary: "The status of the stream changes before run_paused and after run_resumed.",
		Apply: onCourse(func(inner runtime.Journal, j *course) {
			j.append = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
				if chunks[0].Type() == "run_paused" {
					if err := inner.SetStatus(ctx, w, runtime.StreamPaused); err != nil {
						return nil, err
					}
				}
				sequences, err := inner.Append(ctx, w, chunks)
				if err == nil && chunks[0].Type() == "run_resumed" {
					err = inner.SetStatus(ctx, w, runtime.StreamActive)
				}
				return sequences, err
			}
			j.setStatus = func(ctx context.Context, w runtime.Writer, status runtime.Status) error {
				if status == runtime.StreamActive { // run_resumed follows at once
					return nil
				}
				return inner.SetStatus(ctx, w, status)
			}
		}),
	}}
}

// swap lets the first chunk of one type change places with the first of another.
func swap(chunks []runtime.Chunk, one, other string) {
	at := func(kind string) int {
		return slices.IndexFunc(chunks, func(c runtime.Chunk) bool { return c.Type() == kind })
	}
	if i, j := at(one), at(other); i >= 0 && j >= 0 {
		chunks[i], chunks[j] = chunks[j], chunks[i]
	}
}

// wentOnOtherwise go on after a stop in their own way.
func wentOnOtherwise() []Variant {
	return []Variant{{
		Name: "resumes-from-nothing-named", Freedom: "helix.runs.known-checkpoint",
		Summary: "A run that goes on doesn't say from which checkpoint, unless it went back to one.",
		Apply: onWriting(func() writing {
			back := false
			return func(chunks []runtime.Chunk) []runtime.Chunk {
				for _, c := range chunks {
					back = back || c.Type() == "stream_resync"
					if c.Type() == "run_resumed" && !back {
						c["fromCheckpointId"] = nil
					}
				}
				return chunks
			}
		}),
	}, {
		Name: "one-run-all-along", Freedom: "helix.runs.new-run",
		Summary: "A run keeps its id when it goes on after an interruption.",
		Warns:   []string{"helix.runs.new-run"},
		Apply: onPorts(func(p *runtime.Ports) {
			p.Journal = &rewriting{Journal: p.Journal, begin: oneRun, streams: map[string]writing{}}
		}),
	}, {
		Name: "interruption-cleans-up", Freedom: "helix.runs.interrupted",
		Summary: "What a step said that was interrupted is removed before the interruption is told.",
		Apply: onCourse(func(inner runtime.Journal, j *course) {
			j.append = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
				last := chunks[len(chunks)-1]
				if step, ok := last.Step(); ok && last.Type() == "run_interrupted" {
					if err := inner.Cleanup(ctx, w, step-1); err != nil {
						return nil, err
					}
				}
				return inner.Append(ctx, w, chunks)
			}
		}),
	}}
}

// oneRun gives every chunk the first runId of its stream.
func oneRun() writing {
	var first any
	return func(chunks []runtime.Chunk) []runtime.Chunk {
		for _, c := range chunks {
			if id, there := c["runId"]; there {
				if first == nil {
					first = id
				}
				c["runId"] = first
			}
		}
		return chunks
	}
}

// returnedOtherwise return to a checkpoint in their own way.
func returnedOtherwise() []Variant {
	return []Variant{{
		Name: "recovers-by-itself", Freedom: "helix.resync.written",
		Summary: "A crash is noticed at once, and the run recovers before anybody asks for it.",
		Wrap:    recovers,
	}, {
		Name: "checkpoint-holds-its-commit", Freedom: "helix.checkpoints.sequence",
		Summary: "The place of a checkpoint is behind the word that its step was committed.",
		Apply: onPorts(func(p *runtime.Ports) {
			p.Checkpoints = &behind{p.Checkpoints}
		}),
	}}
}

// behind keeps checkpoints with the place of the chunk that follows their announcement. Where nothing was committed
// there is none.
type behind struct{ runtime.Checkpoints }

func (b *behind) Save(ctx context.Context, stream string, c runtime.Checkpoint) error {
	if c.Sequence > 0 && c.StepCount > 0 {
		c.Sequence++
	}
	return b.Checkpoints.Save(ctx, stream, c)
}

// recovers makes every run that crashes go on.
func recovers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		run, crashes := strings.CutSuffix(r.URL.EscapedPath(), "/crash")
		if !crashes || !isControl(r) {
			next.ServeHTTP(w, r)
			return
		}
		changed := &response{ResponseWriter: w}
		accepted := false
		changed.head = func(status int) int {
			accepted = status == http.StatusNoContent
			return status
		}
		next.ServeHTTP(changed, r)
		if !accepted {
			return
		}
		again := r.Clone(r.Context())
		again.URL.Path, again.URL.RawPath = strings.TrimSuffix(r.URL.Path, "/crash")+"/resume", run+"/resume"
		body := `{"mode":"crash_recovery"}`
		again.Body, again.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		next.ServeHTTP(&unread{http.Header{}}, again)
	})
}

// unread takes an answer that nobody waits for.
type unread struct{ header http.Header }

func (u *unread) Header() http.Header         { return u.header }
func (u *unread) WriteHeader(int)             {}
func (u *unread) Write(p []byte) (int, error) { return len(p), nil }
