package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// runProgress is a run on the server's own runtime, from its start to the reset of its stream.
type runProgress struct {
	*runmodel.Run
	id          string
	state       runState // as of the last answer
	before      int64    // the greatest id that was sent before it began
	log         []*streammodel.Produced
	call        *target.Exchange   // where it was asked for last
	word        streammodel.Status // of the stream, as StreamInfo said it last; "" if it wasn't asked for
	inspections int                // so far
	delayed     bool               // a reader waited in vain for what was written
	gone        int64              // the latest sequence when something was removed last
}

// runState is the answer to the call that asks for a run.
type runState struct {
	Status     runmodel.Status `json:"status"`
	Barrier    string          `json:"barrier"`
	ToolCallID string          `json:"toolCallId"`
}

// runs are the operations on runs.
type runs struct{ *play }

// run performs one operation on a stream that runs write.
func (p runs) run(s *stream, o program.Operation) error {
	switch {
	case o.Kind == program.Start:
		return p.start(s, o)
	case !s.made:
		return nil // its first run makes it
	}
	switch o.Kind {
	case program.Attach, program.Leave, program.Resume, program.Receive, program.ReadOn:
		return p.readerOps.reads(s, o)
	case program.AttachBriefly:
		return p.inspections.attachBriefly(s, o.Who)
	case program.Reset:
		return p.renew(s)
	case program.Remove:
		return p.discard(s)
	case program.CrashAmid, program.SupersedeAmid:
		return p.rash(s, o)
	case program.Kill, program.KillAmid:
		return p.crashKind.crashNow(s, o)
	}
	if s.runProgress == nil {
		return nil
	}
	switch o.Kind {
	case program.Info:
		return p.inspections.info(s)
	case program.Snapshot, program.SnapshotWithoutPartial:
		return p.outputs.page(s, o.Kind == program.Snapshot)
	case program.MakeInvalidCalls:
		return p.makeInvalidCalls(s)
	case program.WaitForLate:
		return p.outputs.waitForLate(s)
	}
	if s.runProgress.Over() {
		return nil
	}
	return p.steer(s, o)
}

// start begins a run. On a stream whose run isn't finished it must be refused: helix.runs.refused.
func (p runs) start(s *stream, o program.Operation) error {
	script, err := runmodel.ParseScript([]byte(o.Script))
	if err != nil {
		return err
	}
	if s.Finished() {
		return nil
	}
	if err := p.changes.given(s, o.State); err != nil {
		return err
	}
	first, err := p.concurrent.startOne(s, o, script)
	if err != nil {
		return err
	}
	if s.runProgress != nil {
		if first.accepted {
			return campaign.Broken(first.call, "helix.runs.refused", "4xx", fmt.Sprint(first.call.Now().Status), "a second run was begun on a stream whose run isn't finished")
		}
		p.ledger["helix.runs.refused"]++
		return nil
	}
	if !first.accepted || first.id == "" {
		return p.unstarted(s, first)
	}
	s.made = true
	s.runProgress = &runProgress{Run: runmodel.New(p.ledger, script), id: first.id, before: s.Sent()}
	s.runProgress.After(s.former)
	if err := s.runProgress.Begin(s.initialState, o.Schema); err != nil {
		return err
	}
	return p.outputs.inspect(s, false)
}

// startRun starts a run by the model of the server where the kit plays that and it can say what the script says, and else by
// the control binding.
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
	accepted, err = p.answered("helix.runs.refused", started.Call, err)
	return started.ID, started.Call, accepted, err
}

// renew empties the stream of a run that is over, so that another may begin.
func (p runs) renew(s *stream) error {
	if s.runProgress == nil || !s.Finished() || !p.target.Claims("reset") {
		return nil
	}
	_, accepted, err := p.call(s, "helix.truncation.reset-empties", "POST", "/reset", map[string]any{})
	if err != nil || !accepted {
		return err
	}
	p.session.Removed(s.id)
	s.Reset()
	s.former, s.runProgress = s.runProgress.Announced(), nil
	return nil
}

func (c *runProgress) path(how string) string {
	return "/runs/" + target.EscapeSegment(c.id) + "/" + how
}

// discard deletes the stream, whatever its run does, so that another may begin under its id.
func (p runs) discard(s *stream) error {
	gone, err := p.cursorOps.erase(s)
	if err != nil || !gone {
		return err
	}
	p.session.Given(s.id, nil)
	s.Produce()
	s.runProgress, s.made, s.initialState = nil, false, ""
	return nil
}

