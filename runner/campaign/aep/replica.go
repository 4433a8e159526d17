package aep

import (
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
