package campaignonly

import (
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// everyValue replaces the values in a JSON text, the innermost first; its members keep their names. What isn't replaced
// stays as it is, numbers too.
func everyValue(text json.RawMessage, change func(any) any) json.RawMessage {
	return alter.Recode(text, func(v any) any { return alter.Walk(v, change) })
}

// onCallArguments changes the arguments of calls, before they are divided into pieces.
func onCallArguments(change func(json.RawMessage) json.RawMessage) on.Apply {
	return on.Turns(func(t *agent.Turn) {
		if t.Script == nil {
			return
		}
		script := *t.Script
		script.Instructions = slices.Clone(script.Instructions)
		for i := range script.Instructions {
			if script.Instructions[i].Name == "tool" {
				script.Instructions[i].Tool.Arguments = change(script.Instructions[i].Tool.Arguments)
			}
		}
		t.Script = &script
	})
}

// onPayload changes the payload of requested actions.
func onPayload(change func(json.RawMessage) json.RawMessage) on.Apply {
	return on.Events(on.Kind(aep.Continuation)).Edit(func(e *aep.Event) { e.Payload = change(e.Payload) })
}

// forgetting leaves messages out of the history that the agent is handed. hit is called with the index of each, and their
// number n.
func forgetting(hit func(i, n int) bool) on.Apply {
	return on.History(func(before, _ []agent.Message) (kept []agent.Message) {
		for i := range before {
			if !hit(i, len(before)) {
				kept = append(kept, before[i])
			}
		}
		return kept
	})
}
