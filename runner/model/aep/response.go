package aep

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrSlow reports that the server ended a stream because it took too long.
var ErrSlow = errors.New("the server ended a stream because it took too long")

// Take receives an event.
func (t *Turn) Take(e Event) error {
	if err := leak(e, t.Script, t.Marker()); err != nil {
		return err
	}
	if id := e.text("requestId"); id != "" && !t.metadata {
		if t.thread.world.ids.requests[id] {
			return violation("aep.events.unique-request", "an id of its own", clipped(id), "a request has the id of another one")
		}
		t.thread.world.ids.requests[id] = true
		t.saw("aep.events.unique-request")
	}
	switch e.Kind {
	case "metadata":
		return t.begins(e)
	case "text", "thinking", "tool_call", "tool_result":
		t.got.collect(e)
	case "continuation":
		return t.asks(e)
	case "done":
		t.got.answered, _ = e.Members["content"].([]any)
		t.got.answers = e.text("messageId")
		return t.ends(e, t.succeeds(e))
	case "error":
		return t.ends(e, t.fails(e))
	case "aborted":
		return t.ends(e, t.aborts())
	}
	return nil
}

// leak finds content of other requests, and results of tools. The agent's echo of its history is compared with the history
// instead.
func leak(e Event, script []ScriptStep, marker string) error {
	if e.Kind != "text" && e.Kind != "done" && strings.Contains(e.Raw, "[") {
		for _, m := range markers.FindAllString(e.Raw, -1) {
			if m != marker {
				return violation("aep.security.isolation", "what belongs to "+marker, clipped(e.Raw), "an event holds what belongs to %s", m)
			}
		}
	}
	if !strings.Contains(e.Raw, "secret") {
		return nil
	}
	for _, act := range script {
		if act.Name == "tool" && act.Tool.Secret != "" && strings.Contains(e.Raw, act.Tool.Secret) {
			return violation("aep.tools.payload-hidden", "a response without what a tool returned", clipped(e.Raw), "an event holds the end of what a tool returned")
		}
	}
	return nil
}

// begins takes metadata, which names the thread.
func (t *Turn) begins(e Event) error {
	if t.metadata {
		return nil // the judge reports the second
	}
	t.metadata, t.takenAt = true, t.thread.world.tick()
	id, w := e.text("threadId"), t.thread.world
	switch {
	case id == "":
		return violation("aep.flow.metadata-members", "a threadId", clipped(e.Raw), "metadata names no thread")
	case !t.named && t.thread.ID != "" && t.thread.ID != id || !t.named && t.thread.ID == "" && w.ids.threads[id]:
		return violation("aep.threads.created", "a new thread", clipped(id), "a request without a thread is on one that was there")
	case t.named && id != t.thread.ID && len(t.Results) > 0:
		return violation("aep.actions.same-thread", clipped(t.thread.ID), clipped(id), "the response to results names another thread")
	case t.named && id != t.thread.ID:
		return violation("aep.threads.echoed", clipped(t.thread.ID), clipped(id), "metadata names another thread")
	}
	w.ids.threads[id], t.thread.ID = true, id
	rule := "aep.threads.created"
	if t.named {
		rule = "aep.threads.echoed"
	}
	if t.named && len(t.Results) > 0 {
		rule = "aep.actions.same-thread"
	}
	w.Occasions.Saw(rule)
	w.Occasions.Saw("aep.flow.metadata-members")
	return nil
}

