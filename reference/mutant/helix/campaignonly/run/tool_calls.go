package run

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// calls err with one of several calls, or with one that is made again.
func calls() []edit.Mutant {
	return []edit.Mutant{
		{Name: "three-at-once-share-a-result", Requirement: "helix.tools.result",
			Summary: "Where three calls run at once, the second to end carries what the first returned.",
			Apply:   on.OnWritten(sharedResult)},
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
	}
}

// reports tell of some calls wrongly.
func reports() []edit.Mutant {
	return []edit.Mutant{
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
	}
}

// sharedResult gives the second call to end of three that were open at once the result of the first.
func sharedResult(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
	open, ended, three := 0, 0, false
	var first any
	return func(c runtime.Chunk) []runtime.Chunk {
		switch {
		case c.Type() == "tool_start":
			open++
			three = three || open > 2
		case c.Type() == "tool_end":
			open--
			if c["success"] == true && three {
				if ended++; ended == 1 {
					first = c["result"]
				} else if ended == 2 {
					c["result"] = first
				}
			}
			if open == 0 {
				ended, three = 0, false
			}
		}
		return edit.Only(c)
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

// decisions err with calls that wait for a decision, or that a sub-agent makes.
func decisions() []edit.Mutant {
	return []edit.Mutant{
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
		{Name: "client-fails-and-nobody-hears-it", Requirement: "helix.tools.result", Also: []string{"helix.approval.granted"},
			Summary: "Of a call that was approved and that the client runs, the error is dropped.",
			Apply: on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				pauses := map[string]int{} // since a call asked for consent: with the second one it waits for the client
				return func(c runtime.Chunk) []runtime.Chunk {
					id := on.Text(c, "toolCallId")
					switch c.Type() {
					case "tool_approval_request":
						pauses[id] = 0
					case "run_paused":
						for call := range pauses {
							pauses[call]++
						}
					case "tool_end":
						if pauses[id] > 1 && c["success"] == false {
							delete(c, "error")
							c["success"], c["result"] = true, nil
						}
						delete(pauses, id)
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
	}
}

// failedCall reports whether a chunk is the end of a call that failed.
func failedCall(c runtime.Chunk) bool { return c.Type() == "tool_end" && c["success"] == false }
