package helix

import (
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/shrink"
)

// simpler lists what may stand in for an operation in a program that is shrunk. Scripts are written when they are tried: all
// of them at once would be more than a run may hold.
func simpler(o Operation) []func() Operation {
	out := shrink.Made(changed)(o)
	if o.kind == start {
		for _, script := range simplerScripts(o.script) {
			out = append(out, func() Operation {
				next := o
				next.script = script()
				return next
			})
		}
	}
	return out
}

// changed are operations that differ in one thing, which is simpler.
func changed(o Operation) []Operation {
	var out []Operation
	add := func(change func(*Operation)) {
		other := o
		if change(&other); other != o {
			out = append(out, other)
		}
	}
	switch o.kind {
	case write:
		add(func(o *Operation) { o.count = 1 })
		add(func(o *Operation) { o.count = o.count / 2 })
		add(func(o *Operation) { o.count-- })
		add(func(o *Operation) { o.class = asciiText })
		add(func(o *Operation) { o.size = 1 })
		add(func(o *Operation) { o.size /= 2 })
		add(func(o *Operation) { o.each = 1 })
		add(func(o *Operation) { o.each = o.count })
		add(func(o *Operation) { o.who = 1 })
		add(func(o *Operation) { o.step = stepless })
		out = slices.DeleteFunc(out, func(o Operation) bool { return o.count < 1 || o.size < 1 || o.each < 1 })
	case attach, resume, leave, receive, readOn:
		add(func(o *Operation) { o.over = "" })
		add(func(o *Operation) { o.query = "" })
		add(func(o *Operation) { o.who = 1 })
	case end, fail:
		add(func(o *Operation) { o.class = asciiText })
	case attachBriefly:
		add(func(o *Operation) { o.who = 1 })
	case start:
		add(func(o *Operation) { o.state = "" })
		add(func(o *Operation) { o.schema = "" })
	case invalidCursors:
		add(func(o *Operation) { o.query = "" })
		add(func(o *Operation) { o.cursor = 0 })
	case disconnectAt:
		add(func(o *Operation) { o.who = 1 })
		add(func(o *Operation) { o.size = 1 })
	case race:
		add(func(o *Operation) { o.amid, o.step = "", 0 })
		add(func(o *Operation) { o.killed = min(o.killed, 1) })
		add(func(o *Operation) { o.concurrently = 1 })
		add(func(o *Operation) { o.again = false })
		add(func(o *Operation) { o.who = 2 })
		add(func(o *Operation) { o.each = 1 })
		add(func(o *Operation) { o.count = max(1, o.count/2) })
	}
	if o.stream > 0 {
		add(func(o *Operation) { o.stream = 0 })
	}
	return out
}

// Shrunk is a shorter program that breaks the same requirement; again plays one.
func Shrunk(f *Failure, most int, again func(Program) *Failure) *Failure {
	p, fails := f.Program, campaign.FailsAgain(&f, again)
	if one := slices.IndexFunc(p.alone(), fails); one >= 0 {
		p = p.alone()[one]
	}
	shrink.List(p.operations, simpler, most, func(operations []Operation) bool {
		shorter := p
		shorter.operations = operations
		return fails(shorter)
	})
	for _, simpler := range []Program{{streams: 1, runs: p.runs, operations: f.Program.operations}, {streams: p.streams, runs: p.runs, operations: f.Program.operations}} {
		one := !slices.ContainsFunc(simpler.operations, func(o Operation) bool { return o.stream >= simpler.streams })
		if one && simpler.head() != f.Program.head() && fails(simpler) {
			break
		}
	}
	return f
}

// alone are programs of what is done to one stream each, where the program has several.
func (p Program) alone() (out []Program) {
	for _, operations := range shrink.Alone(p.operations, func(o *Operation) *int { return &o.stream }) {
		out = append(out, Program{streams: 1, runs: p.runs, operations: operations})
	}
	return out
}
