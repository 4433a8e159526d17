package aep

import (
	"errors"
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target"
)

// Kills reports whether the program kills the server.
func (p Program) Kills() bool {
	return slices.ContainsFunc(p.operations, func(o Operation) bool { return o.kind == kill || o.kind == fall || o.kind == meet })
}

// crashing ends the server, and begins it again.
type crashing struct {
	play  *play // of which it is a part
	kills int   // of the server
}

// kill kills the server, whatever its agents do, and starts it again. Every response is interrupted by that; each of the
// agents may have continued just before.
func (p *crashing) kill(crossing bool) error {
	for _, t := range p.play.threads {
		for _, live := range t.live {
			if crossing && live.id != "" {
				if err := p.play.turns.release(live); err != nil {
					return err
				}
			}
			if err := p.die(live); err != nil {
				return err
			}
		}
		t.live = nil
	}
	return p.restart()
}

// die cuts a response as a kill does.
func (p *crashing) die(t *turn) error {
	t.conn.Disconnect()
	t.conn.DropAfter(t.conn.Taken())
	if err := campaign.At(t.conn.Exchange, t.Die()); err != nil {
		return err
	}
	if t.headed {
		return p.play.turns.judged(t)
	}
	p.play.session.Forget(t.conn)
	return nil
}

// restart kills the server and starts it again.
func (p *crashing) restart() error {
	p.kills++
	if err := p.play.session.Restart(); err != nil {
		if !errors.Is(err, target.ErrNoProgram) {
			err = fmt.Errorf("after %d kills: %w", p.kills, err)
		}
		return err
	}
	p.play.world.Restart()
	return nil
}

// meet sends a request, with the result of an action if there is one, and kills the server before a response.
func (p *crashing) meet(t *thread, choice int) error {
	if err := p.play.turns.finishAll(t); err != nil {
		return err
	}
	o := Operation{kind: makeRequest, choice: choice, count: 1, class: ascii, size: 1, steps: []step{{"text", words, 2}}}
	if len(t.Open()) > 0 {
		o.brings = one
	}
	turn, _, err := p.play.join(t, o)
	if err != nil || turn == nil {
		return err
	}
	if choice%2 == 0 {
		turn.conn.Sent()
	}
	return p.kill(false)
}

// unresponsive returns the requirement that an unresponsive thread violates.
func (p *crashing) unresponsive() string {
	if p.kills > 0 {
		return "aep.durable.threads"
	}
	return "aep.flow.disconnect"
}
