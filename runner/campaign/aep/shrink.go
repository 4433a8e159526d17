package aep

import (
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/shrink"
)

// simpler lists the replacements of an operation for shrinking.
func simpler(o Operation) []Operation {
	var out []Operation
	add := func(change func(*Operation)) {
		other := o
		other.steps = slices.Clone(o.steps)
		if change(&other); other.String() != o.String() && other.valid("") == nil {
			out = append(out, other)
		}
	}
	add(func(o *Operation) { o.steps = nil })
	for i, a := range o.steps {
		add(func(o *Operation) { o.steps = slices.Delete(o.steps, i, i+1) })
		if a.size > 1 {
			add(func(o *Operation) { o.steps[i].size = 1 })
			add(func(o *Operation) { o.steps[i].size /= 2 })
			add(func(o *Operation) { o.steps[i].size-- })
		}
		if known(a.class) {
			add(func(o *Operation) { o.steps[i].class = ascii })
		}
	}
	add(func(o *Operation) { o.brings = none })
	add(func(o *Operation) { o.stalled, o.over = false, "" })
	add(func(o *Operation) { o.choice = 0 })
	if o.kind == makeRequest {
		add(func(o *Operation) { o.class = ascii })
		add(func(o *Operation) { o.size = 1 })
	}
	add(func(o *Operation) { o.count = min(o.count, 1) })
	add(func(o *Operation) { o.count /= 2 })
	add(func(o *Operation) { o.thread = 0 })
	return out
}

// Shrunk returns a shorter program that breaks the same requirement; again plays one.
func Shrunk(f *Failure, most int, again func(Program) *Failure) *Failure {
	p, fails := f.Program, campaign.FailsAgain(&f, again)
	if one := slices.IndexFunc(p.alone(), fails); one >= 0 {
		p = p.alone()[one]
	}
	shrink.List(p.operations, shrink.Made(simpler), most, func(operations []Operation) bool {
		shorter := p
		shorter.operations = operations
		return fails(shorter)
	})
	for _, head := range []Program{{threads: 1}, {threads: p.threads}, {threads: 1, two: p.two}} {
		head.operations, head.timed = f.Program.operations, p.timed
		fits := !slices.ContainsFunc(head.operations, func(o Operation) bool { return o.thread >= head.threads })
		if fits && head.String() != f.Program.String() && fails(head) {
			break
		}
	}
	return f
}

// alone returns programs with the operations of one thread each, if the program has several.
func (p Program) alone() (out []Program) {
	for _, operations := range shrink.Alone(p.operations, func(o *Operation) *int { return &o.thread }) {
		out = append(out, Program{threads: 1, timed: p.timed, operations: operations})
	}
	return out
}
