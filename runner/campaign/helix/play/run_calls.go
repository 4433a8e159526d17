package play

import (
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// startRun starts a run with the server's model, if the suite plays it and it supports the script, else by a call.
func (p runs) startRun(s *stream, o program.Operation) (id string, call *target.Exchange, accepted bool, err error) {
	run := helix.Run{Stream: s.id, Stepwise: true}
	if err := json.Unmarshal([]byte(o.Script), &run.Script); err != nil {
		return "", nil, false, err
	}
	if o.Schema != "" {
		run.Schema = json.RawMessage(o.Schema)
	}
	started, err := helix.StartRun(p.session, run)
	if _, missing := target.IsUnavailable(err); missing {
		return "", nil, false, err
	}
	accepted, err = p.calls.answered("helix.runs.refused", started.Call, err)
	return started.ID, started.Call, accepted, err
}

// did makes a call that the run must accept, reports it to the model, and inspects the stream.
func (p runs) did(s *stream, rule, how string, body any, then func(), removes bool) error {
	if removes || how == "resume" {
		p.session.Removed(s.id)
	}
	call, accepted, err := p.calls.control(rule, "POST", s.runProgress.path(how), body, false)
	if err != nil {
		return err
	}
	if !accepted {
		return campaign.Broken(call, rule, "2xx", fmt.Sprintf("%d %s", call.Now().Status, call.Now().Answer), "a run that is %s refused the call %s", s.runProgress.Status(), how)
	}
	then()
	return p.outputs.inspect(s, removes)
}

// tried makes a call that the run may refuse. Later calls go to the run that the answer names, if it names one.
func (p runs) tried(s *stream, rule, how string, body any, then func()) error {
	p.session.Removed(s.id)
	call, accepted, err := p.calls.control(rule, "POST", s.runProgress.path(how), body, false)
	if err != nil {
		return err
	}
	if accepted {
		then()
		var answer struct {
			RunID string `json:"runId"`
		}
		if json.Unmarshal(call.Now().Answer, &answer) == nil && answer.RunID != "" {
			s.runProgress.id = answer.RunID
		}
	}
	return p.outputs.inspect(s, true)
}

// crash stops the executor and has the run recover, which it may already have done.
func (p runs) crash(s *stream) error {
	if !p.target.Claims("checkpoints") {
		return nil
	}
	p.session.Removed(s.id)
	_, accepted, err := p.calls.control("helix.resync.written", "POST", s.runProgress.path("crash"), nil, false)
	if err != nil || !accepted {
		return err
	}
	if _, _, err := p.calls.control("helix.resync.written", "POST", s.runProgress.path("resume"), map[string]any{"mode": "crash_recovery"}, false); err != nil {
		return err
	}
	if s.runProgress.Status() == runmodel.Paused {
		s.runProgress.Crash()
	} else {
		s.runProgress.Recover()
	}
	return p.outputs.inspect(s, true)
}
