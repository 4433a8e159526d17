package aep

import (
	"math/rand/v2"
	"slices"
)

// Moves reports whether the program asks several replicas of the server.
func (p Program) Moves() bool {
	return slices.ContainsFunc(p.operations, func(o Operation) bool { return o.kind == move })
}

// move sends later requests to the next replica. Active responses are read from theirs. With one address it changes
// nothing.
func (p *play) move() error {
	n := p.target.Replicas()
	if n < 2 {
		return nil
	}
	p.replica, p.moved = p.replica%n+1, true
	return p.session.TurnTo(p.replica)
}

// at makes calls on a request at the replica that answers it: another one needn't know it.
func (p *play) at(t *turn, calls func() error) error {
	if t.Replica == p.replica {
		return calls()
	}
	if err := p.session.TurnTo(t.Replica); err != nil {
		return err
	}
	defer func() { _ = p.session.TurnTo(p.replica) }() // the one before
	return calls()
}

// moving returns a conversation whose next request goes to another replica after each change that all must know, in a
// different order in each program.
func moving(r *rand.Rand, number int, claims func(string) bool) []Operation {
	turns := Operation{kind: move}
	end := Operation{kind: cancel}
	if !claims(needs[cancel]) {
		end.kind = leave
	}
	blocks := [][]Operation{
		// Two concurrent requests, of which the second ends first; and one whose replica changes before it is cancelled.
		{pauses(), turns, recalls(), {kind: heed}, {kind: finish}, recalls(), turns, recalls()},
		{pauses(), turns, end, recalls(), pauses(), turns, {kind: leave}, recalls()},
	}
	if acting(claims) {
		more := answers(r, one)
		more.steps = append(more.steps, step{"continue", ascii, 3}, step{"continue", ascii, 5})
		stops := answers(r, one)
		stops.steps = []step{{"text", words, 1}, {name: "await"}, {"text", words, 1}}
		blocks = append(blocks, [][]Operation{
			{inquires(), turns, answers(r, one), turns, more, turns, answers(r, all), answers(r, again), turns, answers(r, again)},
			{inquires(), turns, {kind: concurrentResults}, {kind: concurrentResults}, answers(r, again), turns, answers(r, again)},
			{inquires(), stops, turns, answers(r, again), answers(r, withRepeated), {kind: finish}, answers(r, again)},
		}...)
	}
	blocks = append(blocks, lasting(r, claims, Operation{kind: concurrentResults}, func() Operation { return turns })...)
	out, ends := burdened(r, number, claims)
	for i := range 4 {
		out = append(out, blocks[(4*number+i)%len(blocks)]...)
		out = append(out, Operation{kind: finish})
	}
	if out = append(out, ends...); claims("auth") {
		out = append(out, turns, Operation{kind: intrude})
	}
	return out
}
