package play

import (
	"errors"
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/target"
)

// kills kills the server and starts it again.
type kills struct {
	env     *env // shared by all parts of the play
	readers *readers
	changes *changes
	count   int // of the server so far
}

// kill kills the server while readers are attached and no call is pending, and starts it again. The readers reconnect.
func (p *kills) kill() error {
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
func (p *kills) restart() error {
	p.count++
	err := p.env.session.Restart()
	if err != nil && !errors.Is(err, target.ErrNoProgram) {
		return fmt.Errorf("after %d kills: %w", p.count, err)
	}
	return err
}

// depart disconnects every reader of every stream and returns those that can resume.
func (p *kills) depart() (away []*reader, err error) {
	for _, s := range p.env.streams {
		for slot := 1; slot <= program.MostReaders+1; slot++ {
			r := s.readers[slot]
			if r == nil || r.conn == nil {
				continue
			}
			if err := p.readers.disconnect(r); err != nil {
				return nil, err
			}
			if r.stalled = false; p.env.target.Claims("resume") {
				away = append(away, r)
			} else {
				delete(s.readers, slot)
			}
		}
	}
	return away, nil
}

// comeBack reports the restart to the models of all streams but one that has it already, and reconnects readers.
func (p *kills) comeBack(away []*reader, knows *stream) error {
	for _, s := range p.env.streams {
		clear(s.writers) // a server may still know them or not
		if s != knows {
			s.Restart()
		}
	}
	for _, r := range away {
		if err := p.readers.connectAgain(r); err != nil {
			return err
		}
	}
	for _, s := range p.env.streams {
		if err := p.changes.reopened(s); err != nil { // a closed writer must stay closed
			return err
		}
	}
	return nil
}

// arrive reconnects readers of runs, each from its position.
func (p *kills) arrive(away []*reader) error {
	for _, r := range away {
		if err := p.readers.connectAgain(r); err != nil {
			return err
		}
	}
	for _, other := range p.env.streams {
		if other.Finished() {
			if err := p.readers.dismiss(other); err != nil {
				return err
			}
		}
	}
	return nil
}
