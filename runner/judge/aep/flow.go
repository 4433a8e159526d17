package aep

import (
	"github.com/streamcert/streamcert/runner/wire"
)

// flow compares an event with the ones before it.
func (m *machine) flow(f *wire.Frame, v verdict) {
	at := placeOf(f)
	if m.terminal != "" {
		m.after(at, v)
		return
	}
	if v.object == nil {
		m.begun = true
		return
	}
	m.whose(at, v.object)
	if text, ok := v.object["timestamp"].(string); ok {
		m.clock(at, text)
	}
	m.begins(at, v)
	switch v.Type {
	case "metadata":
		m.thread, _ = v.object["threadId"].(string)
	case "text", "thinking", "tool_call", "tool_result":
		m.stage(f, v)
	case "continuation":
		m.continuation(at, v.object)
	case "done", "error", "aborted":
		m.terminal = v.Type
		m.count[flowTerminal]++
		m.count[flowTerminalLast]++
		m.ends(at, v)
	}
}

// after finds what follows the terminal event.
func (m *machine) after(at place, v verdict) {
	if m.extra {
		return
	}
	m.extra = true
	got := "data that is no event"
	if v.Type != "" {
		got = "the event " + show(v.Type)
	}
	m.add(flowTerminalLast, at, "an event follows the terminal event "+m.terminal, "the end of the body", got)
}

// whose checks that all events are of one request.
func (m *machine) whose(at place, object map[string]any) {
	id, _ := object["requestId"].(string)
	if id == "" {
		return
	}
	if m.request == "" {
		m.request = id
		return
	}
	m.count[eventsSameRequest]++
	if id != m.request {
		m.add(eventsSameRequest, at, "the event is of another request than the first of the response", show(m.request), show(id))
	}
}

// begins checks that metadata comes first, and once.
func (m *machine) begins(at place, v verdict) {
	isMetadata := v.Type == "metadata"
	if !m.begun && v.Type != "" {
		m.count[flowMetadataFirst]++
		if !isMetadata {
			m.add(flowMetadataFirst, at, "the first event isn't metadata", "metadata", show(v.Type))
		}
	}
	m.begun = true
	if !isMetadata {
		return
	}
	m.count[flowMetadataOnce]++
	if m.metadata {
		m.add(flowMetadataOnce, at, "metadata comes a second time", "one metadata event", "another")
	}
	m.metadata = true
}

// continuation checks that an action has an id of its own.
func (m *machine) continuation(at place, object map[string]any) {
	m.asked = true
	id, _ := object["actionId"].(string)
	if id == "" {
		return
	}
	m.count[actionsUnique]++
	h := hash(id)
	if m.actions[h] {
		m.add(actionsUnique, at, "two continuations have one actionId", "an actionId of its own", show(id)+" again")
	}
	if m.actions == nil {
		m.actions = map[uint64]bool{}
	}
	if len(m.actions) < most {
		m.actions[h] = true
	}
}

// ends checks a terminal event against the response before it.
func (m *machine) ends(at place, v verdict) {
	switch v.Type {
	case "error":
		m.retryable(at, v.object)
	case "done":
		m.count[doneUsage]++
		m.reason(at, v.object)
		m.ofOneThread(at, v.object)
		m.done(at, v.object)
	}
}

const actionRequired = "action_required"

// reason compares why the agent stopped with what the response asked for.
func (m *machine) reason(at place, object map[string]any) {
	reason, ok := object["finishReason"].(string)
	if !ok {
		return
	}
	if m.asked {
		m.count[actionsActionRequired]++
		if reason != actionRequired {
			m.add(actionsActionRequired, at, "the response holds a continuation, and done doesn't say so", show(actionRequired), show(reason))
		}
		return
	}
	m.count[doneNoAction]++
	if reason == actionRequired {
		m.add(doneNoAction, at, "done asks for an action, and the response holds no continuation", "another finishReason", show(reason))
	}
}

func (m *machine) ofOneThread(at place, object map[string]any) {
	thread, _ := object["threadId"].(string)
	if thread == "" || m.thread == "" {
		return
	}
	m.count[doneSameThread]++
	if thread != m.thread {
		m.add(doneSameThread, at, "done names another thread than metadata", show(m.thread), show(thread))
	}
}
