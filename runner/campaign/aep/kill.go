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

// crashing ends the server, and begins it again.
type crashing struct{ *play }

// kill kills the server, whatever its agents are at, and starts it again. Every response is cut by that; each of the agents
// may have been let go on just before.
func (p crashing) kill(crossing bool) error {
	for _, t := range p.threads {
		for _, live := range t.live {
			if crossing && live.id != "" {
				if err := p.turns.release(live); err != nil {
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
func (p crashing) die(t *turn) error {
	t.conn.Disconnect()
	t.conn.DropAfter(t.conn.Taken())
	if err := campaign.At(t.conn.Exchange, t.Die()); err != nil {
		return err
	}
	if t.headed {
		return p.turns.judged(t)
	}
	p.session.Forget(t.conn)
	return nil
}

// restart kills the server and starts it again.
func (p crashing) restart() error {
	p.kills++
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

// meet sends a request, with the result of an action if there is one, and kills the server before a response.
func (p crashing) meet(t *thread, choice int) error {
	if err := p.turns.finishAll(t); err != nil {
		return err
	}
	o := Operation{kind: ask, choice: choice, count: 1, class: plain, size: 1, acts: []act{{"text", words, 2}}}
	if len(t.Open()) > 0 {
		o.brings = one
	}
	turn, _, err := p.join(t, o)
	if err != nil || turn == nil {
		return err
	}
	if choice%2 == 0 {
		turn.conn.Sent()
	}
	return p.kill(false)
}

// crashHistories begins a conversation whose server is killed after each durable change, in a different order in each program.
func crashHistories(r *rand.Rand, number int, claims func(string) bool) []Operation {
	blocks := lasting(r, claims, Operation{kind: meet}, func() Operation {
		return Operation{kind: campaign.Pick(r, kill, kill, kill, fall), thread: 0}
	})
	out, ends := burdened(r, number, claims)
	for i := range 3 {
		out = append(out, blocks[(number+2*i+r.IntN(2))%len(blocks)]...)
		out = append(out, Operation{kind: finish})
	}
	if out = append(out, ends...); claims("auth") {
		out = append(out, Operation{kind: intrude})
	}
	return out
}

// burdened returns threads that begin with an error in every other program, and of which one then contains large and
// unusual data and an action that first fails: all of it must be durable. ends are the results sent last.
func burdened(r *rand.Rand, number int, claims func(string) bool) (begins, ends []Operation) {
	if number%2 > 0 {
		return nil, nil
	}
	fails := Operation{kind: ask, thread: 3, count: 1, class: plain, size: 2, acts: []act{{"text", words, 2}, {name: "fail", class: failures[number%len(failures)]}}}
	begins = []Operation{fails}
	if number == 0 {
		holds := Operation{kind: ask, thread: 2, count: 2, class: every, size: r.IntN(campaign.Texts()), acts: []act{{"text", campaign.Pick(r, unbroken...), 66_000}}}
		begins = append(begins, holds)
	}
	if !acting(claims) {
		return begins, nil
	}
	on := func(o Operation) Operation {
		o.thread = 2
		return o
	}
	vain := on(answers(r, one))
	vain.acts = append(vain.acts, fails.acts[1])
	stray := answers(r, besideMore) // a result of another thread's action
	stray.brings = campaign.Pick(r, besideMore, elsewhere)
	return append(begins, on(inquires()), vain, on(answers(r, retried))), []Operation{inquires(), stray, on(answers(r, again))}
}

// lasting returns conversations in which between happens after each durable change. tries sends a result that fails.
func lasting(r *rand.Rand, claims func(string) bool, tries Operation, between func() Operation) [][]Operation {
	says := Operation{kind: ask, count: 1 + r.IntN(2), class: plain, size: 3, acts: []act{{"text", words, 3}, {"tool", plain, 4}, {"text", words, 2}}}
	other := recalls()
	other.thread = 1
	blocks := [][]Operation{
		{says, between(), recalls(), between(), recalls(), between(), recalls()}, {pauses(), between(), recalls(), pauses(), {kind: next}, between(), recalls()},
		{says, other, between(), recalls(), other, between(), other},
	}
	if !acting(claims) {
		return blocks
	}
	stops := answers(r, one)
	stops.acts = []act{{"text", words, 1}, {name: "await"}, {"text", words, 1}}
	twice := answers(r, again)
	return append(blocks, []Operation{inquires(), between(), answers(r, one), between(), answers(r, again), answers(r, besideOld), answers(r, one), between(), twice, twice},
		[]Operation{inquires(), between(), tries, answers(r, one), answers(r, failed), between(), answers(r, again)},
		[]Operation{inquires(), stops, between(), answers(r, retried), answers(r, one), between(), answers(r, mixed), between(), twice, twice},
		[]Operation{inquires(), answers(r, all), between(), inquires(), between(), answers(r, all), between(), twice, twice})
}

// recalls returns a request whose agent repeats the history.
func recalls() Operation {
	return Operation{kind: ask, count: 1, class: plain, size: 2, acts: []act{{"text", words, 2}, {name: "echo", class: "history"}}}
}

// pauses returns a request whose agent waits in the midst of its answer.
func pauses() Operation {
	return Operation{kind: ask, count: 1, class: plain, size: 2, acts: []act{{"text", words, 2}, {name: "await"}, {"text", words, 2}}}
}

// inquires returns a request whose agent asks for three things.
func inquires() Operation {
	return Operation{kind: ask, count: 1, class: plain, size: 1, acts: []act{{"text", words, 1}, {"continue", plain, 2}, {"continue", sample, 3}, {"continue", plain, 4}}}
}

// answers returns a request that brings results, and repeats them.
func answers(r *rand.Rand, what outcome) Operation {
	return Operation{kind: ask, count: 1, class: plain, size: 1 + r.IntN(3), brings: what, acts: []act{{"text", words, 1}, {name: "echo", class: "results"}}}
}

// held returns the requirement that an unresponsive thread violates.
func (p crashing) held() string {
	if p.kills > 0 {
		return "aep.durable.threads"
	}
	return "aep.flow.disconnect"
}
