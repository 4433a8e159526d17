package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
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

// rareCalls lists the mutants that some calls, their arguments, answers and results show.
func rareCalls() []edit.Mutant {
	return []edit.Mutant{
		// These err with one of several calls, or with one that is made again.
		{Name: "answers-out-of-order-are-swapped", Requirement: "helix.tools.result",
			Summary: "Where two calls wait for the client and the second is answered first, each ends with the answer to the other.",
			Apply:   on.OnWritten(swappedAnswers)},
		{Name: "approved-before-the-retry", Requirement: "helix.approval.requested", Also: []string{"helix.approval.waits"},
			Summary: "A call that was approved and has run isn't asked about when its step is run again.",
			Apply: edit.OnTools(func(inner runtime.Tools, t *edit.Tools) {
				var requested, ran sync.Map
				t.OnGate = func(ctx context.Context, c runtime.Call) (runtime.Way, error) {
					way, err := inner.Gate(ctx, c)
					if way.Consent {
						requested.Store(c.ID, true)
						_, again := ran.Load(c.Origin)
						way.Consent = !again
					}
					return way, err
				}
				t.OnExecute = func(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error) {
					if _, consented := requested.Load(c.ID); consented {
						ran.Store(c.Origin, true)
					}
					return inner.Execute(ctx, c, env)
				}
			})},

		// These tell of some calls wrongly.
		{Name: "digits-in-arguments-of-text", Requirement: "helix.tools.arguments-parsed",
			Summary: "Where a model gives its arguments as a text, texts of digits in it are read as numbers.",
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				inner := p.Arguments
				p.Arguments = func(raw json.RawMessage) json.RawMessage {
					arguments := inner(raw)
					if len(raw) > 0 && raw[0] == '"' {
						arguments = edit.EveryValue(arguments, edit.OnText(func(s string) any {
							if n, err := strconv.ParseInt(s, 10, 32); err == nil {
								return n
							}
							return s
						}))
					}
					return arguments
				}
			})},
		{Name: "second-failed-call-is-completed", Requirement: "helix.snapshot.partial-parts", Also: []string{"helix.snapshot.exact"},
			Summary: "In a snapshot of an open step, the second call that failed is shown as completed.",
			Apply: edit.OnPartial(func(m *helix.Message) {
				failed := 0
				for i := range m.Parts {
					if m.Parts[i].State == "error" {
						if failed++; failed > 1 {
							m.Parts[i].State = "completed"
						}
					}
				}
			})},

		// These err with calls that wait for a decision, or that a sub-agent makes.
		{Name: "third-request-in-parallel-is-lost", Requirement: "helix.approval.requested",
			Summary: "Where three calls wait for a decision at once, the third isn't asked about.",
			Apply: on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				open := map[string]bool{}
				return func(c runtime.Chunk) []runtime.Chunk {
					id := on.Text(c, "toolCallId")
					switch c.Type() {
					case "tool_approval_request":
						if open[id] = true; len(open) > 2 {
							return nil
						}
					case "tool_end":
						delete(open, id)
					}
					return edit.Only(c)
				}
			})},
		{Name: "denied-child-in-other-words", Requirement: "helix.approval.denied",
			Summary: "A sub-agent says of a call that was denied that it was aborted.",
			Apply: on.Written().By(func(by *on.Producer, c runtime.Chunk) {
				if failedCall(c) && by.Child(c) && strings.Contains(on.Text(c, "error"), "not approved") {
					c["error"] = "Tool call was aborted"
				}
			})},

		// These err with some words, or with many, that a client or a tool returns.
		{Name: "large-results-are-null", Requirement: "helix.tools.result",
			Summary: "A result of more than 8 KiB is reported as null.",
			Apply: on.Written(on.Type("tool_end"), on.Is("success", true), on.If(func(c runtime.Chunk) bool { return len(edit.RawMember(c, "result")) > 8<<10 })).
				Set("result", nil)},

		// These read the arguments that a model gives as a text.
		{Name: "arguments-in-a-fence", Requirement: "helix.tools.arguments-coerced",
			Summary: "The fence around an object is taken off, as models put one there.",
			Apply: onArgumentText(func(text string) json.RawMessage {
				bare := strings.TrimSuffix(strings.TrimPrefix(text, "```json"), "```")
				if bare == text {
					return nil
				}
				return runtime.Coerce(alter.Encode(bare))
			})},

		// These hand on something else than the tool returned.
		{Name: "large-result-is-cut", Requirement: "helix.tools.result",
			Summary: "A result that is a text of more than 32 KiB is cut, to save the model's window.",
			Apply: onResults(func(result json.RawMessage) json.RawMessage {
				var text string
				if json.Unmarshal(result, &text) == nil && len(text) > 32<<10 {
					return alter.Encode(strings.ToValidUTF8(text[:32<<10], "") + " [cut]")
				}
				return result
			}, nil)},

		// These get sub-agents wrong whose time is limited, and isn't over.
		{Name: "limited-child-returns-nothing", Requirement: "helix.subagents.result",
			Summary: "A sub-agent whose time is limited is waited for by its timer, which knows that it is done and not what it returned.",
			Apply: edit.OnModelEvents(func(event runtime.Event) (runtime.Event, error) {
				if d, ok := event.(runtime.Delegation); ok && d.Timeout > 0 {
					d.Model = &edit.Model{Model: d.Model, Change: func(e runtime.Event) (runtime.Event, error) {
						if _, output := e.(runtime.Output); output {
							return nil, nil
						}
						return e, nil
					}}
					return d, nil
				}
				return event, nil
			})},

		// These make something else of an output.
		{Name: "large-output-is-cut", Requirement: "helix.output.unchanged", Also: []string{"helix.output.final-output"},
			Summary: "An output that is a text of more than 32 KiB is cut.",
			Apply: on.Written(on.Type("output")).With(func(c runtime.Chunk) {
				var text string
				if json.Unmarshal(edit.RawMember(c, "output"), &text) == nil && len(text) > 32<<10 {
					c["output"] = alter.Encode(strings.ToValidUTF8(text[:32<<10], ""))
				}
			})},
		oneSchema(),

		// These err with calls that need consent where something else comes along: the client, or sub-agents around.
		{Name: "broken-gate-deep-down", Requirement: "helix.approval.fails-closed", Also: []string{"helix.approval.requested", "helix.approval.waits", "helix.approval.suspended"},
			Summary: "Where the gate of a call fails that a sub-agent of a sub-agent makes, the call runs.",
			Apply:   opensInSubAgents},
		{Name: "denial-of-one-is-of-all", Requirement: "helix.approval.waits", Also: []string{"helix.approval.granted"},
			Summary: "Who denies a call denies all calls of the same tool that wait beside it.",
			Apply:   on.OnWritten(deniesAll)},

		// Mutants that let two clients make a call that only one may make.
		{Name: "pause-crosses-the-end", Requirement: "helix.status.final", Also: []string{"helix.status.transitions"},
			Summary: "Whether a stream is over is looked up before a pause is written, and an end in between is written over.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var wrong alter.PerKey[bool]
				s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
					before, err := inner.Info(ctx, stream)
					if err != nil || status != store.Paused || before.Status != store.Active {
						return inner.SetStatus(ctx, stream, status)
					}
					time.Sleep(storeTakes)
					if now, err := inner.Info(ctx, stream); err == nil && now.Status == store.Ended {
						wrong.Set(stream, true)
						return nil
					}
					return inner.SetStatus(ctx, stream, status)
				}
				s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
					i, err := inner.Info(ctx, stream)
					if err == nil && i.Status == store.Ended && wrong.Get(stream) {
						i.Status = store.Paused
					}
					return i, err
				}
			})},
	}
}

