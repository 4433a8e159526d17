package helix

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	model "github.com/streamcert/streamcert/runner/model/helix"
	"github.com/streamcert/streamcert/runner/target"
)

// course is a run on the server's own runtime, from its start to the reset of its stream.
type course struct {
	*model.Run
	id     string
	state  runState // as of the last answer
	before int64    // the greatest id that was sent before it began
	log    []*model.Produced
	call   *target.Exchange // where it was asked for last
}

// runState is the answer to the call that asks for a run.
type runState struct {
	Status     model.RunStatus `json:"status"`
	Barrier    string          `json:"barrier"`
	ToolCallID string          `json:"toolCallId"`
}

// errUnknown says that nothing follows from what came: a run didn't go where it should, which is recommended only.
var errUnknown = errors.New("nothing can be found out")

// run performs one operation on a stream that runs write.
func (p *play) run(s *stream, o Operation) error {
	switch {
	case o.kind == start:
		return p.start(s, o)
	case !s.made:
		return nil // its first run makes it
	}
	switch o.kind {
	case attach, leave, resume, receive, readOn:
		return p.reads(s, o)
	case visit:
		return p.visit(s, o.who)
	case reset:
		return p.renew(s)
	}
	if s.course == nil {
		return nil
	}
	switch o.kind {
	case info:
		return p.info(s)
	case snapshot, glimpse:
		return p.page(s, o.kind == snapshot)
	case meddle:
		return p.meddle(s)
	}
	if s.course.Over() {
		return nil
	}
	return p.steer(s, o)
}

// start begins a run. On a stream whose run isn't finished it must be refused: helix.runs.refused.
func (p *play) start(s *stream, o Operation) error {
	script, err := model.ParseScript([]byte(o.script))
	if err != nil {
		return err
	}
	if s.Finished() {
		return nil
	}
	body := map[string]any{"stream": s.id, "agentType": "planner", "script": json.RawMessage(o.script)}
	call, accepted, err := p.control("helix.runs.refused", "POST", "/runs", body, false)
	if err != nil {
		return err
	}
	if s.course != nil {
		if accepted {
			return broken(call, "helix.runs.refused", "4xx", fmt.Sprint(call.Now().Status), "a second run was begun on a stream whose run isn't finished")
		}
		p.ledger["helix.runs.refused"]++
		return nil
	}
	var answer struct {
		RunID string `json:"runId"`
	}
	if !accepted || json.Unmarshal(call.Now().Answer, &answer) != nil || answer.RunID == "" {
		return errUnknown // whether a script can be played is for scenarios to say
	}
	s.made = true
	s.course = &course{Run: model.NewRun(p.ledger, script), id: answer.RunID, before: s.Sent()}
	return p.look(s, false)
}

// renew empties the stream of a run that is over, so that another may begin.
func (p *play) renew(s *stream) error {
	if s.course == nil || !s.Finished() || !p.target.Claims("reset") {
		return nil
	}
	_, accepted, err := p.call(s, "helix.truncation.reset-empties", "POST", "/reset", map[string]any{})
	if err != nil || !accepted {
		return err
	}
	p.session.Removed(s.id)
	s.Reset()
	s.course = nil
	return nil
}

// meddle asks for what a run is in no state for.
func (p *play) meddle(s *stream) error {
	c := s.course
	if c.Status() != model.RunRunning && !c.Over() {
		return nil
	}
	call, accepted, err := p.control("helix.runs.refused", "POST", c.path("resume"), map[string]any{"mode": "meddle"}, false)
	if err != nil {
		return err
	}
	if accepted {
		return broken(call, "helix.runs.refused", "4xx", fmt.Sprint(call.Now().Status), "a run that is %s was resumed", c.Status())
	}
	p.ledger["helix.runs.refused"]++
	return nil
}

func (c *course) path(how string) string {
	return "/runs/" + target.EscapeSegment(c.id) + "/" + how
}

