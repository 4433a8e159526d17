package run

import (
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// approval lists the mutants of approval.
func approval() []edit.Mutant {
	without := func(member string) on.Apply {
		return on.Written(on.Type(requestKind)).Remove(member)
	}

	return []edit.Mutant{
		// Mutants that don't send a request for approval, or not to every reader.
		{Name: "asks-after-denial-no-more", Requirement: "helix.approval.requested", Stateful: true,
			Summary: "Once a call was denied, no request is sent for those that follow.",
			Apply:   on.Written(on.Type(requestKind).Since(on.Is("error", deniedText))).Drop()},
		{Name: "request-sent-live-only", Requirement: "helix.approval.survives", Stateful: true,
			Summary: "A request goes to the readers that are attached and is not replayed.",
			Also:    []string{"helix.approval.requested", "helix.approval.fails-closed"},
			Apply:   on.Events(on.Stored(), on.ChunkOf(requestKind)).Drop()},
		{Name: "request-lost-on-resume", Requirement: "helix.approval.survives", Stateful: true,
			Summary: "The run that goes on after a decision writes its requests where no reader looks.",
			Also:    []string{"helix.approval.requested", "helix.approval.fails-closed"},
			Apply:   on.Written(on.Type(requestKind).Since(on.Type("run_resumed"))).Drop()},

		// Mutants that leave members out of requests for approval.
		{Name: "request-without-arguments", Requirement: "helix.approval.request-members",
			Summary: "The request doesn't say what the tool would be called with.", Apply: without("arguments")},
		{Name: "request-without-name", Requirement: "helix.approval.request-members",
			Summary: "The request doesn't say which tool it is about.", Apply: without("toolName")},
		{Name: "request-names-itself", Requirement: "helix.approval.request-members", Stateful: true,
			Summary: "From the second request on, its toolCallId is that of the request.",
			Apply: on.Written(on.Type(requestKind).From(2)).With(func(c runtime.Chunk) {
				c["toolCallId"] = "approval-" + on.Text(c, "toolCallId")
			})},

		// These let calls through.
		{Name: "ends-before-decision", Requirement: "helix.approval.waits",
			Summary: "A call that needs consent is reported as ended as soon as the run has paused for it.",
			Also:    []string{"helix.approval.granted", "helix.approval.denied", "helix.approval.fails-closed"},
			Apply:   on.OnWritten(endsEarly(1))},
		{Name: "second-ends-before-decision", Requirement: "helix.approval.waits", Stateful: true,
			Summary: "Consent to one call counts for the next, which ends while it is asked about.",
			Also:    []string{"helix.approval.granted", "helix.approval.denied", "helix.approval.fails-closed"},
			Apply:   on.OnWritten(endsEarly(2))},
		{Name: "gate-not-asked-after-consent", Requirement: "helix.approval.fails-closed", Stateful: true,
			Summary: "Once a call was approved, those that follow are reported as ended while the gate decides.",
			Also:    []string{"helix.approval.waits", "helix.approval.granted", "helix.approval.denied"},
			Apply: on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
				early, approved := endsEarly(1)(p), false
				return func(c runtime.Chunk) []runtime.Chunk {
					if approved {
						return early(c)
					}
					approved = c.Type() == "run_resumed"
					return edit.Only(c)
				}
			})},

		// Mutants whose status of a waiting run lacks the calls that it waits for.
		{Name: "second-pause-names-first-call", Requirement: "helix.approval.paused", Stateful: true,
			Summary: "The second run_paused names the call that the first one did.",
			Apply:   on.Written(on.Type("run_paused")).Stick("pendingToolCallId")},

		// These do something else than was decided.
		{Name: "denial-sticks", Requirement: "helix.approval.granted", Stateful: true,
			Summary: "Once a call was denied, those that are approved later end as denied.",
			Apply: on.Written(gated().After(on.Is("error", deniedText))).With(func(c runtime.Chunk) {
				delete(c, "result")
				c["success"], c["error"] = false, deniedText
			})},

		// These don't say that a call was denied.
		{Name: "denied-ends-as-done", Requirement: "helix.approval.denied",
			Summary: "A denied call ends as if it had worked and returned nothing.",
			Apply: on.Written(gated(), on.Is("error", deniedText)).With(func(c runtime.Chunk) {
				delete(c, "error")
				c["success"], c["result"] = true, nil
			})},
		{Name: "denied-after-approval-in-other-words", Requirement: "helix.approval.denied", Stateful: true,
			Summary: "Once a call was approved, one that is denied ends with the error cancelled.",
			Apply:   on.Written(gated().From(2), on.Is("error", deniedText)).Set("error", "cancelled")},
	}
}

const (
	requestKind = "tool_approval_request"
	deniedText  = "Tool call was not approved by the user"
)

// endsEarly ends the nth call that needs consent, and those that follow, when the run has paused for it.
func endsEarly(n int) alter.Change[*on.Producer, runtime.Chunk] {
	return func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
		seen, early, ended := 0, map[string]bool{}, map[string]bool{}
		return func(c runtime.Chunk) []runtime.Chunk {
			id := on.Text(c, "toolCallId")
			switch c.Type() {
			case requestKind:
				seen++
				early[id] = seen >= n
			case "run_paused":
				if id = on.Text(c, "pendingToolCallId"); early[id] {
					ended[id] = true
					return edit.Only(c, on.Like(c, "tool_end", runtime.Chunk{
						"toolCallId": id, "toolName": c["pendingToolName"], "success": true, "result": nil}))
				}
			case "tool_end":
				if ended[id] {
					return nil
				}
			}
			return edit.Only(c)
		}
	}
}

// gated matches the ends of calls that needed consent.
func gated() on.Writing {
	return on.Per("toolCallId", on.Type("tool_end").After(on.Type(requestKind)))
}