// swappedAnswers ends the first call that waits with the answer to a later one, and the later one with that to the first.
func swappedAnswers(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
	var waiting []string // ids, in the order in which readers learned of them
	names, instead := map[string]any{}, map[string]string{}
	return func(c runtime.Chunk) []runtime.Chunk {
		switch c.Type() {
		case "tool_start":
			names[on.Text(c, "toolCallId")] = c["toolName"]
		case "run_paused":
			id := on.Text(c, "pendingToolCallId")
			if c["reason"] == "client_tool" && !slices.Contains(waiting, id) {
				waiting = append(waiting, id)
			}
		case "tool_end":
			id := on.Text(c, "toolCallId")
			at := slices.Index(waiting, id)
			other, swapped := instead[id]
			switch {
			case swapped:
			case at > 0:
				other, swapped = waiting[0], true
				instead[other] = id
			}
			if at >= 0 {
				waiting = slices.Delete(waiting, at, at+1)
			}
			if swapped {
				c["toolCallId"], c["toolName"] = other, names[other]
			}
		}
		return edit.Only(c)
	}
}

// failedCall reports whether a chunk is the end of a call that failed.
func failedCall(c runtime.Chunk) bool { return c.Type() == "tool_end" && c["success"] == false }

// onArgumentText changes the conversion of arguments that are a text.
func onArgumentText(change func(text string) json.RawMessage) on.Apply {
	return edit.OnArguments(func(raw json.RawMessage) json.RawMessage {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return nil
		}
		return change(text)
	})
}