// asks takes a continuation.
func (t *Turn) asks(e Event) error {
	var want []ActionRequest
	for _, act := range t.performed() {
		if act.Name == "continue" {
			want = append(want, act.Asks)
		}
	}
	n := len(t.requested)
	if n >= len(want) {
		return violation("aep.actions.unchanged", fmt.Sprintf("%d continuations", len(want)), clipped(e.Raw), "the client is asked for an action that the agent didn't request")
	}
	payload, there := e.Members["payload"]
	if e.text("kind") != want[n].Kind || !there || !same(want[n].Payload, payload) {
		w, g := apart(text(decoded(want[n].Payload)), text(payload))
		return violation("aep.actions.unchanged", fmt.Sprintf("kind %s and payload %s", clipped(want[n].Kind), w),
			fmt.Sprintf("kind %s and payload %s", clipped(e.text("kind")), g), "continuation %d is not the action that the agent requested", n+1)
	}
	a := &Action{ID: e.text("actionId"), Thread: t.thread, openedAfter: t.thread.world.restarts, openedBy: t.Replica}
	if slices.ContainsFunc(t.thread.actions, func(other *Action) bool { return other.ID == a.ID }) {
		a.state = statusUnknown // two that have one id, against a SHOULD
		t.thread.set(a.ID, statusUnknown)
	}
	t.thread.actions = append(t.thread.actions, a)
	t.requested = append(t.requested, a)
	t.thread.world.actions = append(t.thread.world.actions, a)
	t.saw("aep.actions.unchanged")
	return nil
}

// ends takes a terminal event, whose violation was determined before.
func (t *Turn) ends(e Event, err error) error {
	t.over, t.done, t.ended = true, e.Kind == "done", t.thread.world.tick()
	t.settle(t.done)
	return err
}

// succeeds checks the event done: the script has reached its end, and all content was received.
func (t *Turn) succeeds(e Event) error {
	switch fails := t.failure(); {
	case t.cancelled:
		return violation("aep.cancel.aborted", "aborted", clipped(e.Raw), "a request that was cancelled ended with done")
	case fails != "" && unfinished(t.performed()) && e.text("finishReason") != "stop":
		return t.complete() // the failure shows in the finish reason
	case fails != "":
		return violation(failed[fails], "the error "+fails, clipped(e.Raw), "a run that failed ended with done")
	case len(t.performed()) < len(t.Script):
		return violation("aep.flow.done", "an open response", clipped(e.Raw), "the response ended while the agent had more to say")
	}
	if err := t.complete(); err != nil {
		return err
	}
	asked := 0
	for _, act := range t.Script {
		if act.Name == "continue" {
			asked++
		}
	}
	if len(t.requested) < asked {
		return violation("aep.actions.unchanged", fmt.Sprintf("%d continuations", asked), count(len(t.requested)), "the client isn't asked for the action that the agent requested")
	}
	if asked > 0 {
		if reason := e.text("finishReason"); reason != "action_required" {
			return violation("aep.actions.action-required", `"action_required"`, clipped(reason), "a response that asks has another reason")
		}
		t.saw("aep.actions.action-required")
		t.saw("aep.actions.pauses")
		return nil
	}
	t.saw("aep.flow.done") // a run that ended in every other way has returned
	if t.cancelTried {
		t.saw("aep.cancel.foreign")
	}
	if t.thread.world.left {
		t.saw("aep.flow.disconnect")
	}
	if t.thread.world.cancelled {
		t.saw("aep.cancel.one")
	}
	return nil
}

// failure returns the code with which the agent fails, once it gets there.
func (t *Turn) failure() string {
	if t.Early {
		return "internal_error"
	}
	return failure(t.performed())
}

// fails judges an error event: the text before it is a prefix of the expected text.
func (t *Turn) fails(e Event) error {
	code, want := e.text("code"), t.failure()
	switch {
	case t.expired:
		return t.timedOut(code)
	case code == "stream_timeout" && !t.Early:
		return ErrSlow
	case t.cancelled:
		return violation("aep.cancel.aborted", "aborted", clipped(e.Raw), "a request that was cancelled ended with an error")
	case want == "":
		return t.thread.world.disturbed(t.cancelTried, "done", e)
	case want != "internal_error" && code != want:
		return violation(failed[want], want, clipped(code), "the failure has another code")
	}
	t.saw(failed[want])
	return t.beginning(t.Script)
}