// steer makes the call of an operation, if the run is in a state for it, and looks at what comes of it.
func (p runs) steer(s *stream, o program.Operation) error {
	c := s.runProgress
	if o.Kind == program.GoOn {
		if p.turns++; c.Status() == runmodel.Paused && p.turns%3 == 0 { // nothing but an answer lets it go on
			if err := p.makeInvalidCalls(s); err != nil {
				return err
			}
		}
		o = c.next(p.turns * 7)
	}
	switch o.Kind {
	case program.Release:
		if all := c.Barriers(); len(all) > 0 {
			barrier := all[o.Who%len(all)]
			return p.did(s, "helix.text.concatenation", "release", map[string]any{"barrier": barrier}, func() { c.Release(barrier) }, false)
		}
	case program.Approve, program.Deny, program.HandIn:
		return p.answer(s, o)
	case program.Interrupt:
		switch c.Status() {
		case runmodel.Running:
			return p.did(s, "helix.runs.interrupted", "interrupt", p.reason(), c.Interrupt, true)
		case runmodel.Paused: // it may be refused
			return p.tried(s, "helix.runs.interrupted", "interrupt", p.reason(), c.Interrupt)
		}
	case program.GoBack:
		if c.Status() == runmodel.Interrupted {
			return p.goBack(s, o)
		}
	case program.Crash:
		if c.Status() == runmodel.Running || c.Status() == runmodel.Paused {
			return p.crash(s)
		}
	case program.Retry:
		if c.Status() == runmodel.Interrupted || c.Status() == runmodel.Paused {
			return p.tried(s, "helix.runs.resumed", "retry", map[string]any{}, c.Retry)
		}
	case program.Supersede:
		if c.Status() == runmodel.Running {
			return p.tried(s, "helix.runs.superseded", "supersede", nil, c.Supersede)
		}
	case program.Rollback, program.Branch:
		if o.Who == program.ToStart && c.Start() != "" { // a server may have forgotten it
			return p.restarts(s, o.Kind)
		}
		if all := c.Checkpoints(); len(all) > 0 {
			n := o.Who % len(all)
			body := map[string]any{"checkpointId": all[n]}
			if o.Kind == program.Branch {
				return p.tried(s, "helix.resync.written", "branch", body, func() { c.Branch(n) })
			}
			return p.did(s, "helix.resync.written", "rollback", body, func() { c.Rollback(n) }, true)
		}
	}
	return nil
}

// restarts lets a run go back to its start, or into a session of its own that begins there.
func (p runs) restarts(s *stream, how program.Kind) error {
	c, then := s.runProgress, s.runProgress.Restart
	switch {
	case how == program.Branch && !c.Undone(): // it removes nothing
		return nil
	case how == program.Branch:
		then = func() { c.Branch(-1) }
	}
	return p.tried(s, "helix.resync.written", string(how), map[string]any{"checkpointId": c.Start()}, then)
}

// reason is the body of an interruption, with a reason each second time, which is long every fourth time.
func (p runs) reason() map[string]any {
	text := "the user pressed stop"
	switch p.turns++; p.turns % 4 {
	case 0:
		text = strings.Repeat(text+". ", int(min(200, p.target.Limits().Within().String/int64(len(text+". ")))))
	case 2:
	default:
		return map[string]any{}
	}
	return map[string]any{"reason": text}
}

// next is what lets the run go on from where it is; of several things that wait, who says which.
func (c *runProgress) next(who int) program.Operation {
	switch _, consent := c.Calls(); {
	case c.Status() == runmodel.Interrupted:
		return program.Operation{Kind: program.GoBack, Script: data.ResumeModes[who%len(data.ResumeModes)]}
	case len(c.Barriers()) > 0:
		return program.Operation{Kind: program.Release, Who: who}
	case len(consent) > 0 && consent[who%len(consent)] && who%3 == 0:
		return program.Operation{Kind: program.Deny, Who: who}
	case len(consent) > 0 && consent[who%len(consent)]:
		return program.Operation{Kind: program.Approve, Who: who}
	}
	return program.Operation{Kind: program.HandIn, Who: who, Script: data.CallResults[who/2%len(data.CallResults)]}
}

