package play

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/model"
	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// unknownID is an id that no server has returned.
const unknownID = "nobody-has-this-id"

// makeInvalidCalls makes the nth call that the run's state doesn't allow, and checks that it had no effect.
func (p *runCalls) makeInvalidCalls(s *stream, n int) error {
	c := s.runProgress
	if c.Status() == runmodel.Running || c.Over() {
		if err := p.resumeTwice(c); err != nil {
			return err
		}
	}
	how, body := p.invalidCall(s, n)
	if how == "" {
		return nil
	}
	_, accepted, err := p.calls.control("helix.runs.refused", "POST", c.path(how), body, false)
	if err != nil {
		return err
	}
	if accepted && how != "tool-result" && how != "release" {
		return campaign.ErrUnknown // no rule says what it does
	}
	if c.Over() {
		return nil // the reads at the end check it
	}
	return p.outputs.inspect(s, false)
}

// resumeTwice resumes a run that isn't interrupted.
func (p *runCalls) resumeTwice(c *runProgress) error {
	call, accepted, err := p.calls.control("helix.runs.refused", "POST", c.path("resume"), map[string]any{"mode": "meddle"}, false)
	if err != nil {
		return err
	}
	if accepted {
		return campaign.Broken(call, "helix.runs.refused", "4xx", fmt.Sprint(call.Now().Status), "a run that is %s was resumed", c.Status())
	}
	p.env.counts["helix.runs.refused"]++
	return nil
}

// invalidCall returns the nth call that must be refused or change nothing: an answer to a finished call, to one of another run or
// to none, an unknown checkpoint, an interruption or a return of a finished run, another executor for an interrupted
// run, a barrier at which no call waits.
func (p *runCalls) invalidCall(s *stream, n int) (how string, body map[string]any) {
	c := s.runProgress
	id := ended(c)
	if n%3 == 2 {
		id = unknownID
		if other := p.env.streams[n/3%len(p.env.streams)]; other != s && other.runProgress != nil {
			id = ended(other.runProgress)
		}
	}
	if open(c, id) { // ids of calls are only unique within an agent
		id = unknownID
	}
	if again := namesake(c); again != "" && c.Status() == runmodel.Paused && n%2 == 1 { // a second decision isn't one for the next call
		return "tool-result", map[string]any{"toolCallId": again, "approved": true}
	}
	if c.Status() == runmodel.Paused && n%4 == 1 { // may be accepted in any state
		return "release", map[string]any{"barrier": unknownID}
	}
	if c.Status() == runmodel.Paused && n%4 == 3 {
		return "tool-result", map[string]any{"toolCallId": cmp.Or(id, unknownID), "approved": n%8 == 3}
	}
	if c.Status() == runmodel.Interrupted && n%2 == 1 && p.env.target.Claims(program.Needs[program.Supersede]) {
		return "supersede", map[string]any{}
	}
	switch n % 5 {
	case 0, 1:
		if id == "" {
			return "", nil
		}
		if n%5 == 0 {
			return "tool-result", map[string]any{"toolCallId": id, "approved": n%2 == 0}
		}
		return "tool-result", map[string]any{"toolCallId": id, "result": "late"}
	case 2:
		if all := c.Checkpoints(); c.Over() && len(all) > 0 {
			return "rollback", map[string]any{"checkpointId": all[0]}
		}
		return "rollback", map[string]any{"checkpointId": unknownID}
	case 3:
		if c.Status() != runmodel.Running && c.Status() != runmodel.Paused {
			return "interrupt", map[string]any{}
		}
		return "branch", map[string]any{"checkpointId": unknownID}
	}
	if c.Status() == runmodel.Interrupted {
		return "resume", map[string]any{"mode": "meddle", "fromCheckpointId": unknownID}
	}
	return "retry", map[string]any{"checkpointId": unknownID}
}

// ended returns the toolCallId of a finished call, "" if there is none.
func ended(c *runProgress) (id string) {
	for _, l := range c.log {
		if l.Text("type") == "tool_end" {
			id = l.Text("toolCallId")
		}
	}
	return id
}

// namesake returns the toolCallId of a finished call of a tool with a later call that isn't finished; "" if there is none.
func namesake(c *runProgress) string {
	over, open := map[string]string{}, ""
	for _, l := range c.log {
		switch name := l.Text("toolName"); l.Text("type") {
		case "tool_end":
			over[name], open = l.Text("toolCallId"), ""
		case "tool_start":
			open = name
		}
	}
	return over[open]
}

