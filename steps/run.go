package steps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
)

// agentRun is a run on the server's own runtime.
type agentRun struct {
	id     string
	stream *stream
	state  runState         // as last told
	call   *target.Exchange // the last call that steered it
}

// runState is what a server says of a run when it is asked.
type runState struct {
	Status     string `json:"status"`
	Barrier    string `json:"barrier"`
	ToolCallID string `json:"toolCallId"`
}

// waits reports whether the run goes on only when somebody acts.
func (s runState) waits() bool { return s.Status != "running" || s.Barrier != "" }

// over reports whether the run has finished its stream.
func (s runState) over() bool { return s.Status == "completed" || s.Status == "failed" }

// doc1 registers a sentence with a doc string below it.
func doc1(v *Vocabulary, k features.Keyword, pattern string, f func(*World, string) error) {
	step1(v, k, pattern, func(w *World, doc *godog.DocString) error { return f(w, doc.Content) })
	v.definitions[len(v.definitions)-1].Block = true
}

// doc2 is doc1 for a sentence that captures something itself.
func doc2(v *Vocabulary, k features.Keyword, pattern string, f func(*World, string, string) error) {
	step2(v, k, pattern, func(w *World, a string, doc *godog.DocString) error { return f(w, a, doc.Content) })
	v.definitions[len(v.definitions)-1].Block = true
}

func runSteps(v *Vocabulary) {
	both(func(k features.Keyword) {
		doc1(v, k, `^a run of this script:$`, func(w *World, script string) error { return w.startRun(script, "") })
		doc2(v, k, `^a run that must put out what matches (\{.*\}), of this script:$`, func(w *World, schema, script string) error {
			return w.startRun(script, schema)
		})
		step0(v, k, `^the run is settled$`, func(w *World) error { return w.settled() })
		step1(v, k, `^barrier "([^"]+)" is released$`, func(w *World, barrier string) error {
			return w.steer("release", map[string]any{"barrier": barrier})
		})
		step0(v, k, `^the run is interrupted$`, func(w *World) error { return w.steer("interrupt", map[string]any{}) })
		step1(v, k, `^the run is interrupted because of `+text+`$`, func(w *World, reason string) error {
			return w.steer("interrupt", map[string]any{"reason": json.RawMessage(reason)})
		})
		step1(v, k, `^the run is resumed with the mode "([^"]+)"$`, func(w *World, mode string) error {
			return w.steer("resume", map[string]any{"mode": mode})
		})
		step0(v, k, `^the executor of the run crashes$`, func(w *World) error { return w.steer("crash", nil) })
		step0(v, k, `^the run recovers$`, func(w *World) error { return w.recover() })
		step0(v, k, `^another executor takes the run over$`, func(w *World) error { return w.steer("supersede", nil) })
		step0(v, k, `^the run is retried$`, func(w *World) error { return w.steer("retry", map[string]any{}) })
		step1(v, k, `^the waiting call is (approved|denied)$`, func(w *World, decision string) error {
			return w.handIn("approved", json.RawMessage(fmt.Sprint(decision == "approved")))
		})
		step1(v, k, `^the result (.+) of the waiting call is handed in$`, func(w *World, result string) error {
			return w.handIn("result", json.RawMessage(result))
		})
		step1(v, k, `^the error `+text+` of the waiting call is handed in$`, func(w *World, text string) error {
			return w.handIn("error", json.RawMessage(text))
		})
		step2(v, k, `^the run is (rolled back to|branched from|resumed from) checkpoint (\d+)$`, func(w *World, how string, n int) error {
			return w.returnTo(how, n)
		})
	})
	tryRunSteps(v)
}