// timedOut checks the end of a stream that timed out: the text before it is a prefix of the expected text.
func (t *Turn) timedOut(code string) error {
	if code != "stream_timeout" {
		return violation("aep.errors.timeout", "stream_timeout", clipped(code), "a stream that took too long ended otherwise")
	}
	t.saw("aep.errors.timeout")
	t.saw("aep.errors.timeout-early")
	return t.beginning(t.performed())
}

// aborts judges aborted.
func (t *Turn) aborts() error {
	if !t.cancelled && !t.crossed {
		return t.thread.world.disturbed(t.cancelTried, "done", Event{Kind: "aborted", Raw: "aborted"})
	}
	w := t.thread.world
	w.Occasions.Saw("aep.cancel.aborted")
	said, got := literal(t.performed()), t.got.text()
	if t.cancelled && len(got) > len(said) && strings.HasPrefix(got, said) {
		return unequal("aep.cancel.silent", said, got, "the agent is heard after its request was cancelled")
	}
	if err := t.beginning(t.performed()); err != nil {
		return err
	}
	w.Occasions.Saw("aep.cancel.silent")
	return nil
}

// disturbed returns the violation of a run that nothing should have disturbed and that ended otherwise.
func (w *World) disturbed(cancelTried bool, want string, e Event) error {
	rule, why := "aep.flow.done", "a run that succeeds ended otherwise"
	switch {
	case cancelTried:
		rule, why = "aep.cancel.foreign", "another user has cancelled the request"
	case e.Kind == "aborted" && w.cancelled:
		rule, why = "aep.cancel.one", "the request ended that wasn't cancelled"
	case w.left:
		rule, why = "aep.flow.disconnect", "a run ended otherwise after the client of another one had left"
	}
	return violation(rule, want, clipped(e.Raw), "%s", why)
}

// Expected describes the event that must come next, even while the agent waits; "" if there is none.
func (t *Turn) Expected() string {
	steps := t.performed()
	switch {
	case t.over:
		return ""
	case t.cancelled, t.expired, len(steps) == len(t.Script):
		return "the end of the response"
	case !t.metadata:
		return "metadata"
	}
	want, calls := len(literal(steps)), 0
	for _, act := range steps {
		if act.Name == "tool" {
			calls++
		}
	}
	switch {
	case t.got.length < want:
		return "what the agent has said"
	case t.got.calls < calls:
		return "the call that the agent has made"
	case t.got.outcomes < calls:
		return "the outcome of the call"
	}
	return ""
}

// Waiting compares the events so far while the agent waits: they must be complete, and no more may have come.
func (t *Turn) Waiting() error {
	if want, got := literal(t.performed()), t.got.text(); want != got {
		return t.differs(want, got)
	}
	t.saw("aep.wire.live")
	return nil
}

// Missed returns the violation of an event from Expected that hasn't come.
func (t *Turn) Missed(why string) error {
	due := t.Expected()
	switch {
	case due != "the end of the response":
		return violation("aep.wire.live", due, why, "the agent waits, and what it did hasn't come")
	case t.cancelled:
		return violation("aep.cancel.aborted", "aborted", why, "a request was cancelled and doesn't end")
	case t.expired:
		return violation("aep.errors.timeout", "stream_timeout", why, "a stream took too long and doesn't end")
	case t.failure() != "":
		return violation("aep.errors.in-stream", "an error event", why, "a run failed and the response doesn't say so")
	}
	return violation("aep.flow.terminal", "a terminal event", why, "a run is over and the response doesn't end")
}

// Disconnect records that the client has disconnected. The sent part is valid, and the server may end or continue the run.
func (t *Turn) Disconnect() error {
	t.disconnected, t.over = true, true
	t.thread.world.left = true
	if !t.taken { // it is unknown whether it was
		for _, r := range t.Results {
			t.thread.set(r.ActionID, statusUnknown)
		}
		return nil
	}
	t.settle(false)
	return t.beginning(t.performed())
}

// Die records that the server was killed while it answered the request. The sent part is valid; it is unknown whether the
// request was accepted, and how far its run came.
func (t *Turn) Die() error {
	t.dead = true
	return t.Disconnect()
}
