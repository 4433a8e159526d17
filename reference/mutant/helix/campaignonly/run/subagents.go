package run

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// rareSubagents lists the mutants that some sub-agents show.
func rareSubagents() []edit.Mutant {
	return []edit.Mutant{
		// These err where several sub-agents work, side by side or inside each other.
		{Name: "thoughts-of-a-twin", Requirement: "helix.thinking.content",
			Summary: "Reasoning is kept by the kind of its agent: of two children of a kind that work side by side, the first thinks for both.",
			Apply: on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				open := map[string][]string{} // ids by kind, in the order of their starts
				return func(c runtime.Chunk) []runtime.Chunk {
					kind, id := on.Text(c, "subAgentType"), on.Text(c, "subSessionId")
					switch c.Type() {
					case "subagent_start":
						open[kind] = append(open[kind], id)
					case "subagent_end":
						open[kind] = slices.DeleteFunc(open[kind], func(other string) bool { return other == id })
					case "thinking":
						if twins := open[on.Text(c, "agentType")]; slices.Contains(twins, c.AgentID()) {
							c["agentId"] = twins[0]
						}
					}
					return edit.Only(c)
				}
			})},

		// Mutants that err with the stored data of sub-agents.
		{Name: "child-begins-lists-anew", Requirement: "helix.state.sum", Also: []string{"helix.state.per-agent"},
			Summary: "From its third step on, a sub-agent begins with an empty state, so that an append begins the list anew.",
			Apply: on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
				steps := map[string]int{} // that changed a state
				return func(c runtime.Chunk) []runtime.Chunk {
					all, _ := c["patches"].([]runtime.Operation)
					if !p.Child(c) || len(all) == 0 {
						return edit.Only(c)
					}
					if steps[c.AgentID()]++; steps[c.AgentID()] < 3 {
						return edit.Only(c)
					}
					all = slices.Clone(all)
					if i := slices.IndexFunc(all, func(o runtime.Operation) bool { return strings.HasSuffix(o.Path, "/-") }); i >= 0 {
						all[i].Path, all[i].Value = strings.TrimSuffix(all[i].Path, "/-"), slices.Concat(json.RawMessage("["), all[i].Value, json.RawMessage("]"))
					}
					c["patches"] = all
					return edit.Only(c)
				}
			})},

		// Mutants that report some of an agent's text, reasoning or errors wrongly.
		{Name: "second-retry-loses-a-word", Requirement: "helix.text.concatenation",
			Summary: "The first delta behind the second retry of a session is taken for one of the run before.",
			Apply: on.Written(func(*on.Producer) func(runtime.Chunk) bool {
				retries, lost := 0, false
				return func(c runtime.Chunk) bool {
					if c.Type() == "run_resumed" && c["mode"] == "retry" {
						retries++
					}
					hit := c.Type() == "text_delta" && retries > 1 && !lost
					lost = lost || hit
					return hit
				}
			}).Drop()},
		{Name: "long-words-are-cut-in-bytes", Requirement: "helix.text.whole-characters", Also: []string{"helix.text.concatenation"},
			Summary: "A word of more than 1,024 bytes is cut after as many, inside of a character too.",
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				inner := p.Pieces
				p.Pieces = func(text string) (pieces []string) {
					for _, piece := range inner(text) {
						for len(piece) > 1024 {
							pieces, piece = append(pieces, piece[:1024]), piece[1024:]
						}
						pieces = append(pieces, piece)
					}
					return pieces
				}
			})},

		// These err with an error, or after one.
		{Name: "abort-in-a-branch-is-swallowed", Requirement: "helix.errors.cancelled",
			Summary: "A branch whose model aborts is taken for one that another branch has cancelled: nothing is said of it.",
			Apply:   edit.OnBranches(func(t runtime.Turn) runtime.Turn { return quietTurn{t} })},
		{Name: "error-after-a-retry-in-the-step-before", Requirement: "helix.errors.step",
			Summary: "After a retry, an error is reported with the number of completed steps.",
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				retried := false
				return func(c runtime.Chunk) {
					retried = retried || c.Type() == "run_resumed" && c["mode"] == "retry"
					if step, ok := c.Step(); ok && retried && c.Type() == "error" && c["recoverable"] == true {
						c["step"] = step - 1
					}
				}
			})},
		{Name: "child-outlives-its-executor", Requirement: "helix.subagents.reported", Also: []string{"helix.runs.superseded-silent"},
			Summary: "The clock of a sub-agent goes on when its executor is replaced: its time runs out beside that of the one that takes its place.",
			Apply: on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
				open, replaced := map[string]bool{}, ""
				return func(c runtime.Chunk) []runtime.Chunk {
					switch c.Type() {
					case "subagent_start":
						open[on.Text(c, "subSessionId")] = true
					case "subagent_end":
						delete(open, on.Text(c, "subSessionId"))
					case "stream_resync":
						for id := range open {
							replaced = id
						}
						clear(open)
					case "error":
						if delayed := replaced; delayed != "" && p.Child(c) && c["code"] == "tool_timeout" {
							replaced = ""
							return []runtime.Chunk{on.Like(c, "error", runtime.Chunk{"agentId": delayed, "error": c["error"], "code": c["code"], "recoverable": false}), c}
						}
					}
					return edit.Only(c)
				}
			})},
		{Name: "child-is-silent-after-an-error", Requirement: "helix.text.concatenation",
			Summary: "What a sub-agent says after an error that it got over is lost, up to its end.",
			Apply: on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
				erred := map[string]bool{}
				return func(c runtime.Chunk) []runtime.Chunk {
					if c.AgentID() == p.Session {
						return edit.Only(c)
					}
					erred[c.AgentID()] = erred[c.AgentID()] || c.Type() == "error"
					if c.Type() == "text_delta" && erred[c.AgentID()] {
						return nil
					}
					return edit.Only(c)
				}
			})},

		// These err in how a sub-agent ends.
		{Name: "helper-that-stops-for-no-known-reason-is-cancelled", Requirement: "helix.errors.stop-reason",
			Summary: "A sub-agent whose model stops for a reason that nobody knows fails as one that was cancelled.",
			Apply: on.Written(on.Type("error").And(on.ByChild()).And(on.If(func(c runtime.Chunk) bool {
				return strings.Contains(on.Text(c, "error"), "unknown reason")
			}))).Set("code", "framework_cancelled")},
		{Name: "large-output-of-a-helper-is-lost", Requirement: "helix.subagents.result",
			Summary: "An output of a sub-agent of more than 4 KiB is kept outside of the stream, and its result is null.",
			Apply: on.Written(on.Type("subagent_end").And(on.If(func(c runtime.Chunk) bool {
				return len(edit.RawMember(c, "result")) > 4<<10
			}))).Set("result", json.RawMessage("null"))},

		// These err when calls that steer a run come upon one another, or when it goes on for long.
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

		// These err inside of sub-agents alone.
		{Name: "child-stops-at-its-limit", Requirement: "helix.errors.stop-reason", Also: []string{"helix.errors.goes-on", "helix.text.per-agent"},
			Summary: "A sub-agent whose model reached its limit has failed, and the root agent hasn't.",
			Apply: onSubAgents(func(e runtime.Event) (runtime.Event, error) {
				if stop, ok := e.(runtime.Stop); ok && stop.Reason == "max_tokens" {
					return nil, &runtime.Error{Message: "the model stopped at its limit of tokens", Code: "provider_error"}
				}
				return e, nil
			})},

		// These err where there is nothing of something, or something within its like.
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

		// Mutants that have no capacity for long names, or know too few words.
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

		// These err where a stream is read on another replica than the one on which it is written.
		{Name: "large-chunks-are-not-told-elsewhere", Requirement: "helix.replicas.live",
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
			})},

		// These err with the time that sub-agents are given, while one of them waits or when one of them is done.
		{Name: "timer-of-a-child-that-is-done", Requirement: "helix.subagents.result", Also: []string{"helix.output.unchanged", "helix.text.per-agent"},
			Summary: "The timer of a sub-agent isn't stopped when that is done, and ends the one that is at work by then.",
			Apply:   on.OnRuntime(func(p *runtime.Ports) { p.Clock = &unstoppable{Clock: p.Clock} })},
		{Name: "consent-for-want-of-time", Requirement: "helix.approval.suspended", Also: []string{"helix.approval.waits"},
			Summary: "A call for which nobody has given or refused consent in time runs.",
			Apply:   runsInTheEnd},
	}
}