// goBack resumes an interrupted run, from its latest checkpoint or from another one.
func (p runs) goBack(s *stream, o program.Operation) error {
	c, body := s.runProgress, map[string]any{"mode": o.Script}
	all := c.Checkpoints()
	if o.Who == 0 || len(all) == 0 || c.state.Status != runmodel.Interrupted {
		then := func() { c.Resume(o.Script) }
		if p.concurrent.pair() {
			return p.concurrent.resumeAtOnce(s, body, then)
		}
		return p.did(s, "helix.runs.resumed", "resume", body, then, false)
	}
	n := (o.Who - 1) % len(all)
	body["fromCheckpointId"] = all[n]
	return p.did(s, "helix.runs.resumed", "resume", body, func() { c.ResumeFrom(o.Script, n) }, true)
}

// did makes a call that the run must accept, tells the model, and looks.
func (p runs) did(s *stream, rule, how string, body any, then func(), removes bool) error {
	if removes || how == "resume" {
		p.session.Removed(s.id)
	}
	call, accepted, err := p.control(rule, "POST", s.runProgress.path(how), body, false)
	if err != nil {
		return err
	}
	if !accepted {
		return campaign.Broken(call, rule, "2xx", fmt.Sprintf("%d %s", call.Now().Status, call.Now().Answer), "a run that is %s refused the call %s", s.runProgress.Status(), how)
	}
	then()
	return p.outputs.inspect(s, removes)
}

// tried makes a call that the run may refuse, which then changes nothing. The answer may name another run to steer.
func (p runs) tried(s *stream, rule, how string, body any, then func()) error {
	p.session.Removed(s.id)
	call, accepted, err := p.control(rule, "POST", s.runProgress.path(how), body, false)
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

// crash kills the executor and lets the run recover, which it may have done by itself.
func (p runs) crash(s *stream) error {
	if !p.target.Claims("checkpoints") {
		return nil
	}
	p.session.Removed(s.id)
	_, accepted, err := p.control("helix.resync.written", "POST", s.runProgress.path("crash"), nil, false)
	if err != nil || !accepted {
		return err
	}
	if _, _, err := p.control("helix.resync.written", "POST", s.runProgress.path("resume"), map[string]any{"mode": "crash_recovery"}, false); err != nil {
		return err
	}
	if s.runProgress.Status() == runmodel.Paused {
		s.runProgress.Crash()
	} else {
		s.runProgress.Recover()
	}
	return p.outputs.inspect(s, true)
}

// unstarted says what follows from a run that wasn't started. Whether a script can be played is for scenarios to say, and
// whether a stream takes a run that somebody wrote to is the server's choice.
func (p runs) unstarted(s *stream, a attempt) error {
	v := a.call.Now()
	written := s.Sent() > 0 && s.former == nil
	if !a.accepted && (written || v.Status != http.StatusNotFound && v.Status != http.StatusConflict && v.Status != http.StatusGone) {
		return campaign.ErrUnknown
	}
	return &campaign.UnableError{Doing: "a run was started on the stream " + s.id, Answer: v}
}

// settle waits until the run of a stream has nothing left to do before somebody acts. A server that answers at once is
// asked again, and so is one that doesn't answer while its run goes on: how long a script takes is the server's affair, as
// long as something comes of it.
func (p runs) settle(s *stream) error {
	c := s.runProgress
	written := int64(0)
	for since := time.Now(); ; {
		call, err := p.session.Call("GET", "/runs/"+target.EscapeSegment(c.id)+"?settled", nil, false)
		if errors.As(err, new(*target.TimeoutError)) && p.outputs.grew(s, &written) {
			since = time.Now()
			continue
		}
		var missing *target.UnavailableError
		if told := c.state.Status != ""; errors.As(err, &missing) && missing.Status != 0 && told { // it was there before
			err = nil
		}
		accepted, err := p.answered("helix.text.concatenation", call, err)
		if err != nil {
			return err
		}
		c.state, c.call = runState{}, call
		if !accepted || json.Unmarshal(call.Now().Answer, &c.state) != nil || c.state.Status == "" {
			return &campaign.UnableError{Doing: "the state of the run " + c.id + " was asked for", Answer: call.Now()}
		}
		if c.state.Status != runmodel.Running || c.state.Barrier != "" || p.target.Overdue(since) {
			return nil
		}
		p.outputs.idle()
	}
}
