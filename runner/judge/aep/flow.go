package aep

import (
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// flow compares an event with the ones before it.
func (m *machine) flow(f *wire.Frame, v judge.Verdict) {
	at := judge.At(f)
	if m.terminal != "" {
		m.after(at, v)
		return
	}
	if v.Object == nil {
		m.started = true
		return
	}
	m.whose(at, v.Object)
	if text, ok := v.Object["timestamp"].(string); ok {
		m.clock(at, text)
	}
	m.begins(at, v)
	switch v.Type {
	case "metadata":
		m.thread, _ = v.Object["threadId"].(string)
	case "text", "thinking", "tool_call", "tool_result":
		m.blocks.stage(f, v)
	case "continuation":
		m.continuation(at, v.Object)
	case "done", "error", "aborted":
		m.terminal = v.Type
		m.Saw(flowTerminal)
		m.Saw(flowTerminalLast)
		m.ends(at, v)
	}
}

// after reports events after the terminal event.
func (m *machine) after(at judge.Position, v judge.Verdict) {
	if m.extra {
		return
	}
	m.extra = true
	got := "data that is no event"
	if v.Type != "" {
		got = "the event " + judge.Show(v.Type)
	}
	m.Violation(flowTerminalLast, at, "an event follows the terminal event "+m.terminal, "the end of the body", got)
}

// whose checks that all events are of one request.
func (m *machine) whose(at judge.Position, object map[string]any) {
	id, _ := object["requestId"].(string)
	if m.request == "" {
		m.request = id
		return
	}
	m.SameText(eventsSameRequest, at, "the event is of another request than the first of the response", m.request, id)
}

// begins checks that metadata comes first, and once.
func (m *machine) begins(at judge.Position, v judge.Verdict) {
	isMetadata := v.Type == "metadata"
	if !m.started && v.Type != "" {
		m.Saw(flowMetadataFirst)
		if !isMetadata && v.Type != "error" { // an error that isn't alone is found by the event after it
			m.Violation(flowMetadataFirst, at, "the first event isn't metadata", "metadata", judge.Show(v.Type))
		}
	}
	m.started = true
	if !isMetadata {
		return
	}
	m.Saw(flowMetadataOnce)
	if m.metadata {
		m.Violation(flowMetadataOnce, at, "metadata comes a second time", "one metadata event", "another")
	}
	m.metadata = true
}

// continuation checks that an action has a new id.
func (m *machine) continuation(at judge.Position, object map[string]any) {
	m.continued = true
	id, _ := object["actionId"].(string)
	if id == "" {
		return
	}
	m.Unique(actionsUnique, at, &m.actions, judge.Hash(id), "two continuations have one actionId", "an actionId of its own",
		func() string { return judge.Show(id) + " again" })
}

// ends checks a terminal event against the response before it.
func (m *machine) ends(at judge.Position, v judge.Verdict) {
	switch v.Type {
	case "error":
		m.retryable(at, v.Object)
	case "done":
		m.Saw(doneUsage)
		m.reason(at, v.Object)
		m.ofOneThread(at, v.Object)
		m.blocks.done(at, v.Object)
	}
}

const actionRequired = "action_required"

// reason compares the agent's stop reason with the actions that the response requested.
func (m *machine) reason(at judge.Position, object map[string]any) {
	reason, ok := object["finishReason"].(string)
	if !ok {
		return
	}
	if m.continued {
		m.Saw(actionsActionRequired)
		if reason != actionRequired {
			m.Violation(actionsActionRequired, at, "the response holds a continuation, and done doesn't say so", judge.Show(actionRequired), judge.Show(reason))
		}
		return
	}
	m.Saw(doneNoAction)
	if reason == actionRequired {
		m.Violation(doneNoAction, at, "done asks for an action, and the response holds no continuation", "another finishReason", judge.Show(reason))
	}
}

// ofOneThread checks that done names the thread of metadata.
func (m *machine) ofOneThread(at judge.Position, object map[string]any) {
	thread, _ := object["threadId"].(string)
	m.SameText(doneSameThread, at, "done names another thread than metadata", m.thread, thread)
}
