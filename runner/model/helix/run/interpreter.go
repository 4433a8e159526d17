package run

import "slices"

// executedStep is the execution of a script step, as far as it has come.
type executedStep struct {
	*scriptStep
	over          bool              // a call or a sub-agent has ended
	result        any               // of it
	fails         *string           // its error; nil if it doesn't fail
	denied        bool              // its approval was, so that its tool isn't run
	afterTerminal bool              // the time of a sub-agent has run out
	fault         *fault            // that it has to report; nil for none
	within        []*executedStep   // of a sub-agent
	sides         [][]*executedStep // of branches
	output        *any              // of a sub-agent
	state         state             // of a sub-agent, after its last complete step
	staged        state             // of a sub-agent that fails at the end of its script: with the changes of its last step

	from, to int // indices of its first and its last chunk in the last check, -1 where they aren't known
}

// last returns the index of its last chunk, that of branches included, -1 where it isn't known.
func (d *executedStep) last() int {
	end := d.to
	for _, side := range d.sides {
		for _, inner := range side {
			end = max(end, inner.last())
		}
	}
	return end
}

// inOrder returns executed steps with those of their branches and sub-agents.
func inOrder(executedSteps []*executedStep) []*executedStep {
	var out []*executedStep
	for _, d := range executedSteps {
		out = append(append(out, d), inOrder(d.within)...)
		for _, side := range d.sides {
			out = append(out, inOrder(side)...)
		}
	}
	return out
}

// stopState is the reason for which a list of script steps can't go on without a call.
type stopState struct {
	barriers []string      // that aren't open, by name
	calls    []*scriptStep // that wait for an answer
	fatal    *fault        // nil while nothing failed
	text     string        // of the fatal error
}

func (h *stopState) resting() bool { return len(h.barriers)+len(h.calls) > 0 }

func (h *stopState) stopped() bool { return h.resting() || h.fatal != nil }

// Answer is a decision on a call that waits, or its result or error.
type Answer struct {
	Approved *bool   // nil for a result or an error
	Result   any     // undefined if Error is set
	Error    *string // nil if it doesn't fail
}

// walk executes script steps as far as they go.
type walk struct {
	released  map[string]bool          // barriers, by name; shared with the walks of sub-agents
	answers   map[*scriptStep][]Answer // in the order of the calls; shared with the walks of sub-agents
	state     state                    // that is being written
	branch    int                      // its number, from 1; 0 outside of parallel ones
	branches  int                      // so far
	output    *any                     // nil while nothing put one out
	stopState stopState                // why the walk ended; zero if all steps were executed
}

// scriptSteps executes script steps in their order until one can't go on.
func (w *walk) scriptSteps(scriptSteps []*scriptStep) []*executedStep {
	var out []*executedStep
	for _, a := range scriptSteps {
		d := &executedStep{scriptStep: a, from: -1, to: -1}
		if w.scriptStep(d) {
			out = append(out, d)
		}
		if w.stopState.stopped() {
			break
		}
	}
	return out
}

// scriptStep executes one, and reports whether it writes chunks.
func (w *walk) scriptStep(d *executedStep) (shown bool) {
	a := d.scriptStep
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
			w.stopState.fatal, w.stopState.text = d.fault, a.text
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
		w.stopState.barriers = append(w.stopState.barriers, barrier)
	}
	return w.released[barrier]
}

func (w *walk) call(d *executedStep) {
	answers := w.answers[d.scriptStep]
	next := func() *Answer {
		if len(answers) == 0 {
			w.stopState.calls = append(w.stopState.calls, d.scriptStep)
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
		if d.denied = a.Approved == nil || !*a.Approved; d.denied { // the tool isn't run
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
	d.over, d.result, d.fails = true, d.scriptStep.result, d.scriptStep.fails
}

// parallel executes each branch as far as it goes.
func (w *walk) parallel(d *executedStep) {
	var all stopState
	outer := w.branch
	for _, branch := range d.branches {
		w.branches++
		w.branch, w.stopState = w.branches, stopState{}
		d.sides = append(d.sides, w.scriptSteps(branch))
		all.barriers, all.calls = append(all.barriers, w.stopState.barriers...), append(all.calls, w.stopState.calls...)
		if all.fatal == nil {
			all.fatal, all.text = w.stopState.fatal, w.stopState.text
		}
	}
	w.branch, w.stopState = outer, all
}

// child executes a sub-agent. A failure in it fails the sub-agent alone.
func (w *walk) child(d *executedStep) {
	inner := &walk{released: w.released, answers: w.answers, state: state{}}
	d.state = state{}
	for i, step := range d.branches {
		inner.state = d.state.clone()
		d.within = append(d.within, inner.scriptSteps(step)...)
		if d.scriptStep.fails != nil && i == len(d.branches)-1 && !inner.stopState.stopped() { // it fails at the end of that step, or after it
			d.staged = inner.state
			break
		}
		if inner.stopState.stopped() {
			break
		}
		d.state = inner.state
	}
	switch {
	case inner.stopState.resting() && d.limit > 0:
		d.over, d.afterTerminal = true, true
		return
	case inner.stopState.resting():
		w.stopState = inner.stopState
		return
	}
	if d.over = true; inner.stopState.fatal != nil || d.scriptStep.fails != nil {
		return
	}
	if d.output = inner.output; d.output != nil {
		d.result = *d.output
	}
}

// failed reports whether a sub-agent failed.
func (d *executedStep) failed() bool {
	return d.afterTerminal || d.scriptStep.fails != nil || slices.ContainsFunc(d.within, func(i *executedStep) bool { return i.fault != nil && !i.fault.goesOn })
}