// tryRunSteps ask for what a server may refuse.
func tryRunSteps(v *Vocabulary) {
	both(func(k features.Keyword) {
		step0(v, k, `^a retry from an unknown checkpoint is asked for$`, func(w *World) error {
			return w.trySteer("retry", map[string]any{"checkpointId": "cpv1-nobody-s1-t1-none"})
		})
		step0(v, k, `^a resume of the run is asked for$`, func(w *World) error {
			return w.trySteer("resume", map[string]any{"mode": "continue"})
		})
		step0(v, k, `^a second run on the stream is asked for$`, func(w *World) error {
			r, err := w.run()
			if err != nil {
				return err
			}
			body := map[string]any{"stream": r.stream.id, "agentType": "planner", "script": []any{[]any{map[string]any{"text": "me too"}}}}
			call, err := w.session.Call("POST", "/runs", encode(body), false)
			w.calls, r.call = append(w.calls, call), call
			return err
		})
	})
	step1(v, features.Then, `^the call is refused with the code "([^"]+)"$`, func(w *World, code string) error { return w.refusedWith(code) })
	step0(v, features.Then, `^the call is refused$`, func(w *World) error {
		r, err := w.run()
		if err != nil {
			return err
		}
		return w.mustBeRefused(r)
	})
}

// run is the scenario's run.
func (w *World) run() (*agentRun, error) {
	if w.agent == nil {
		return nil, fault("no run was started")
	}
	return w.agent, nil
}

// startRun starts a scripted agent on a stream of its own. A script has one step a line, each a list of acts.
func (w *World) startRun(script, schema string) error {
	var lines []json.RawMessage
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		var acts []map[string]any
		if err := json.Unmarshal([]byte(line), &acts); err != nil {
			return fault("a step of the script is no list of acts: %s: %v", line, err)
		}
		lines = append(lines, json.RawMessage(line))
	}
	s := &stream{id: w.session.NewStream(), writers: map[string]string{}, gone: map[string]bool{}, produced: true}
	body := map[string]any{"stream": s.id, "agentType": "planner", "script": lines}
	if schema != "" {
		body["outputSchema"] = json.RawMessage(schema)
	}
	call, err := w.session.Call("POST", "/runs", encode(body), false)
	w.calls = append(w.calls, call)
	if err != nil {
		return err
	}
	var answer struct {
		RunID string `json:"runId"`
	}
	v := call.Now()
	if v.Status/100 != 2 {
		return refused(call, "starting a run")
	}
	if err := json.Unmarshal(v.Answer, &answer); err != nil || answer.RunID == "" {
		return &Failure{
			Message: "starting a run", Want: `a JSON object with a string "runId"`, Got: clip(v.Answer), Exchange: call, Frame: -1,
		}
	}
	w.streams[""] = s
	w.agent = &agentRun{id: answer.RunID, stream: s}
	return nil
}

// settled waits until the run has nothing left to do before somebody acts. A server that answers at once is asked again.
func (w *World) settled() error {
	r, err := w.run()
	if err != nil {
		return err
	}
	by := w.session.Target().By()
	for {
		call, err := w.session.Call("GET", "/runs/"+target.EscapeSegment(r.id)+"?settled", nil, false)
		w.calls = append(w.calls, call)
		if err != nil {
			return err
		}
		v := call.Now()
		r.state = runState{}
		if err := json.Unmarshal(v.Answer, &r.state); err != nil || v.Status != 200 || r.state.Status == "" {
			return &Failure{
				Message: "asking for the run", Want: `200 with a string "status"`, Got: statusOf(v),
				Exchange: call, Frame: -1,
			}
		}
		if r.state.waits() {
			return nil
		}
		if time.Now().After(by) {
			return &Failure{Message: "waiting timed out", Want: "the run to settle", Got: clip(v.Answer), Exchange: call, Frame: -1}
		}
		w.idle(10 * time.Millisecond)
	}
}

// steer makes a call that the run has to accept.
func (w *World) steer(how string, body any) error {
	if err := w.trySteer(how, body); err != nil {
		return err
	}
	if w.agent.call.Now().Status/100 != 2 {
		return refused(w.agent.call, "the call "+how+" of the run")
	}
	return nil
}

