package play

import (
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"
)

// answer answers a waiting call: with a decision if it needs consent, else with a result or an error.
func (p runs) answer(s *stream, o program.Operation) error {
	names, consent := s.runProgress.Calls()
	if len(names) == 0 || len(s.runProgress.Barriers()) > 0 {
		return nil
	}
	i := o.Who % len(names)
	id := s.runProgress.CallID(i, s.runProgress.log)
	if id == "" {
		return nil
	}
	yes := o.Kind != program.Deny
	body, a := map[string]any{"toolCallId": id, "approved": yes}, runmodel.Answer{Approved: &yes}
	if !consent[i] {
		var result any
		if o.Kind == program.HandIn && json.Unmarshal([]byte(o.Script), &result) != nil {
			return fmt.Errorf("%q is no JSON", o.Script)
		}
		body, a = map[string]any{"toolCallId": id, "result": result}, runmodel.Answer{Result: result}
		if o.Kind == program.Deny {
			text := "the user closed the form"
			body, a = map[string]any{"toolCallId": id, "error": text}, runmodel.Answer{Error: &text}
		}
	}
	rule, then := "helix.tools.result", func() { s.runProgress.Answer(i, a) }
	if consent[i] {
		rule = "helix.approval.granted"
	}
	if s.runProgress.NeedsOthers(i) {
		return p.tried(s, rule, "tool-result", body, then)
	}
	return p.did(s, rule, "tool-result", body, then, false)
}
