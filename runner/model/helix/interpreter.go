package helix

import "slices"

// deed is what came of an act, as far as it has come.
type deed struct {
	*act
	over   bool    // a call or a child has ended
	result any     // of it
	fails  *string // what it failed with
	denied bool
	late   bool // a child's time has run out
	fault  *fault
	within []*deed   // of a child
	sides  [][]*deed // of branches
	output *any      // of a child
	state  state     // of a child, as it is
	staged state     // of a child that fails when its script is over: with what its last step wrote

	from, to int // where it begins and ends among the chunks, once they were looked at; -1 where that isn't known
}

// last is where all that came of it ends, -1 where that isn't known.
func (d *deed) last() int {
	end := d.to
	for _, side := range d.sides {
		for _, inner := range side {
			end = max(end, inner.last())
		}
	}
	return end
}

// inOrder are deeds with those of their branches and children.
func inOrder(deeds []*deed) []*deed {
	var out []*deed
	for _, d := range deeds {
		out = append(append(out, d), inOrder(d.within)...)
		for _, side := range d.sides {
			out = append(out, inOrder(side)...)
		}
	}
	return out
}

// halt is why a course can't go on by itself.
type halt struct {
	barriers []string
	calls    []*act // that wait for an answer
	fatal    *fault
	text     string // of the fatal error
}

func (h *halt) resting() bool { return len(h.barriers)+len(h.calls) > 0 }

func (h *halt) stopped() bool { return h.resting() || h.fatal != nil }

// Answer is what a call that waits is given.
type Answer struct {
	Approved *bool
	Result   any
	Error    *string
}

// walk is a look at what a script has come to.
type walk struct {
	released map[string]bool
	answers  map[*act][]Answer
	state    state // that is being written
	branch   int   // 0 outside of parallel ones
	branches int   // so far
	output   *any
	halt     halt
}

// acts follows acts in their order until one can't go on.
func (w *walk) acts(acts []*act) []*deed {
	var out []*deed
	for _, a := range acts {
		d := &deed{act: a, from: -1, to: -1}
		if w.act(d) {
			out = append(out, d)
		}
		if w.halt.stopped() {
			break
		}
	}
	return out
}

// act follows one act, and reports whether readers learn of it by itself.
func (w *walk) act(d *deed) (shown bool) {
	a := d.act
	switch a.kind {
	case "set":
		w.state.set(a.name, a.value)
	case "delete":
		w.state.remove(a.name)
	case "append":
		w.state.append(a.name, a.items, w.branch)
	case "output":
		w.output = &a.value
	case "await":
		w.await(a.text)
	case "error", "stop":
		d.fault = a.fault()
		if d.fault != nil && !d.fault.goesOn {
			w.halt.fatal, w.halt.text = d.fault, a.text
		}
		return d.fault != nil
	case "tool":
		w.call(d)
		return true
	case "parallel":
		w.parallel(d)
		return true
	case "subagent":
		w.child(d)
		return true
	default:
		return true
	}
	return false
}

func (w *walk) await(barrier string) bool {
	if !w.released[barrier] {
		w.halt.barriers = append(w.halt.barriers, barrier)
	}
	return w.released[barrier]
}

func (w *walk) call(d *deed) {
	answers := w.answers[d.act]
	next := func() *Answer {
		if len(answers) == 0 {
			w.halt.calls = append(w.halt.calls, d.act)
			return nil
		}
		first := answers[0]
		answers = answers[1:]
		return &first
	}
	if d.consent {
		a := next()
		if a == nil {
			return
		}
		if d.denied = a.Approved == nil || !*a.Approved; d.denied {
			d.over = true
			return
		}
	}
	if d.client {
		a := next()
		if a == nil {
			return
		}
		d.over, d.result, d.fails = true, a.Result, a.Error
		return
	}
	if d.waits != "" && !w.await(d.waits) {
		return
	}
	d.over, d.result, d.fails = true, d.act.result, d.act.fails
}

// parallel follows each branch as far as it goes.
func (w *walk) parallel(d *deed) {
	var all halt
	outer := w.branch
	for _, branch := range d.branches {
		w.branches++
		w.branch, w.halt = w.branches, halt{}
		d.sides = append(d.sides, w.acts(branch))
		all.barriers, all.calls = append(all.barriers, w.halt.barriers...), append(all.calls, w.halt.calls...)
		if all.fatal == nil {
			all.fatal, all.text = w.halt.fatal, w.halt.text
		}
	}
	w.branch, w.halt = outer, all
}

// child follows a sub-agent. What fails in it fails the child alone.
func (w *walk) child(d *deed) {
	inner := &walk{released: w.released, answers: w.answers, state: state{}}
	d.state = state{}
	for i, step := range d.branches {
		inner.state = d.state.clone()
		d.within = append(d.within, inner.acts(step)...)
		if d.act.fails != nil && i == len(d.branches)-1 && !inner.halt.stopped() { // it fails at the end of that step, or behind it
			d.staged = inner.state
			break
		}
		if inner.halt.stopped() {
			break
		}
		d.state = inner.state
	}
	switch {
	case inner.halt.resting() && d.limit > 0:
		d.over, d.late = true, true
		return
	case inner.halt.resting():
		w.halt = inner.halt
		return
	}
	if d.over = true; inner.halt.fatal != nil || d.act.fails != nil {
		return
	}
	if d.output = inner.output; d.output != nil {
		d.result = *d.output
	}
}

// failed says whether a child ended badly.
func (d *deed) failed() bool {
	return d.late || d.act.fails != nil || slices.ContainsFunc(d.within, func(i *deed) bool { return i.fault != nil && !i.fault.goesOn })
}
