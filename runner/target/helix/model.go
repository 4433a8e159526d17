package helix

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target"
)

// Run is a run to start.
type Run struct {
	Stream string            // id of the stream that it writes
	Script []json.RawMessage // its steps, each a list of instructions
	Schema json.RawMessage   // of its output; nil for none
	// Stepwise reports that the division into steps matters. The server sends another request to the model after each tool, so
	// that a step with script steps after a tool is otherwise played as two.
	Stepwise bool
}

// Started is a run that was started.
type Started struct {
	Call *target.Exchange // that started it; its answer may be a refusal
	ID   string           // "" where the answer doesn't name it
	// Modelled reports that the model plays the script, so that nothing but its end, a call or an approval has to be waited for.
	Modelled bool
}

// defaultStart returns the request that starts a run of the reference server, and of those that do as it does.
func defaultStart() target.Start {
	return target.Start{Path: "/streams/{stream}/messages", Body: `{"text":"{text}"}`}
}

// StartRun starts a run whose agent performs a script: by its model if the kit plays that and a model can, else by the
// control binding. The error is that of Session.Call, or a *target.UnavailableError for a script that the model can't
// perform.
func StartRun(s *target.Session, r Run) (Started, error) {
	t := s.Target()
	err := error(&target.Beyond{What: "a run"})
	if t.Model() != nil {
		var script provider.Script
		if script, err = modelled(r, t.ModelConfig().Tools); err == nil {
			return startModelled(s, r, script)
		}
	}
	var refused *target.Beyond
	switch {
	case !errors.As(err, &refused):
		return Started{}, err
	case !t.Scripts():
		return Started{}, target.Unmodelled(refused.What)
	}
	body := map[string]any{"stream": r.Stream, "agentType": "planner", "script": r.Script}
	if r.Schema != nil {
		body["outputSchema"] = r.Schema
	}
	call, err := s.Call(http.MethodPost, "/runs", written(body), false)
	return Started{Call: call, ID: named(call, err, "runId")}, err
}

func startModelled(s *target.Session, r Run, script provider.Script) (Started, error) {
	start := s.Target().ModelConfig().Start
	member := cmp.Or(start.Run, "runId")
	if !start.IsSet() {
		start = defaultStart()
	}
	if !start.HasPlaceholder("stream") {
		return Started{}, &target.UnavailableError{Reason: "model.start has no place for the id of a stream ({stream})"}
	}
	mark := s.Play(script)
	path, body, err := start.Fill("Plan the trip"+provider.Marker(mark), map[string]string{"stream": r.Stream})
	if err != nil {
		return Started{}, err
	}
	call, err := s.Submit(cmp.Or(start.Method, http.MethodPost), path, start.Headers, body)
	s.Plays(call, mark)
	return Started{Call: call, ID: named(call, err, member), Modelled: true}, err
}

// named returns the run that an answer names.
func named(call *target.Exchange, err error, member string) string {
	if err != nil {
		return ""
	}
	var answer map[string]any
	_ = json.Unmarshal(call.Now().Answer, &answer) // an invalid answer names none
	id, _ := answer[member].(string)
	return id
}

func written(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // texts, and JSON that was read
	}
	return bytes.TrimSpace(b.Bytes())
}
