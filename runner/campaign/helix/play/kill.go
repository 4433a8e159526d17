package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// kill kills the server while readers are attached and no call is pending, and starts it again. The readers reconnect.
func (p crashKind) kill() error {
	away, err := p.depart()
	if err == nil {
		err = p.restart()
	}
	if err != nil {
		return err
	}
	return p.comeBack(away, nil)
}

// restart kills the server and starts it again. The error is target.ErrNoProgram if the suite can't restart it.
func (p crashKind) restart() error {
	p.kills++
	if err := p.session.Restart(); err != nil && !errors.Is(err, target.ErrNoProgram) {
		return fmt.Errorf("after %d kills: %w", p.kills, err)
	} else if err != nil {
		return err
	}
	return nil
}

// depart disconnects every reader of every stream and returns those that can resume.
func (p crashKind) depart() (away []*reader, err error) {
	for _, s := range p.streams {
		for slot := 1; slot <= program.MostReaders+1; slot++ {
			r := s.readers[slot]
			if r == nil || r.conn == nil {
				continue
			}
			if err := p.readerOps.disconnect(r); err != nil {
				return nil, err
			}
			if r.stalled = false; p.target.Claims("resume") {
				away = append(away, r)
			} else {
				delete(s.readers, slot)
			}
		}
	}
	return away, nil
}

// comeBack reports the restart to the models of all streams but one that has it already, and reconnects readers.
func (p crashKind) comeBack(away []*reader, knows *stream) error {
	for _, s := range p.streams {
		clear(s.writers) // a server may still know them or not
		if s != knows {
			s.Restart()
		}
	}
	for _, r := range away {
		if err := p.readerOps.connectAgain(r); err != nil {
			return err
		}
	}
	for _, s := range p.streams {
		if err := p.changes.reopened(s); err != nil { // a closed writer must stay closed
			return err
		}
	}
	return nil
}

func newDeath(after int) *death {
	return &death{after: int64(after), near: make(chan struct{}), started: make(chan struct{}), over: make(chan struct{})}
}

// answered counts an answer.
func (d *death) answered() {
	if d.answers.Add(1) == d.after {
		close(d.near)
	}
}

// past reports whether the server was killed and has started again.
func (d *death) past() bool {
	select {
	case <-d.over:
		return true
	default:
		return false
	}
}

// explains reports whether the kill explains the failure of a call. past is the value of past before the call. It
// returns after the server has started again.
func (d *death) explains(past bool) bool {
	if past || d.after == 0 {
		return false
	}
	select {
	case <-d.started:
		<-d.over
		return true
	default:
		return false
	}
}

// kill kills the server after the declared number of answers, or when all calls were made.
func (c *contest) kill(made <-chan struct{}) {
	defer close(c.death.over)
	select {
	case <-c.death.near:
	case <-made:
	}
	close(c.death.started)
	c.note(streammodel.Call{Kills: true}, nil)
	if err := c.p.crashKind.restart(); err != nil {
		c.failed(err)
	}
}

// outlived marks the calls without an answer as possible until the server has started again.
func (c *contest) outlived() {
	for i := range c.calls {
		if c.calls[i].Unknown {
			c.calls[i].Answered = int64(time.Since(c.began))
		}
	}
}

// isOver reports whether an unanswered end has finished the stream, after which it accepts no writer and no chunk.
func (c *contest) isOver() bool {
	e, err := helix.GetInfo(c.p.session, target.DocumentRequest{Stream: c.s.id})
	if err != nil {
		return false // the readers report it
	}
	var info struct{ Status streammodel.Status }
	return json.Unmarshal(e.Now().Answer, &info) == nil && (info.Status == streammodel.Ended || info.Status == streammodel.Failed)
}

// arrive reconnects readers of runs, each from its position.
func (p crashKind) arrive(away []*reader) error {
	for _, r := range away {
		if err := p.readerOps.connectAgain(r); err != nil {
			return err
		}
	}
	for _, other := range p.streams {
		if other.Finished() {
			if err := p.readerOps.dismiss(other); err != nil {
				return err
			}
		}
	}
	return nil
}