// quietTurn ends without an error when a context other than the caller's is cancelled.
type quietTurn struct{ runtime.Turn }

func (t quietTurn) Next(ctx context.Context) (runtime.Event, error) {
	event, err := t.Turn.Next(ctx)
	if errors.Is(err, context.Canceled) && ctx.Err() == nil {
		return nil, io.EOF
	}
	return event, err
}

// within is the model of a sub-agent, which does some things differently.
type within struct {
	runtime.Model
	change func(runtime.Event) (runtime.Event, error)
}

// Step implements runtime.Model.
func (m within) Step(ctx context.Context, n int, w runtime.Waiter) (runtime.Turn, error) {
	turn, err := m.Model.Step(ctx, n, w)
	if err != nil {
		return nil, err
	}
	return &edit.Turn{Turn: turn, Change: m.change}, nil
}

// onSubAgents changes the events of the models of sub-agents, at every depth.
func onSubAgents(change func(runtime.Event) (runtime.Event, error)) on.Apply {
	var inside func(runtime.Event) (runtime.Event, error)
	delegating := func(e runtime.Event, then func(runtime.Event) (runtime.Event, error)) (runtime.Event, error) {
		if d, ok := e.(runtime.Delegation); ok {
			d.Model = within{d.Model, inside}
			e = d
		}
		return then(e)
	}
	inside = func(e runtime.Event) (runtime.Event, error) { return delegating(e, change) }
	return edit.OnModelEvents(func(e runtime.Event) (runtime.Event, error) {
		return delegating(e, func(e runtime.Event) (runtime.Event, error) { return e, nil })
	})
}

func firstBranch(e runtime.Event) (runtime.Event, error) {
	if p, ok := e.(runtime.Parallel); ok && len(p.Branches) > 1 {
		return runtime.Parallel{Branches: p.Branches[:1]}, nil
	}
	return e, nil
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
