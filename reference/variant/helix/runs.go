package helix

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// runsVariants lists the variants of runs.
func runsVariants() []Variant {
	return []Variant{
		// Variants that number and name steps, checkpoints and calls differently.
		{Name: "first-step-is-two", Freedom: "the first step of a run",
			Summary: "Step 1 is what the server does before an agent begins, so that the agent's first is 2.",
			Apply:   on.OnRuntime(countsOneMore)},
		{Name: "names-for-people", Freedom: "ids of checkpoints, steps, runs, calls and sessions",
			Summary: "Ids are words with spaces, slashes and letters of any language, those of every second checkpoint numbers.",
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				var n atomic.Int64
				n.Store(rand.Int64N(1 << 40)) // another life of the server, or another replica, counts elsewhere
				ids := p.IDs
				p.IDs = &on.IDs{
					OnNew: func(kind string) string { return fmt.Sprintf("Täglich/%s nº %d?", kind, n.Add(1)) },
					OnCheckpoint: func(session string, stepCount int, at time.Time) string {
						if stepCount%2 == 0 {
							return fmt.Sprint(n.Add(1))
						}
						return ids.Checkpoint(session, stepCount, at)
					},
				}
			})},
		{Name: "run-id-on-every-chunk", Freedom: "`runId`",
			Summary: "Every chunk carries the id of the run that wrote it.",
			Apply:   on.Written().By(func(by *on.Producer, c runtime.Chunk) { c["runId"] = by.Run })},
		{Name: "bookkeeping-without-step", Freedom: "helix.runs.step",
			Summary: "Chunks about runs, steps and checkpoints are not produced inside a step, and carry none.",
			Apply: on.Written(on.Type("checkpoint_created", "step_committed", "step_discarded", "run_interrupted", "run_paused", "run_resumed")).
				Remove("step")},

		// These say the same with other words, or in another order.
		{Name: "commit-before-checkpoint", Freedom: "between content",
			Summary: "A step_committed comes before the checkpoint of its step is announced.",
			Apply: onWriting(func() writing {
				return func(chunks []runtime.Chunk) []runtime.Chunk {
					swap(chunks, "checkpoint_created", "step_committed")
					return chunks
				}
			})},
		{Name: "more-about-runs", Freedom: "any object",
			Summary: "Chunks about runs, steps and checkpoints have members of the server's own.",
			Apply: on.Written(on.If(isAboutRuns)).With(func(c runtime.Chunk) {
				c["turn"], c["metadata"] = 3, json.RawMessage(`{"type":"text_delta","delta":"x","checkpointId":null}`)
			})},
		{Name: "fractional-timestamps", Freedom: "decision 33", Warns: []string{"helix.runs.timestamps"},
			Summary: "What a model says is stamped by a clock that counts fractions of milliseconds.",
			Apply: on.Written(on.Type("text_delta")).With(func(c runtime.Chunk) {
				if at, isInteger := c["timestamp"].(int64); isInteger {
					c["timestamp"] = float64(at) + 0.25
				}
			})},
		{Name: "take-over-without-reason", Freedom: "helix.runs.superseded",
			Summary: "The chunk for a replaced executor says neither by whom nor why.",
			Apply:   on.Written(on.Type("executor_superseded")).Remove("reason")},

		// Variants that report a stop differently.
		{Name: "start-is-no-checkpoint", Freedom: "helix.runs.interrupt-checkpoint",
			Summary: "The checkpoint from before the first step is named by the interruption alone.",
			Apply:   on.Written(on.Type("checkpoint_created"), on.Is("stepCount", 0)).Drop()},
		{Name: "pauses-before-it-says-so", Freedom: "helix.runs.pause-status",
			Summary: "The status of the stream changes before run_paused and after run_resumed.",
			Apply: on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
				j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
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
				j.OnSetStatus = func(ctx context.Context, w runtime.Writer, status runtime.Status) error {
					if status == runtime.StreamActive { // run_resumed follows at once
						return nil
					}
					return inner.SetStatus(ctx, w, status)
				}
			})},

		// Variants that discard steps differently.
		{Name: "discards-what-was-staged", Freedom: "decision 24",
			Summary: "A step_discarded is sent only when staged changes are discarded, as the guide says.",
			Warns:   []string{"helix.checkpoints.interrupted"},
			Apply:   on.OnRuntime(func(p *runtime.Ports) { p.Discards = func(staged, _ bool) bool { return staged } })},
		{Name: "discards-whatever-failed", Freedom: "decision 24",
			Summary: "Every step that is given up sends a step_discarded, one that only spoke and failed as well.",
			Apply:   on.OnRuntime(func(p *runtime.Ports) { p.Discards = func(bool, bool) bool { return true } })},

		// Variants that continue differently after a stop.
		{Name: "resumes-from-nothing-named", Freedom: "helix.runs.known-checkpoint",
			Summary: "A run that goes on doesn't say from which checkpoint, unless it went back to one.",
			Apply:   on.Written(on.Type("run_resumed").Before(on.Type("stream_resync"))).Set("fromCheckpointId", nil)},
		{Name: "one-run-all-along", Freedom: "helix.runs.new-run",
			Summary: "A run keeps its id when it goes on after an interruption.",
			Warns:   []string{"helix.runs.new-run"},
			Apply:   on.Written(on.Has("runId")).Stick("runId")},
		{Name: "interruption-cleans-up", Freedom: "helix.runs.interrupted",
			Summary: "The chunks of an interrupted step are removed before the interruption is reported.",
			Apply: on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
				j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
					last := chunks[len(chunks)-1]
					if step, ok := last.Step(); ok && last.Type() == "run_interrupted" {
						if err := inner.Cleanup(ctx, w, step-1); err != nil {
							return nil, err
						}
					}
					return inner.Append(ctx, w, chunks)
				}
			})},

		// Variants that return to a checkpoint differently.
		{Name: "recovers-by-itself", Freedom: "helix.resync.written",
			Summary: "A crash is noticed at once, and the run recovers before anybody asks for it.",
			Wrap: alter.BeforeAnswer(crashes, func(next http.Handler, r *http.Request, _ []byte, answer *httptest.ResponseRecorder) {
				if answer.Code == http.StatusNoContent {
					run := strings.TrimSuffix(r.URL.EscapedPath(), "/crash")
					alter.CallAs(next, r, http.MethodPost, run+"/resume", []byte(`{"mode":"crash_recovery"}`))
				}
			})},
		{Name: "branch-is-another-run", Freedom: "the run that a branch is steered by",
			Summary: "A branch is steered by the run that its answer names; the run that it comes from stays where it is.",
			Wrap:    branches},
		{Name: "checkpoint-holds-its-commit", Freedom: "helix.checkpoints.sequence",
			Summary: "The place of a checkpoint is behind the word that its step was committed.",
			Apply:   placed(1)},
		{Name: "checkpoint-before-its-announcement", Freedom: "helix.checkpoints.place",
			Summary: "The place of a checkpoint is right before the chunk that announces it.",
			Apply:   placed(-1)},
	}
}