// steer makes the call of an operation, if the run is in a state for it, and looks at what comes of it.
func (p *play) steer(s *stream, o Operation) error {
	c := s.course
	if o.kind == goOn {
		o = c.next()
	}
	switch o.kind {
	case release:
		if all := c.Barriers(); len(all) > 0 {
			barrier := all[o.who%len(all)]
			return p.did(s, "helix.text.concatenation", "release", map[string]any{"barrier": barrier}, func() { c.Release(barrier) }, false)
		}
	case approve, deny, handIn:
		return p.answer(s, o)
	case interrupt:
		if c.Status() == model.RunRunning {
			return p.did(s, "helix.runs.interrupted", "interrupt", map[string]any{}, c.Interrupt, true)
		}
	case goBack:
		if c.Status() == model.RunInterrupted {
			return p.did(s, "helix.runs.resumed", "resume", map[string]any{"mode": o.script}, func() { c.Resume(o.script) }, false)
		}
	case crash:
		if c.Status() == model.RunRunning {
			return p.crash(s)
		}
	case rollback:
		if all := c.Checkpoints(); len(all) > 0 {
			n := o.who % len(all)
			return p.did(s, "helix.resync.written", "rollback", map[string]any{"checkpointId": all[n]}, func() { c.Rollback(n) }, true)
		}
	}
	return nil
}

// next is what lets the run go on from where it is.
func (c *course) next() Operation {
	switch _, consent := c.Calls(); {
	case c.Status() == model.RunInterrupted:
		return Operation{kind: goBack, script: "continue"}
	case len(c.Barriers()) > 0:
		return Operation{kind: release}
	case len(consent) > 0 && consent[0]:
		return Operation{kind: approve}
	}
	return Operation{kind: handIn, script: `{"from":"the client"}`}
}

// did makes a call that the run must accept, tells the model, and looks.
func (p *play) did(s *stream, rule, how string, body any, then func(), removes bool) error {
	if removes || how == "resume" {
		p.session.Removed(s.id)
	}
	call, accepted, err := p.control(rule, "POST", s.course.path(how), body, false)
	if err != nil {
		return err
	}
	if !accepted {
		return broken(call, rule, "2xx", fmt.Sprintf("%d %s", call.Now().Status, call.Now().Answer), "a run that is %s refused the call %s", s.course.Status(), how)
	}
	then()
	return p.look(s, removes)
}

// crash kills the executor and lets the run recover, which it may have done by itself.
func (p *play) crash(s *stream) error {
	if !p.target.Claims("checkpoints") {
		return nil
	}
	p.session.Removed(s.id)
	_, accepted, err := p.control("helix.resync.written", "POST", s.course.path("crash"), nil, false)
	if err != nil || !accepted {
		return err
	}
	if _, _, err := p.control("helix.resync.written", "POST", s.course.path("resume"), map[string]any{"mode": "crash_recovery"}, false); err != nil {
		return err
	}
	s.course.Recover()
	return p.look(s, true)
}

// answer answers a call that waits. Who waits for a decision gets one, and who waits for a result gets that.
func (p *play) answer(s *stream, o Operation) error {
	names, consent := s.course.Calls()
	if len(names) == 0 || len(s.course.Barriers()) > 0 {
		return nil
	}
	i := o.who % len(names)
	id := ""
	for _, l := range s.course.log {
		if kind := l.Text("type"); (kind == "tool_start" || kind == "tool_approval_request") && l.Text("toolName") == names[i] {
			id = l.Text("toolCallId")
		}
	}
	if id == "" {
		return nil
	}
	yes := o.kind != deny
	body, a := map[string]any{"toolCallId": id, "approved": yes}, model.Answer{Approved: &yes}
	if !consent[i] {
		var result any
		if o.kind == handIn && json.Unmarshal([]byte(o.script), &result) != nil {
			return fmt.Errorf("%q is no JSON", o.script)
		}
		body, a = map[string]any{"toolCallId": id, "result": result}, model.Answer{Result: result}
		if o.kind == deny {
			text := "the user closed the form"
			body, a = map[string]any{"toolCallId": id, "error": text}, model.Answer{Error: &text}
		}
	}
	return p.did(s, map[bool]string{true: "helix.approval.granted", false: "helix.tools.result"}[consent[i]], "tool-result", body, func() { s.course.Answer(names[i], a) }, false)
}

// settle waits until the run has nothing left to do before somebody acts. A server that answers at once is asked again.
func (p *play) settle(c *course) error {
	for by := p.target.By(); ; {
		call, accepted, err := p.control("helix.text.concatenation", "GET", "/runs/"+target.EscapeSegment(c.id)+"?settled", nil, false)
		if err != nil {
			return err
		}
		c.state, c.call = runState{}, call
		if !accepted || json.Unmarshal(call.Now().Answer, &c.state) != nil || c.state.Status == "" {
			return errUnknown
		}
		if c.state.Status != model.RunRunning || c.state.Barrier != "" || time.Now().After(by) {
			return nil
		}
		p.idle()
	}
}