// trySteer makes a call that the run may refuse.
func (w *World) trySteer(how string, body any) error {
	r, err := w.run()
	if err != nil {
		return err
	}
	var raw []byte
	if body != nil {
		raw = encode(body)
	}
	switch how {
	case "crash", "rollback", "supersede", "retry", "resume":
		w.session.Removed(r.stream.id) // what the abandoned step said may go
	}
	r.call, err = w.session.Call("POST", "/runs/"+target.EscapeSegment(r.id)+"/"+how, raw, false)
	w.calls = append(w.calls, r.call)
	return err
}

// recover brings a crashed run back. A server that notices by itself has done so already and refuses.
func (w *World) recover() error {
	if err := w.trySteer("resume", map[string]any{"mode": "crash_recovery"}); err != nil {
		return err
	}
	if st := w.agent.call.Now().Status; st/100 != 2 && st != 409 {
		return refused(w.agent.call, "the recovery of the run")
	}
	return nil
}

// handIn answers the tool call that the run waits for.
func (w *World) handIn(member string, value json.RawMessage) error {
	r, err := w.run()
	if err != nil {
		return err
	}
	if !json.Valid(value) {
		return fault("%s is not JSON", value)
	}
	if err := w.settled(); err != nil {
		return err
	}
	id := r.state.ToolCallID
	if id == "" {
		if id, err = w.openCall(); err != nil {
			return err
		}
	}
	return w.steer("tool-result", map[string]any{"toolCallId": id, member: value})
}

// openCall is the tool call on the stream that has not ended, for servers that don't say which one waits.
func (w *World) openCall() (string, error) {
	c, err := w.survey()
	if err != nil {
		return "", err
	}
	open := ""
	for _, m := range c.got {
		switch id, _ := m.member("toolCallId").(string); m.member("type") {
		case "tool_start":
			open = id
		case "tool_end":
			if id == open {
				open = ""
			}
		}
	}
	if open == "" {
		return "", c.failure("a tool call that waits for an answer", "none that is open", nil)
	}
	return open, nil
}

// returnTo takes the run back to the nth checkpoint that its stream tells of.
func (w *World) returnTo(how string, n int) error {
	c, err := w.survey()
	if err != nil {
		return err
	}
	id, seen := "", 0
	for _, m := range c.got {
		if m.member("type") != "checkpoint_created" {
			continue
		}
		if seen++; seen == n {
			id, _ = m.member("checkpointId").(string)
		}
	}
	if id == "" {
		return c.failure(fmt.Sprintf("%d checkpoint_created chunks, each with a checkpointId", n), fmt.Sprintf("%d", seen), nil)
	}
	switch how {
	case "rolled back to":
		return w.steer("rollback", map[string]any{"checkpointId": id})
	case "branched from":
		return w.steer("branch", map[string]any{"checkpointId": id})
	}
	return w.steer("resume", map[string]any{"mode": "continue", "fromCheckpointId": id})
}

// refusedWith checks that the last call was refused, and why.
func (w *World) refusedWith(code string) error {
	r, err := w.run()
	if err != nil {
		return err
	}
	if err := w.mustBeRefused(r); err != nil {
		return err
	}
	v := r.call.Now()
	got, _ := decode(v.Answer)
	if memberOf(got, "code") != code {
		return &Failure{
			Message: "the refusal of the call", Want: fmt.Sprintf("the code %q", code), Got: clip(bytes.TrimSpace(v.Answer)), Exchange: r.call, Frame: -1,
		}
	}
	return nil
}

func (w *World) mustBeRefused(r *agentRun) error {
	if r.call == nil {
		return fault("no call was made that could be refused")
	}
	if st := r.call.Now().Status; st/100 != 4 {
		return &Failure{Message: "a call that the run is in no state for", Want: "a refusal (4xx)", Got: fmt.Sprint(st), Exchange: r.call, Frame: -1}
	}
	w.saw(1)
	return nil
}
