package play

import (
	"strconv"

	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// amid lets a run continue from a barrier, and returns when a reader has received so many chunks of it, or the run is
// settled. The returned function ends the reader. It is nil where the run doesn't wait at a barrier, or has an answer
// in its open step: only a settled run shows whether that is lost with its executor.
func (p runs) amid(s *stream, chunks int) (done func(), err error) {
	c := s.runProgress
	if c == nil || c.Over() || len(c.Barriers()) == 0 || c.Answered() {
		return nil, nil
	}
	barrier := c.Barriers()[0]
	var conn *target.Reader
	if chunks > 0 {
		latest := strconv.FormatInt(s.Sent(), 10)
		if conn, err = helix.Attach(p.session, target.ReadRequest{Stream: s.id, Hidden: true, Origin: record.Produced, Cursor: &latest}); err != nil {
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
			f, err := conn.Next("what the run writes before it is stopped", p.target.By())
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
		_, _ = p.session.Call("GET", "/runs/"+target.EscapeSegment(c.id)+"?settled", nil, true) // a kill may interrupt it
	}()
	select {
	case <-received:
	case <-settled:
	}
	return func() {
		conn.Disconnect()
		<-received
		<-settled
		p.session.Forget(conn)
	}, nil
}

// stopMidway lets a run continue, and stops its executor while it works, by a crash or by another executor. Work of the
// stopped executor, such as the timeout of a sub-agent, must end with it. Readers leave before and come back
// afterwards: no rule says which of the removed chunks they would receive.
func (p runs) stopMidway(s *stream, o program.Operation) error {
	if !p.target.Claims("info") || !p.target.Claims("resume") {
		return nil
	}
	away, err := p.crashKind.depart()
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
		err = p.crash(s)
	case c.Status() == runmodel.Running:
		err = p.tried(s, "helix.runs.superseded", "supersede", nil, c.Supersede)
	default:
		err = p.outputs.inspect(s, true)
	}
	if done != nil {
		done()
	}
	if err != nil {
		return err
	}
	return p.crashKind.arrive(away)
}
