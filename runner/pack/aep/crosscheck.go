package aep

import (
	"bytes"
	"encoding/json"

	"github.com/streamcert/streamcert/runner/crosscheck"
	"github.com/streamcert/streamcert/runner/record"
)

// crosschecks lists the ids that no two requests share. That all events
// of a response carry the requestId of the first is another rule. A thread is new where the request names none.
func crosschecks() crosscheck.Rules {
	return crosscheck.Rules{Isolation: "aep.security.isolation", IDs: func(e *record.Exchange, see func(requirement, name, id string)) {
		begins := !bytes.Contains(e.Body, []byte(`"threadId"`))
		named := false
		for _, f := range e.Frames {
			if named && !bytes.Contains(f.Data, []byte("continuation")) {
				continue
			}
			var event struct {
				Event     string `json:"event"`
				RequestID string `json:"requestId"`
				ThreadID  string `json:"threadId"`
				ActionID  string `json:"actionId"`
			}
			if json.Unmarshal(f.Data, &event) != nil {
				continue
			}
			if !named && event.RequestID != "" {
				named = true
				see("aep.events.unique-request", "requestId", event.RequestID)
			}
			if event.Event == "metadata" && begins && event.ThreadID != "" {
				see("aep.threads.created", "threadId", event.ThreadID)
			}
			if event.Event == "continuation" && event.ActionID != "" {
				see("aep.actions.unique", "actionId", event.ActionID)
			}
		}
	}}
}
