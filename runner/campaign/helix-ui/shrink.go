package helixui

import (
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/shrink"
)

// line is one line of a program: where a turn begins, or an operation.
type line struct {
	turn *turn     // nil for an operation
	op   Operation // undefined if turn is set
}

// lines returns the lines of the program, for shrinking.
func (p Program) lines() []line {
	var out []line
	for _, t := range p.turns {
		out = append(out, line{turn: &turn{chat: t.chat, concurrent: t.concurrent, choice: t.choice}})
		for _, o := range t.operations {
			out = append(out, line{op: o})
		}
	}
	return out
}

// program makes a program from lines. The first must begin a turn for it to be valid.
func program(lines []line) Program {
	var p Program
	for _, l := range lines {
		switch n := len(p.turns); {
		case l.turn != nil:
			p.turns = append(p.turns, *l.turn)
		case n > 0:
			p.turns[n-1].operations = append(p.turns[n-1].operations, l.op)
		}
	}
	return p
}

// simpler lists the replacements of a line for shrinking.
func (l line) simpler() []line {
	var out []line
	if l.turn != nil {
		if l.turn.concurrent {
			out = append(out, line{turn: &turn{chat: l.turn.chat, choice: l.turn.choice}})
		}
		if l.turn.choice > 0 {
			out = append(out, line{turn: &turn{chat: l.turn.chat, concurrent: l.turn.concurrent}})
		}
		return out
	}
	for _, o := range l.op.Simpler() {
		out = append(out, line{op: o})
	}
	return out
}

// Shrunk returns a shorter program that breaks the same requirement; again plays one.
func Shrunk(f *Failure, most int, again func(Program) *Failure) *Failure {
	fails := campaign.FailsAgain(&f, again)
	shrink.List(f.Program.lines(), shrink.Made(line.simpler), most, func(lines []line) bool {
		shorter := program(lines)
		return shorter.valid() == nil && fails(shorter)
	})
	return f
}
