package play

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"
)

// runs has the operations on runs.
type runs struct {
	env      *env // shared by all parts of the play
	calls    caller
	readers  *readers
	bounds   *bounds
	changes  *changes
	cursors  *cursors
	outputs  *outputs
	runCalls *runCalls
	runKills *runKills
}

// run performs an operation on a stream that runs write.
func (p *runs) run(s *stream, o program.Operation) error {
	switch {
	case o.Kind == program.Start:
		return p.start(s, o)
	case !s.made:
		return nil // its first run creates it
	}
	switch o.Kind {
	case program.Attach, program.Leave, program.Resume, program.Receive, program.ReadOn:
		return p.readers.reads(s, o)
	case program.AttachBriefly:
		return p.bounds.attachBriefly(s, o.Who)
	case program.Reset:
		return p.renew(s)
	case program.Remove:
		return p.discard(s, o)
	case program.CrashAmid, program.SupersedeAmid:
		return p.runKills.stopMidway(s, o)
	case program.Kill, program.KillAmid:
		return p.runKills.crashNow(s, o)
	}
	if s.runProgress == nil {
		return nil
	}
	switch o.Kind {
	case program.Info:
		return p.calls.info(s)
	case program.Snapshot, program.SnapshotWithoutPartial:
		return p.outputs.page(s, o.Kind == program.Snapshot)
	case program.MakeInvalidCalls:
		return p.runCalls.makeInvalidCalls(s, o.Who)
	case program.ReadAll:
		return p.outputs.inspect(s, true)
	case program.WaitForLate:
		return p.outputs.waitForLate(s)
	}
	if s.runProgress.Over() {
		return nil
	}
	return p.steer(s, o)
}

// start starts a run. A stream whose run isn't finished must refuse it: helix.runs.refused.
func (p *runs) start(s *stream, o program.Operation) error {
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
	first, err := p.runCalls.startOne(s, o, script)
	if err != nil {
		return err
	}
	if s.runProgress != nil {
		if first.accepted {
			return campaign.Broken(first.call, "helix.runs.refused", "4xx", fmt.Sprint(first.call.Now().Status), "a second run was begun on a stream whose run isn't finished")
		}
		p.env.counts["helix.runs.refused"]++
		return nil
	}
	if !first.accepted || first.id == "" {
		return p.unstarted(s, first)
	}
	s.made = true
	s.runProgress = &runProgress{Run: runmodel.New(p.env.counts, script), id: first.id, before: s.Sent()}
	s.runProgress.After(s.former)
	if err := s.runProgress.Begin(s.initialState, o.Schema); err != nil {
		return err
	}
	return p.outputs.inspect(s, false)
}

// renew resets the stream of a finished run for the next one.
func (p *runs) renew(s *stream) error {
	if s.runProgress == nil || !s.Finished() || !p.env.target.Claims("reset") {
		return nil
	}
	_, accepted, err := p.calls.call(s, "helix.truncation.reset-empties", "POST", "/reset", map[string]any{})
	if err != nil || !accepted {
		return err
	}
	p.env.session.Removed(s.id)
	s.Reset()
	s.former, s.runProgress = s.runProgress.Announced(), nil
	return nil
}

// discard deletes the stream in any state of its run, for the next one under its id.
func (p *runs) discard(s *stream, o program.Operation) error {
	if s.runProgress != nil { // a stored snapshot must not be returned for the next stream
		if err := p.outputs.page(s, true); err != nil {
			return err
		}
	}
	gone, err := p.cursors.erase(s, o.Class)
	if err != nil || !gone {
		return err
	}
	p.env.session.Given(s.id, nil)
	s.Produce()
	s.runProgress, s.made, s.initialState = nil, false, ""
	return nil
}

