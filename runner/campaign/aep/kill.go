package aep

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target"
)

// Kills reports whether the program kills the server.
func (p Program) Kills() bool {
	return slices.ContainsFunc(p.operations, func(o Operation) bool { return o.kind == kill || o.kind == fall || o.kind == meet })
}

// kill kills the server, whatever its agents are at, and starts it again. Every response is cut by that; each of the agents
// may have been let go on just before.
func (p *play) kill(crossing bool) error {
	for _, t := range p.threads {
		for _, live := range t.live {
			if crossing && live.id != "" {
				if err := p.release(live); err != nil {
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
func (p *play) die(t *turn) error {
	t.conn.Cut()
	t.conn.DropAfter(t.conn.Taken())
	if err := campaign.At(t.conn.Exchange, t.Die()); err != nil {
		return err
	}
	if t.headed {
		return p.judged(t)
	}
	p.session.Forget(t.conn)
	return nil
}

// restart kills the server and starts it again.
func (p *play) restart() error {
	p.kills++
	if err := p.session.Restart(); err != nil {
		if !errors.Is(err, target.ErrNoProgram) {
			err = fmt.Errorf("after %d kills: %w", p.kills, err)
		}
		return err
	}
	p.world.Restart()
	return nil
}

// meet makes a request, with the result of an action if there is one, and kills the server before anything has come of it.
func (p *play) meet(t *thread) error {
	if err := p.finishAll(t); err != nil {
		return err
	}
	o := Operation{kind: ask, count: 1, class: plain, size: 1, acts: []act{{"text", words, 2}}}
	if len(t.Open()) > 0 {
		o.brings = one
	}
	turn, _, err := p.join(t, o)
	if err != nil || turn == nil {
		return err
	}
	if p.sent%2 == 0 {
		turn.conn.Sent()
	}
	return p.kill(false)
}

// mortal begins a conversation whose server is killed behind each thing that has to last, in another order in each program.
func mortal(r *rand.Rand, number int, claims func(string) bool) []Operation {
	die := func() Operation {
		return Operation{kind: campaign.Pick(r, kill, kill, kill, fall), thread: 0}
	}
	says := Operation{kind: ask, count: 1 + r.IntN(2), class: plain, size: 3, acts: []act{{"text", words, 3}, {"tool", plain, 4}, {"text", words, 2}}}
	knows := Operation{kind: ask, count: 1, class: plain, size: 2, acts: []act{{"text", words, 2}, {name: "echo", class: "history"}}}
	waits := Operation{kind: ask, count: 1, class: plain, size: 2, acts: []act{{"text", words, 2}, {name: "await"}, {"text", words, 2}}}
	other := knows
	other.thread = 1
	blocks := [][]Operation{
		{says, die(), knows, die(), knows, die(), knows}, {waits, die(), knows, waits, {kind: next}, die(), knows}, {says, other, die(), knows, other, die(), other},
	}
	if acting(claims) {
		asks := Operation{kind: ask, count: 1, class: plain, size: 1, acts: []act{{"text", words, 1}, {"continue", plain, 2}, {"continue", sample, 3}, {"continue", plain, 4}}}
		bring := func(what outcome) Operation {
			return Operation{kind: ask, count: 1, class: plain, size: 1 + r.IntN(3), brings: what, acts: []act{{"text", words, 1}, {name: "echo", class: "results"}}}
		}
		stops := bring(one)
		stops.acts = []act{{"text", words, 1}, {name: "await"}, {"text", words, 1}}
		twice := bring(again)
		blocks = append(blocks, []Operation{asks, die(), bring(one), die(), bring(again), bring(besideOld), bring(one), die(), twice, twice},
			[]Operation{asks, die(), {kind: meet}, bring(one), bring(failed), die(), bring(again)},
			[]Operation{asks, stops, die(), bring(retried), bring(one), die(), bring(mixed), die(), twice, twice},
			[]Operation{asks, bring(all), die(), asks, die(), bring(all), die(), twice, twice})
	}
	var out []Operation
	for i := range 3 {
		out = append(out, blocks[(number+2*i+r.IntN(2))%len(blocks)]...)
		out = append(out, Operation{kind: finish})
	}
	if claims("auth") {
		out = append(out, Operation{kind: intrude})
	}
	return out
}

// held is the requirement that a thread breaks which serves nobody any more.
func (p *play) held() string {
	if p.kills > 0 {
		return "aep.durable.threads"
	}
	return "aep.flow.disconnect"
}