// runs are other courses that a run can take.
func runs() []Variant {
	return slices.Concat(runsVariants(), runTransitions())
}

// countsOneMore numbers the steps of agents from 2.
func countsOneMore(p *runtime.Ports) {
	ids := p.IDs
	p.IDs = &on.IDs{IDs: ids, OnCheckpoint: func(session string, stepCount int, at time.Time) string {
		return ids.Checkpoint(session, oneMore(stepCount), at)
	}}
	inner := p.Journal
	p.Journal = &on.Journal{
		Journal: inner,
		OnAppend: func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
			for _, c := range chunks {
				for _, member := range []string{"step", "stepCount", "fromStepCount"} {
					if n, ok := c[member].(int); ok {
						c[member] = oneMore(n)
					}
				}
			}
			return inner.Append(ctx, w, chunks)
		},
		OnCleanup: func(ctx context.Context, w runtime.Writer, stepCount int) error {
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

// swap exchanges the first chunk of one type with the first of another.
func swap(chunks []runtime.Chunk, one, other string) {
	at := func(kind string) int {
		return slices.IndexFunc(chunks, func(c runtime.Chunk) bool { return c.Type() == kind })
	}
	if i, j := at(one), at(other); i >= 0 && j >= 0 {
		chunks[i], chunks[j] = chunks[j], chunks[i]
	}
}

// placed stores checkpoints with a sequence that is so many chunks after their announcement.
func placed(by int64) apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		p.Checkpoints = &elsewhere{p.Checkpoints, by}
	})
}

// elsewhere stores checkpoints with another sequence. Without a commit it is unchanged.
type elsewhere struct {
	runtime.Checkpoints
	by int64
}

func (e *elsewhere) Save(ctx context.Context, stream string, c runtime.Checkpoint) error {
	if c.Sequence > 0 && c.StepCount > 0 {
		c.Sequence += e.by
	}
	return e.Checkpoints.Save(ctx, stream, c)
}

// branches answers for runs that were branched from: they are interrupted and can't be steered.
func branches(next http.Handler) http.Handler {
	var left sync.Map // the paths of those runs
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, call, _ := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/control/runs/"), "/")
		if _, gone := left.Load(path); gone && alter.IsControl(r) {
			w.Header().Set("Content-Type", "application/json")
			if r.Method == http.MethodGet {
				_, _ = w.Write([]byte(`{"status":"interrupted"}`)) // a client that has gone needs no answer
				return
			}
			w.WriteHeader(http.StatusConflict)
			_, _ = w.Write([]byte(`{"error":"the run was branched from","code":"state_not_resumable"}`))
			return
		}
		changed := &alter.Response{ResponseWriter: w}
		changed.Head = func(status int) int {
			if call == "branch" && status/100 == 2 && alter.IsControl(r) {
				left.Store(path, true)
			}
			return status
		}
		next.ServeHTTP(changed, r)
	})
}

// crashes matches calls that crash an executor.
func crashes(r *http.Request) bool {
	return alter.IsControl(r) && strings.HasSuffix(r.URL.EscapedPath(), "/crash")
}

// isAboutRuns reports whether a chunk is about a run, a step or a checkpoint.
func isAboutRuns(c runtime.Chunk) bool {
	subject, _, _ := strings.Cut(c.Type(), "_")
	return slices.Contains([]string{"run", "step", "checkpoint", "stream", "executor"}, subject)
}
