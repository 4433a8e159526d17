package run

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps/helix/world"

	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
)

// Run is a run on the server's runtime.
type Run struct {
	ID     string        // assigned by the server; "" if its answer has none
	Stream *world.Stream // that it writes
	state  runState      // of the last answer
	// the model plays its script; its stream then shows its status, so that no control call is needed to learn it
	modelled bool
	Call     *target.Exchange // the last control call to it
}

// runState is the answer to a request for a run.
type runState struct {
	Status     string `json:"status"`     // as the server names it
	Barrier    string `json:"barrier"`    // at which the run waits; "" for none
	ToolCallID string `json:"toolCallId"` // of the call that waits; "" for none
}

// waits reports whether the run can only continue after a call of a client.
func (s runState) waits() bool { return s.Status != "running" || s.Barrier != "" }

// over reports whether the run has finished its stream.
func (s runState) over() bool { return s.Status == "completed" || s.Status == "failed" }

func runSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Doc1(v, k, `^a run of this script:$`, func(w *world.World, script string) error { return startRun(w, script, "") })
		steps.Doc2(v, k, `^a run that must put out what matches (\{.*\}), of this script:$`, func(w *world.World, schema, script string) error {
			return startRun(w, script, schema)
		})
		steps.Step0(v, k, `^the run is settled$`, settled)
		steps.Step1(v, k, `^barrier "([^"]+)" is released$`, func(w *world.World, barrier string) error {
			return steer(w, "release", map[string]any{"barrier": barrier})
		})
		steps.Step0(v, k, `^the run is interrupted$`, func(w *world.World) error { return steer(w, "interrupt", map[string]any{}) })
		steps.Step1(v, k, `^the run is interrupted because of `+steps.JSONString+`$`, func(w *world.World, reason string) error {
			return steer(w, "interrupt", map[string]any{"reason": json.RawMessage(reason)})
		})
		steps.Step1(v, k, `^the run is resumed with the mode "([^"]+)"$`, func(w *world.World, mode string) error {
			return steer(w, "resume", map[string]any{"mode": mode})
		})
		steps.Step0(v, k, `^the executor of the run crashes$`, func(w *world.World) error { return steer(w, "crash", nil) })
		steps.Step0(v, k, `^the run recovers$`, func(w *world.World) error { return recover(w) })
		steps.Step0(v, k, `^another executor takes the run over$`, func(w *world.World) error { return steer(w, "supersede", nil) })
		steps.Step0(v, k, `^the run is retried$`, func(w *world.World) error { return steer(w, "retry", map[string]any{}) })
		steps.Step1(v, k, `^the waiting call is (approved|denied)$`, func(w *world.World, decision string) error {
			return handIn(w, "approved", json.RawMessage(fmt.Sprint(decision == "approved")))
		})
		steps.Step1(v, k, `^the result (.+) of the waiting call is handed in$`, func(w *world.World, result string) error {
			return handIn(w, "result", json.RawMessage(result))
		})
		steps.Step1(v, k, `^the error `+steps.JSONString+` of the waiting call is handed in$`, func(w *world.World, text string) error {
			return handIn(w, "error", json.RawMessage(text))
		})
		steps.Step2(v, k, `^the run is (rolled back to|branched from|resumed from) checkpoint (\d+)$`, returnTo)
	})
	tryRunSteps(v)
	tableSteps(v)
}

