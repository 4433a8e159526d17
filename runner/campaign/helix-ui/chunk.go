package helixui

import (
	"fmt"
	"strings"
)

// thinks makes the agent send reasoning in increments, between which other agents may send. Some reasoning is ended by
// other content of the message before it is complete.
func (w *writer) thinks(o Operation) {
	first, second := "thought "+w.data(o), w.data(o)
	if o.Choice%8 == 5 { // the completing chunk repeats the increments
		second = " and " + first + "."
	}
	w.chunk(o, "thinking", map[string]any{"content": first, "isComplete": false})
	if o.Choice%3 == 0 {
		w.strange(o)
	}
	if o.Choice%2 == 0 {
		w.chunk(o, "thinking", map[string]any{"content": second, "isComplete": false})
	}
	switch o.Choice % 8 {
	case 3:
		w.commit(o)
	case 6:
		w.call(Operation{Class: "plain", Size: 5, Choice: o.Choice})
	case 7:
		w.chunk(o, "text_delta", map[string]any{"delta": w.data(o) + "."})
	default:
		w.chunk(o, "thinking", map[string]any{"content": first + second, "isComplete": true})
	}
}

// event returns the name of an event: by one in four choices the same, by others one with the number that differs in case or
// punctuation, or a name of the protocol.
func event(choice, number int) string {
	switch choice % 8 {
	case 0, 4:
		return "event"
	case 2:
		return []string{"error", "output", "run", "subagent", "state", "resync"}[choice/8%6]
	case 5:
		return strings.Repeat("long-", 20) + fmt.Sprintf("event %d: é/%%", number)
	}
	return fmt.Sprintf([]string{"Event.%d", "event_%d", "event-%d", "data-%d", " event %d "}[choice%5], number)
}

// patches returns the operations of the next patch. One in five leaves the state as it was, and one has several of one path.
func (w *writer) patches(o Operation) []any {
	path := fmt.Sprintf("/n%d", w.texts)
	operation := func(op string) any {
		o.Choice++
		return map[string]any{"op": op, "path": path, "value": w.value(o)}
	}
	switch o.Choice % 5 {
	case 2:
		return []any{}
	case 4:
		return []any{operation("add"), operation("replace"), map[string]any{"op": "remove", "path": path}, operation("add")}
	}
	return []any{operation("add")}
}

// commit has a step committed.
func (w *writer) commit(o Operation) {
	w.chunk(o, "step_committed", map[string]any{"runId": "r1", "stepId": fmt.Sprintf("s%d", w.texts), "checkpointId": fmt.Sprintf("cp-%d", w.texts)})
}

// pause makes the run wait for the user. A server may end its response there.
func (w *writer) pause(o Operation) {
	paused := map[string]any{"runId": "r1", "reason": fmt.Sprintf("waits %d", w.texts)}
	if o.Choice%2 == 0 {
		paused["pendingToolName"], paused["pendingToolCallId"] = "pay", fmt.Sprintf("call-%d", w.texts)
	}
	w.chunk(o, "run_paused", paused)
}

// manage emits a chunk about the run.
func (w *writer) manage(o Operation) {
	switch w.texts++; o.Kind {
	case "resumptions":
		resumed := map[string]any{"runId": fmt.Sprintf("r%d", w.texts), "fromCheckpointId": "cp-1", "fromStepCount": 1.0, "mode": "continue"}
		if o.Choice%3 == 1 { // from the beginning
			resumed["fromCheckpointId"], resumed["fromStepCount"] = nil, 0.0
		}
		w.chunk(o, "run_resumed", resumed)
	case "resyncs":
		w.chunk(o, "step_discarded", map[string]any{"runId": "r1", "stepId": fmt.Sprintf("s%d", w.texts), "reason": "interrupted"})
		done := float64(o.Choice % 3)
		w.chunk(o, "stream_resync", map[string]any{"checkpointId": fmt.Sprintf("cp-%d", w.texts), "stepCount": done, "messageCount": 2 * done, "fromSequence": 31 * done, "reason": "rollback"})
	case "commits":
		w.commit(o)
	case "checkpoints":
		w.chunk(o, "checkpoint_created", map[string]any{"runId": "r1", "checkpointId": fmt.Sprintf("cp-%d", w.texts), "stepCount": 1.0})
		w.chunk(o, "executor_superseded", map[string]any{"reason": "another took over"})
	}
}