// steer makes the call of an operation if the state of the run allows it, and compares the result with the model.
func (p *runs) steer(s *stream, o program.Operation) error {
	c := s.runProgress
	if o.Kind == program.GoOn {
		o = c.next(o.Who)
	}
	switch o.Kind {
	case program.Release:
		if all := c.Barriers(); len(all) > 0 {
			barrier := all[o.Who%len(all)]
			return p.runCalls.did(s, "helix.text.concatenation", "release", map[string]any{"barrier": barrier}, func() { c.Release(barrier) }, false)
		}
	case program.Approve, program.Deny, program.HandIn:
		return p.runCalls.answer(s, o)
	case program.Interrupt:
		switch c.Status() {
		case runmodel.Running:
			return p.runCalls.did(s, "helix.runs.interrupted", "interrupt", p.reason(o.Class), c.Interrupt, true)
		case runmodel.Paused: // it may be refused
			return p.runCalls.tried(s, "helix.runs.interrupted", "interrupt", p.reason(o.Class), c.Interrupt)
		}
	case program.GoBack:
		if c.Status() == runmodel.Interrupted {
			return p.goBack(s, o)
		}
	case program.Crash:
		if c.Status() == runmodel.Running || c.Status() == runmodel.Paused {
			return p.runCalls.crash(s)
		}
	case program.Retry:
		if c.Status() == runmodel.Interrupted || c.Status() == runmodel.Paused {
			return p.runCalls.tried(s, "helix.runs.resumed", "retry", map[string]any{}, c.Retry)
		}
	case program.Supersede:
		if c.Status() == runmodel.Running {
			return p.runCalls.tried(s, "helix.runs.superseded", "supersede", nil, c.Supersede)
		}
	case program.Rollback, program.Branch:
		if o.Who == program.ToStart && c.Start() != "" { // a server may have lost its start
			return p.restarts(s, o.Kind)
		}
		if all := c.Checkpoints(); len(all) > 0 {
			n := o.Who % len(all)
			body := map[string]any{"checkpointId": all[n]}
			if o.Kind == program.Branch {
				return p.runCalls.tried(s, "helix.resync.written", "branch", body, func() { c.Branch(n) })
			}
			return p.runCalls.did(s, "helix.resync.written", "rollback", body, func() { c.Rollback(n) }, true)
		}
	}
	return nil
}

// restarts returns a run to its start, or branches from there.
func (p *runs) restarts(s *stream, how program.Kind) error {
	c, then := s.runProgress, s.runProgress.Restart
	switch {
	case how == program.Branch && !c.Undone(): // a branch removes nothing
		return nil
	case how == program.Branch:
		then = func() { c.Branch(-1) }
	}
	return p.runCalls.tried(s, "helix.resync.written", string(how), map[string]any{"checkpointId": c.Start()}, then)
}

// reason returns the body of an interruption for a "short" or a "long" reason, or for none.
func (p *runs) reason(length string) map[string]any {
	text := "the user pressed stop"
	switch length {
	case "long":
		text = strings.Repeat(text+". ", int(min(200, p.env.target.Limits().Within().String/int64(len(text+". ")))))
	case "":
		return map[string]any{}
	}
	return map[string]any{"reason": text}
}

// goBack resumes an interrupted run, from its latest checkpoint or from another one.
func (p *runs) goBack(s *stream, o program.Operation) error {
	c, body := s.runProgress, map[string]any{"mode": o.Script}
	all := c.Checkpoints()
	if o.Who == 0 || len(all) == 0 || c.state.Status != runmodel.Interrupted {
		then := func() { c.Resume(o.Script) }
		if o.Twice && p.env.target.Model() == nil {
			return p.runCalls.resumeAtOnce(s, body, then)
		}
		return p.runCalls.did(s, "helix.runs.resumed", "resume", body, then, false)
	}
	n := (o.Who - 1) % len(all)
	body["fromCheckpointId"] = all[n]
	return p.runCalls.did(s, "helix.runs.resumed", "resume", body, func() { c.ResumeFrom(o.Script, n) }, true)
}

// unstarted returns the error for a run that wasn't started. Scenarios judge which scripts can be played, and a server
// may refuse a run on a stream that a writer wrote.
func (p *runs) unstarted(s *stream, a attempt) error {
	v := a.call.Now()
	written := s.Sent() > 0 && s.former == nil
	if !a.accepted && (written || v.Status != http.StatusNotFound && v.Status != http.StatusConflict && v.Status != http.StatusGone) {
		return campaign.ErrUnknown
	}
	return &campaign.UnableError{Doing: "a run was started on the stream " + s.id, Answer: v}
}

const (
	// mostSteers bounds the operations until a run is over.
	mostSteers = 200
	// readAgain is the number of these operations after which all chunks are read again.
	readAgain = 4
	// longestEnd bounds their time after the deadline of the program: each would wait if the server holds back the
	// chunks of its runs.
	longestEnd = 10 * time.Second
)

// conclude lets the run continue until it is over, or until the bounds of operations and time.
func (p *runs) conclude(s *stream) error {
	for n := range mostSteers {
		if by := p.env.options.By; s.runProgress == nil || !by.IsZero() && time.Now().After(by.Add(longestEnd)) {
			return nil
		}
		if n == 0 {
			if err := p.outputs.waitForLate(s); err != nil {
				return err
			}
		}
		if s.runProgress.Over() {
			if err := p.outputs.page(s, false); err != nil || s.Finished() { // all readers receive the end first
				return err
			}
			return p.outputs.page(s, true)
		}
		if n == readAgain { // a program may have inspected new chunks only
			if err := p.outputs.inspect(s, true); err != nil {
				return err
			}
		}
		if err := p.steer(s, program.Operation{Kind: program.GoOn, Who: 7 * n}); err != nil {
			return err
		}
	}
	return nil
}