// tryRunSteps registers sentences on calls that a server may refuse.
func tryRunSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^a retry from an unknown checkpoint is asked for$`, func(w *world.World) error {
			return trySteer(w, "retry", map[string]any{"checkpointId": "cpv1-nobody-s1-t1-none"})
		})
		steps.Step0(v, k, `^a resume of the run is asked for$`, func(w *world.World) error {
			return trySteer(w, "resume", map[string]any{"mode": "continue"})
		})
		steps.Step0(v, k, `^a second run on the stream is asked for$`, func(w *world.World) error {
			r, err := Of(w)
			if err != nil {
				return err
			}
			body := map[string]any{"stream": r.Stream.ID, "agentType": "planner", "script": []any{[]any{map[string]any{"text": "me too"}}}}
			call, err := w.Call("POST", "/runs", steps.Encode(body), false)
			r.Call = call
			return err
		})
	})
	steps.Step0(v, features.Then, `^the call is refused$`, func(w *world.World) error {
		r, err := Of(w)
		if err != nil {
			return err
		}
		return mustBeRefused(w, r)
	})
}

// Of returns the scenario's run. It fails with *steps.Fault if there is none.
func Of(w *world.World) (*Run, error) {
	if r := world.Get[*Run](w); r != nil {
		return r, nil
	}
	return nil, steps.Faultf("no run was started")
}

// startRun starts a scripted agent on a new stream. A script has one step a line, each a list of script steps.
func startRun(w *world.World, script, schema string) error {
	lines, err := targethelix.Steps(script)
	if err != nil {
		return steps.Faultf("%v", err)
	}
	s := world.StreamOf(w, "", w.Session().NewStream())
	s.Produced = true
	run := targethelix.Run{Stream: s.ID, Script: lines, Stepwise: targethelix.Stepwise(w.Requirement())}
	if schema != "" {
		run.Schema = json.RawMessage(schema)
	}
	started, err := targethelix.StartRun(w.Session(), run)
	if err != nil {
		return err
	}
	v := started.Call.Now()
	if strict := v.Status == 400 || v.Status == 422; strict && strings.Contains(script, `"last":true`) {
		return &steps.Unprovable{Reason: "the adapter refuses the member last of the act error, which the control binding has since version 0.5.0"}
	}
	if v.Status/100 != 2 {
		return steps.Refused(started.Call, "starting a run")
	}
	if started.ID == "" && !started.Modelled {
		return &steps.Failure{
			Finding: record.Finding{Message: "starting a run", Want: `a JSON object with a string "runId"`, Got: steps.Clip(v.Answer), Frame: -1}, Exchange: started.Call,
		}
	}
	w.Streams[""] = s
	world.Put(w, &Run{ID: started.ID, Stream: s, modelled: started.Modelled})
	s.IsOver = func() bool { return world.Get[*Run](w).state.over() }
	return nil
}

// settled waits until the run is over or waits for a call. It repeats the request where a server answers at once.
func settled(w *world.World) error {
	r, err := Of(w)
	if err != nil {
		return err
	}
	if r.modelled && w.Session().Target().Claims("info") {
		return r.rests(w)
	}
	return r.requested(w)
}

// requested requests the run over the control binding until it is over or waits for a call.
func (r *Run) requested(w *world.World) error {
	began := time.Now()
	for {
		call, err := w.Call("GET", "/runs/"+target.EscapeSegment(r.ID)+"?settled", nil, false)
		if err != nil {
			return err
		}
		v := call.Now()
		r.state = runState{}
		if err := json.Unmarshal(v.Answer, &r.state); err != nil || v.Status != 200 || r.state.Status == "" {
			return &steps.Failure{
				Finding: record.Finding{Message: "asking for the run", Want: `200 with a string "status"`, Got: steps.StatusOf(v), Frame: -1}, Exchange: call,
			}
		}
		if r.state.waits() {
			return nil
		}
		if w.Session().Target().Overdue(began) {
			return &steps.Failure{Finding: record.Finding{Message: steps.TimedOut, Want: "the run to settle", Got: steps.Clip(v.Answer), Frame: -1}, Exchange: call}
		}
		w.Watch(10 * time.Millisecond)
	}
}

// rests waits until the status of the run's stream shows that the run is over or waits for a call.
func (r *Run) rests(w *world.World) error {
	began := time.Now()
	for {
		e, err := targethelix.GetInfo(w.Session(), target.DocumentRequest{Stream: r.Stream.ID, Hidden: true})
		if err != nil {
			return err
		}
		var info struct{ Status string }
		v := e.Now()
		if v.Status != 404 && (v.Status != 200 || json.Unmarshal(v.Answer, &info) != nil) { // a run may begin after its start was accepted
			return &steps.Failure{Finding: record.Finding{Message: "asking for the stream of a run", Want: `200 with a string "status"`, Got: steps.StatusOf(v), Frame: -1}, Exchange: e}
		}
		if now := map[string]string{"ended": "completed", "failed": "failed", "paused": "paused"}[info.Status]; now != "" {
			r.state = runState{Status: now}
			return nil
		}
		if w.Session().Target().Overdue(began) {
			return &steps.Failure{Finding: record.Finding{Message: steps.TimedOut, Want: "the run to settle", Got: steps.StatusOf(v), Frame: -1}, Exchange: e}
		}
		w.Watch(10 * time.Millisecond)
	}
}

// steer makes a control call that the run must accept.
func steer(w *world.World, how string, body any) error {
	if err := trySteer(w, how, body); err != nil {
		return err
	}
	if world.Get[*Run](w).Call.Now().Status/100 != 2 {
		return steps.Refused(world.Get[*Run](w).Call, "the call "+how+" of the run")
	}
	return nil
}

// trySteer makes a control call that the run may refuse.
func trySteer(w *world.World, how string, body any) error {
	r, err := Of(w)
	if err != nil {
		return err
	}
	if r.ID == "" {
		return &steps.Unprovable{Reason: "the answer to the request that starts a run doesn't name the run (model.start.run), so that nobody can steer it"}
	}
	var raw []byte
	if body != nil {
		raw = steps.Encode(body)
	}
	switch how {
	case "crash", "rollback", "supersede", "retry", "resume":
		w.Session().Removed(r.Stream.ID) // chunks of the abandoned step may be removed
	}
	r.Call, err = w.Call("POST", "/runs/"+target.EscapeSegment(r.ID)+"/"+how, raw, false)
	return err
}

// recover resumes a crashed run. A server that has already recovered it refuses.
func recover(w *world.World) error {
	if err := trySteer(w, "resume", map[string]any{"mode": "crash_recovery"}); err != nil {
		return err
	}
	if st := world.Get[*Run](w).Call.Now().Status; st/100 != 2 && st != 409 {
		return steps.Refused(world.Get[*Run](w).Call, "the recovery of the run")
	}
	return nil
}

// handIn answers the tool call that the run waits for.
func handIn(w *world.World, member string, value json.RawMessage) error {
	r, err := Of(w)
	if err != nil {
		return err
	}
	if !json.Valid(value) {
		return steps.Faultf("%s is not JSON", value)
	}
	if err := r.requested(w); err != nil { // the answer names the waiting call
		return err
	}
	id := r.state.ToolCallID
	if id == "" {
		if id, err = openCall(w, ""); err != nil {
			return err
		}
	}
	return steer(w, "tool-result", map[string]any{"toolCallId": id, member: value})
}

// openCall returns the toolCallId of the last call of a tool ("" of any tool) on the stream if it has no tool_end, for
// servers whose answer doesn't name the waiting call.
func openCall(w *world.World, tool string) (string, error) {
	c, err := Survey(w)
	if err != nil {
		return "", err
	}
	open := ""
	for _, m := range c.Got {
		if tool != "" && m.Member("toolName") != tool {
			continue
		}
		switch id, _ := m.Member("toolCallId").(string); m.Member("type") {
		case "tool_start", "tool_approval_request": // a call that needs consent may begin after the decision
			open = id
		case "tool_end":
			if id == open {
				open = ""
			}
		}
	}
	if open == "" {
		return "", c.Failure("a tool call that waits for an answer", "none that is open", nil)
	}
	return open, nil
}

// returnTo returns the run to the nth checkpoint on its stream.
func returnTo(w *world.World, how string, n int) error {
	id, err := checkpointOf(w, n)
	if err != nil {
		return err
	}
	switch how {
	case "rolled back to":
		return steer(w, "rollback", map[string]any{"checkpointId": id})
	case "branched from":
		return branch(w, id)
	}
	return steer(w, "resume", map[string]any{"mode": "continue", "fromCheckpointId": id})
}

// checkpointOf returns the id of the nth checkpoint that the run's stream announced, counted from 1; 0 is the last one.
func checkpointOf(w *world.World, n int) (id string, err error) {
	c, err := Survey(w)
	if err != nil {
		return "", err
	}
	seen := 0
	for _, m := range c.Got {
		if m.Member("type") != "checkpoint_created" {
			continue
		}
		if seen++; seen == n || n == 0 {
			id, _ = m.Member("checkpointId").(string)
		}
	}
	if id == "" {
		return "", c.Failure(fmt.Sprintf("%d checkpoint_created chunks, each with a checkpointId", max(n, 1)), fmt.Sprintf("%d", seen), nil)
	}
	return id, nil
}

// branch returns to a checkpoint in a new session. Later control calls go to the run that the answer names, if it names one.
func branch(w *world.World, checkpoint string) error {
	if err := steer(w, "branch", map[string]any{"checkpointId": checkpoint}); err != nil {
		return err
	}
	var answer struct {
		RunID string `json:"runId"`
	}
	if json.Unmarshal(world.Get[*Run](w).Call.Now().Answer, &answer) == nil && answer.RunID != "" {
		world.Get[*Run](w).ID = answer.RunID
	}
	return nil
}

func mustBeRefused(w *world.World, r *Run) error {
	if r.Call == nil {
		return steps.Faultf("no call was made that could be refused")
	}
	if st := r.Call.Now().Status; st/100 != 4 {
		return &steps.Failure{Finding: record.Finding{Message: "a call that the run is in no state for", Want: "a refusal (4xx)", Got: fmt.Sprint(st), Frame: -1}, Exchange: r.Call}
	}
	w.Saw(1)
	return nil
}