// onResults changes the results and the errors of tools.
func onResults(result func(json.RawMessage) json.RawMessage, failure func(string) string) on.Apply {
	return edit.OnTools(func(inner runtime.Tools, t *edit.Tools) {
		t.OnExecute = func(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error) {
			returned, err := inner.Execute(ctx, c, env)
			switch {
			case err != nil && ctx.Err() == nil && failure != nil && err.Error() != "":
				err = errors.New(failure(err.Error()))
			case err == nil && result != nil && returned != nil:
				returned = result(returned)
			}
			return returned, err
		}
	})
}

// oneSchema compares outputs of sub-agents with the schema of their root.
func oneSchema() edit.Mutant {
	var types alter.PerKey[string] // by stream
	return edit.Mutant{Name: "schema-of-the-root-for-all", Requirement: "helix.output.unchanged", Also: []string{"helix.subagents.result"},
		Summary: "An output of a sub-agent is compared with the schema of the root agent, and null is sent where it is of another type.",
		Wrap: edit.OnRunCalls(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			var started struct {
				Stream       string
				OutputSchema struct{ Type string }
			}
			if err == nil && json.Unmarshal(body, &started) == nil && started.Stream != "" {
				types.Set(started.Stream, started.OutputSchema.Type)
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			next.ServeHTTP(w, r)
		}),
		Apply: on.Written(on.Type("output")).By(func(by *on.Producer, c runtime.Chunk) {
			if of := types.Get(by.Stream); of != "" && by.Child(c) && jsonType(edit.RawMember(c, "output")) != of {
				c["output"] = nil
			}
		})}
}

// jsonType is the JSON type of a value, as schemas call it.
func jsonType(value json.RawMessage) string {
	switch value[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// deniesAll ends with a denied call all others of its tool that wait for approval.
func deniesAll(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
	var requested []runtime.Chunk
	ended := map[string]bool{}
	return func(c runtime.Chunk) []runtime.Chunk {
		id := on.Text(c, "toolCallId")
		switch {
		case c.Type() == "tool_approval_request":
			requested = append(requested, c)
			return edit.Only(c)
		case c.Type() != "tool_end":
			return edit.Only(c)
		case ended[id]:
			return nil
		}
		out := edit.Only(c)
		ended[id] = true
		if !failedCall(c) || !strings.Contains(on.Text(c, "error"), "not approved") {
			return out
		}
		for _, other := range requested {
			if theirs := on.Text(other, "toolCallId"); !ended[theirs] && other["toolName"] == c["toolName"] {
				end := maps.Clone(c)
				end["toolCallId"], ended[theirs] = theirs, true
				out = append(out, end)
			}
		}
		return out
	}
}

// markedCall marks a call that a sub-agent of a sub-agent makes.
type markedCall struct{ origin any }

// unmarked is a call as it was before, and whether it was marked.
func unmarked(c runtime.Call) (runtime.Call, bool) {
	d, marked := c.Origin.(markedCall)
	if marked {
		c.Origin = d.origin
	}
	return c, marked
}

// opensInSubAgents lets calls in a sub-agent of a sub-agent run whose gate fails.
func opensInSubAgents(o reference.Options) reference.Options {
	var mark func(e runtime.Event) (runtime.Event, error)
	mark = func(e runtime.Event) (runtime.Event, error) {
		switch e := e.(type) {
		case runtime.Call:
			e.Origin = markedCall{e.Origin}
			return e, nil
		case runtime.Delegation:
			e.Model = within{e.Model, mark}
			return e, nil
		}
		return e, nil
	}
	return alter.All(edit.OnTools(func(inner runtime.Tools, t *edit.Tools) {
		t.OnGate = func(ctx context.Context, c runtime.Call) (runtime.Way, error) {
			c, marked := unmarked(c)
			way, err := inner.Gate(ctx, c)
			if err != nil && marked {
				return runtime.Way{}, nil
			}
			return way, err
		}
		t.OnExecute = func(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error) {
			c, _ = unmarked(c)
			return inner.Execute(ctx, c, env)
		}
	}), edit.OnModelEvents(func(e runtime.Event) (runtime.Event, error) {
		if d, ok := e.(runtime.Delegation); ok {
			d.Model = within{d.Model, func(e runtime.Event) (runtime.Event, error) {
				if inner, ok := e.(runtime.Delegation); ok {
					inner.Model = within{inner.Model, mark}
					return inner, nil
				}
				return e, nil
			}}
			return d, nil
		}
		return e, nil
	}))(o)
}

// storeTakes is the latency of a store on another machine.
const storeTakes = 5 * time.Millisecond
