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

// kill kills the server while nothing is under way but readers read, and starts it again. They come back.
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

// restart kills the server and starts it again. One that doesn't come back breaks what it is there for.
func (p crashKind) restart() error {
	p.kills++
	if err := p.session.Restart(); err != nil && !errors.Is(err, target.ErrNoProgram) {
		return fmt.Errorf("after %d kills: %w", p.kills, err)
	} else if err != nil {
		return err
	}
	return nil
}

// depart cuts every reader of every stream and returns those that were connected.
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

// comeBack tells the streams of the restart, but for one that knows of it, and connects readers again, each where it was.
func (p crashKind) comeBack(away []*reader, knows *stream) error {
	for _, s := range p.streams {
		clear(s.writers) // a server may know them still, or not
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
		if err := p.changes.reopened(s); err != nil { // that a writer is closed lasts, too
			return err
		}
	}
	return nil
}

func newDeath(after int) *death {
	return &death{after: int64(after), near: make(chan struct{}), initialState: make(chan struct{}), over: make(chan struct{})}
}

// answered counts an answer.
func (d *death) answered() {
	if d.answers.Add(1) == d.after {
		close(d.near)
	}
}

// past reports whether the server was killed and is there again.
func (d *death) past() bool {
	select {
	case <-d.over:
		return true
	default:
		return false
	}
}

// explains reports whether something that went wrong, and was begun when the kill was past or not, did so because of it. It
// returns when the server is there again.
func (d *death) explains(past bool) bool {
	if past || d.after == 0 {
		return false
	}
	select {
	case <-d.initialState:
		<-d.over
		return true
	default:
		return false
	}
}

// kill kills the server when so many calls were answered, or all were made.
func (c *contest) kill(made <-chan struct{}) {
	defer close(c.death.over)
	select {
	case <-c.death.near:
	case <-made:
	}
	close(c.death.initialState)
	c.note(streammodel.Call{Kills: true}, nil)
	if err := c.p.crashKind.restart(); err != nil {
		c.failed(err)
	}
}

// outlived says of the calls that weren't answered that they may have been carried out until the server was there again.
func (c *contest) outlived() {
	for i := range c.calls {
		if c.calls[i].Unknown {
			c.calls[i].Answered = int64(time.Since(c.began))
		}
	}
}

// isOver asks whether an end that wasn't answered has finished the stream: then it takes no writer, or no chunk.
func (c *contest) isOver() bool {
	e, err := helix.AskInfo(c.p.session, target.DocumentRequest{Stream: c.s.id})
	if err != nil {
		return false // who reads it says so
	}
	var info struct{ Status streammodel.Status }
	return json.Unmarshal(e.Now().Answer, &info) == nil && (info.Status == streammodel.Ended || info.Status == streammodel.Failed)
}

// arrive connects readers of runs again, each where it was.
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
