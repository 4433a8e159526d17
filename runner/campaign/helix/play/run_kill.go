package play

import (
	"encoding/json"
	"strconv"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// runKills stops runs while they work.
type runKills struct {
	env      *env // shared by all parts of the play
	calls    caller
	readers  *readers
	kills    *kills
	outputs  *outputs
	runCalls *runCalls
}

// crashNow kills the server during its runs and starts it again. Another executor then takes over each run, which
// continues as before. It does nothing if a run is interrupted, since no rule says what becomes of that.
func (p *runKills) crashNow(s *stream, o program.Operation) error {
	if !p.env.target.Claims("supersede") || !p.env.target.Claims("info") {
		return nil
	}
	for _, other := range p.env.streams {
		if c := other.runProgress; c != nil && !c.Over() && c.Status() != runmodel.Running && c.Status() != runmodel.Paused {
			return nil
		}
	}
	away, err := p.kills.depart()
	if err == nil && o.Kind == program.KillAmid {
		err = p.killAmid(s, o)
	} else if err == nil {
		err = p.kills.restart()
	}
	if err != nil {
		return err
	}
	for _, other := range p.env.streams {
		other.Restart()
	}
	for _, other := range p.env.streams {
		if other.runProgress != nil && !other.Finished() {
			if err := p.takeOver(other); err != nil {
				return err
			}
		}
	}
	return p.kills.arrive(away)
}

// killAmid kills the server while a run works, or where the run waits for an answer.
func (p *runKills) killAmid(s *stream, o program.Operation) error {
	done, err := p.amid(s, o.Who)
	if err != nil {
		return err
	}
	if err = p.kills.restart(); done != nil {
		done()
	}
	return err
}

// takeOver has another executor take over a run that a restart has interrupted, and releases the released barriers again.
func (p *runKills) takeOver(s *stream) error {
	c := s.runProgress
	p.env.session.Removed(s.id)
	call, err := p.env.session.Call("POST", c.path("supersede"), nil, true)
	accepted, err := p.calls.answered("helix.durable.runs", call, err)
	if err != nil {
		return err
	}
	if !accepted {
		return p.outlived(s)
	}
	var answer struct {
		RunID string `json:"runId"`
	}
	if json.Unmarshal(call.Now().Answer, &answer) == nil && answer.RunID != "" {
		c.id = answer.RunID
	}
	for _, barrier := range c.Released() {
		if _, _, err := p.calls.control("helix.text.concatenation", "POST", c.path("release"), map[string]any{"barrier": barrier}, false); err != nil {
			return err
		}
	}
	c.TakeOver()
	return p.outputs.inspect(s, true)
}

// outlived checks a run whose server refuses a takeover: the run was over before the kill, or the server doesn't
// support it, as it may. In the latter case the play ends without a result.
func (p *runKills) outlived(s *stream) error {
	c := s.runProgress
	if _, err := p.outputs.latest(s); err != nil {
		return err
	}
	if !c.Over() || c.streamStatus != streammodel.Ended && (c.streamStatus != streammodel.Failed || c.Status() != runmodel.Failed) {
		return campaign.ErrUnknown
	}
	log, terminal, e, err := p.outputs.everything(s, nil, 0)
	if err != nil {
		return err
	}
	if err := p.outputs.compare(s, log, terminal, e, true); err != nil {
		return err
	}
	if terminal == nil {
		return campaign.ErrUnknown
	}
	s.Finish(*terminal)
	return p.readers.dismiss(s)
}

// amid lets a run continue from a barrier, and returns when a reader has received so many chunks of it, or the run is
// settled. The returned function ends the reader. It is nil where the run doesn't wait at a barrier, or has an answer
// in its open step: only a settled run shows whether that is lost with its executor.
func (p *runKills) amid(s *stream, chunks int) (done func(), err error) {
	c := s.runProgress
	if c == nil || c.Over() || len(c.Barriers()) == 0 || c.Answered() {
		return nil, nil
	}
	barrier := c.Barriers()[0]
	var conn *target.Reader
	if chunks > 0 {
		latest := strconv.FormatInt(s.Sent(), 10)
		if conn, err = helix.Attach(p.env.session, target.ReadRequest{Stream: s.id, Hidden: true, Origin: record.Produced, Cursor: &latest}); err != nil {
			return nil, err
		}
	}
	_, accepted, err := p.calls.control("helix.text.concatenation", "POST", c.path("release"), map[string]any{"barrier": barrier}, false)
	if err != nil || !accepted {
		return nil, err
	}
	c.Release(barrier)
	if conn == nil {
		return func() {}, nil
	}
	received, settled := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(received)
		for n := 0; n < chunks; {
			f, err := conn.Next("what the run writes before it is stopped", p.env.target.By())
			if err != nil || f == nil {
				return
			}
			if f.Dispatched() {
				n++
			}
		}
	}()
	go func() {
		defer close(settled)
		_, _ = p.env.session.Call("GET", "/runs/"+target.EscapeSegment(c.id)+"?settled", nil, true) // a kill may interrupt it
	}()
	select {
	case <-received:
	case <-settled:
	}
	return func() {
		conn.Disconnect()
		<-received
		<-settled
		p.env.session.Forget(conn)
	}, nil
}

// stopMidway lets a run continue, and stops its executor while it works, by a crash or by another executor. Work of the
// stopped executor, such as the timeout of a sub-agent, must end with it. Readers leave before and come back
// afterwards: no rule says which of the removed chunks they would receive.
func (p *runKills) stopMidway(s *stream, o program.Operation) error {
	if !p.env.target.Claims("info") || !p.env.target.Claims("resume") {
		return nil
	}
	away, err := p.kills.depart()
	if err != nil {
		return err
	}
	done, err := p.amid(s, o.Who)
	if err != nil {
		return err
	}
	c := s.runProgress
	switch {
	case done == nil:
	case c.Over():
		err = p.outputs.inspect(s, true)
	case o.Kind == program.CrashAmid:
		err = p.runCalls.crash(s)
	case c.Status() == runmodel.Running:
		err = p.runCalls.tried(s, "helix.runs.superseded", "supersede", nil, c.Supersede)
	default:
		err = p.outputs.inspect(s, true)
	}
	if done != nil {
		done()
	}
	if err != nil {
		return err
	}
	return p.kills.arrive(away)
}