// open reports whether a call of that id works or waits.
func open(c *runProgress, id string) (open bool) {
	for _, l := range c.log {
		if l.Text("toolCallId") == id {
			open = l.Text("type") != "tool_end"
		}
	}
	return open
}

// runCalls makes calls of runs.
type runCalls struct {
	env     *env // shared by all parts of the play
	calls   caller
	outputs *outputs
}

// startOne starts a run, or has two clients start it, of which one must be refused.
func (p *runCalls) startOne(s *stream, o program.Operation, script runmodel.Script) (a attempt, err error) {
	if o.Twice && s.runProgress == nil && p.env.target.Model() == nil {
		return p.startTwice(s, o, script)
	}
	a.id, a.call, a.accepted, err = p.startRun(s, o)
	return a, err
}

// startTwice has two clients start a run concurrently. One must be refused until the run is over: helix.runs.refused.
func (p *runCalls) startTwice(s *stream, o program.Operation, script runmodel.Script) (attempt, error) {
	one, both, err := twice(func() (a attempt) {
		a.id, a.call, a.accepted, a.err = p.startRun(s, o)
		return a
	})
	if err != nil || !both {
		return one, err
	}
	run := runmodel.New(model.OccasionCounts{}, script)
	if err := run.Begin(s.initialState, o.Schema); err != nil || run.Over() {
		return one, campaign.ErrUnknown
	}
	return one, campaign.Broken(one.call, "helix.runs.refused", "one of them refused", fmt.Sprint(one.call.Now().Status), "two clients began a run on a stream at once")
}

// resumeAtOnce has two clients resume an interrupted run concurrently. The second must be refused if the run is running
// by then: helix.runs.refused.
func (p *runCalls) resumeAtOnce(s *stream, body any, then func()) error {
	const rule = "helix.runs.refused"
	p.env.session.Removed(s.id)
	c := s.runProgress
	one, both, err := twice(func() (a attempt) {
		a.call, a.accepted, a.err = p.calls.control(rule, "POST", c.path("resume"), body, false)
		return a
	})
	switch {
	case err != nil:
		return err
	case !one.accepted:
		return campaign.Broken(one.call, "helix.runs.resumed", "2xx", fmt.Sprint(one.call.Now().Status), "a run that is %s refused to be resumed, by two clients at once", c.Status())
	}
	then()
	switch {
	case both && c.Status() == runmodel.Running:
		return campaign.Broken(one.call, rule, "one of them refused", fmt.Sprint(one.call.Now().Status), "two clients resumed a run at once")
	case both:
		return campaign.ErrUnknown // the second may have come when the run was settled again, for which no rule exists
	}
	p.env.counts.Saw(rule)
	return p.outputs.inspect(s, false)
}

// startRun starts a run with the server's model, if the suite plays it and it supports the script, else by a call.
func (p *runCalls) startRun(s *stream, o program.Operation) (id string, call *target.Exchange, accepted bool, err error) {
	run := helix.Run{Stream: s.id, Stepwise: true}
	if err := json.Unmarshal([]byte(o.Script), &run.Script); err != nil {
		return "", nil, false, err
	}
	if o.Schema != "" {
		run.Schema = json.RawMessage(o.Schema)
	}
	started, err := helix.StartRun(p.env.session, run)
	if _, missing := target.IsUnavailable(err); missing {
		return "", nil, false, err
	}
	accepted, err = p.calls.answered("helix.runs.refused", started.Call, err)
	return started.ID, started.Call, accepted, err
}

// did makes a call that the run must accept, reports it to the model, and inspects the stream.
func (p *runCalls) did(s *stream, rule, how string, body any, then func(), removes bool) error {
	if removes || how == "resume" {
		p.env.session.Removed(s.id)
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
func (p *runCalls) tried(s *stream, rule, how string, body any, then func()) error {
	p.env.session.Removed(s.id)
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
func (p *runCalls) crash(s *stream) error {
	if !p.env.target.Claims("checkpoints") {
		return nil
	}
	p.env.session.Removed(s.id)
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

// answer answers a waiting call: with a decision if it needs consent, else with a result or an error.
func (p *runCalls) answer(s *stream, o program.Operation) error {
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
