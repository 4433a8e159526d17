package run

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/document"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// Status is the state of a run.
type Status string

// The states of a run: completed and failed ones have finished their stream.
const (
	Running     Status = "running"
	Paused      Status = "paused"
	Interrupted Status = "interrupted"
	Completed   Status = "completed"
	Failed      Status = "failed"
)

// progress is how far a script has come after the calls to its run.
//
// Invariants: past are steps that are over, also those that were dropped, in the order in which they were executed; live
// are the steps since then, from script[next] on, and none of them is dropped. Only the last of live may be open: it is
// unless status is Completed. stopState is why the open step can't go on; it is zero in a run that is interrupted or
// complete. Checks set discarded and looked of a step, and nothing else.
type progress struct {
	script   Script
	initial  map[string]any           // the state that it begins with
	schema   *schema                  // of the output, nil for none
	parsed   bool                     // the server decodes an output that is a JSON text, where only its value fits the schema
	released map[string]bool          // barriers, by name; they stay open
	answers  map[*scriptStep][]Answer // that count, by the call

	status    Status    // Interrupted by a call; any other follows from the script
	next      int       // the step of the script that is open, or comes next
	past      []*step   // in the order of their execution; calls that go back to a checkpoint shorten it
	live      []*step   // follows from the fields above: every call executes them again
	stopState stopState // zero while nothing stops it
	output    *any      // of the completed run, nil for none
}

// step is an execution of a step of the script, as far as it has come.
type step struct {
	index         int                      // in the script
	executedSteps []*executedStep          // in the order of the script
	state         state                    // at its end
	wrote         bool                     // it changes the state
	dropped       bool                     // its chunks don't count
	discarded     bool                     // it is dropped, and readers were notified
	excused       bool                     // it is executed again, so that readers needn't be notified
	looked        bool                     // whether they were was checked
	answers       map[*scriptStep][]Answer // that were given before it was dropped
}

// committed returns the steps that count.
func (p *progress) committed() []*step {
	all := slices.Concat(p.past, p.live)
	if len(p.live) > 0 && p.status != Completed {
		all = all[:len(all)-1]
	}
	return slices.DeleteFunc(all, func(s *step) bool { return s.dropped })
}

// committedState returns the state of the last commit.
func (p *progress) committedState() state {
	if all := p.committed(); len(all) > 0 {
		return all[len(all)-1].state
	}
	initial := state{}
	for key, value := range p.initial {
		initial.set(key, value)
	}
	return initial
}

// follow executes the script from next on as far as it goes.
func (p *progress) follow() {
	p.live, p.stopState, p.status, p.output = nil, stopState{}, Running, nil
	before := p.committedState()
	for i := p.next; i < len(p.script); i++ {
		w := &walk{released: p.released, answers: p.answers, state: before.clone()}
		s := &step{index: i, executedSteps: w.scriptSteps(p.script[i])}
		s.state = w.state
		s.wrote = len(s.state) != len(before)
		for key, e := range s.state {
			s.wrote = s.wrote || !document.Equal(e.value, before[key].value)
		}
		p.live = append(p.live, s)
		if p.stopState = w.stopState; w.output != nil && !p.stopState.stopped() {
			p.fitOutput(s, w)
		}
		if p.stopState.stopped() {
			p.stop()
			return
		}
		p.output, before = w.output, s.state
	}
	p.status = Completed
}

func (p *progress) stop() {
	switch {
	case p.stopState.fatal != nil:
		p.drop()
		p.status = Failed
	case len(p.stopState.barriers) == 0:
		p.status = Paused
	}
}

// drop drops the open step.
func (p *progress) drop() {
	p.past = slices.Concat(p.past, p.live)
	if len(p.live) == 0 {
		return
	}
	last := p.past[len(p.past)-1]
	last.dropped, p.next = true, last.index+1
	last.answers = maps.Clone(p.answers)
	p.live = nil
	p.forgetStep(last.index)
}

// forgetStep drops the answers to the calls of a step of the script, which are made again.
func (p *progress) forgetStep(index int) {
	for _, a := range p.script[index] {
		p.forget(a)
	}
}

func (p *progress) forget(a *scriptStep) {
	delete(p.answers, a)
	for _, branch := range a.branches {
		for _, inner := range branch {
			p.forget(inner)
		}
	}
}

// repeat drops the open step, or returns to the one that was dropped last, so that it is executed again.
func (p *progress) repeat() {
	p.drop()
	p.excuse()
	if last := len(p.past) - 1; last >= 0 && p.past[last].dropped {
		p.next = p.past[last].index
	}
}

// recover executes the open step again.
func (p *progress) recover() {
	if n := len(p.live); n > 0 {
		p.forgetStep(p.live[n-1].index)
	}
	if len(p.live) < 2 {
		p.excuse()
	}
}

// excuse excuses the steps that were dropped since the last checkpoint.
func (p *progress) excuse() {
	for i := len(p.past) - 1; i >= 0 && p.past[i].dropped; i-- {
		p.past[i].excused = true
	}
}

// back voids everything after the nth committed step, from 0; -1 is the start.
func (p *progress) back(n int) {
	p.past = slices.Concat(p.past, p.live)
	if n < 0 {
		p.next, p.past = 0, nil
	}
	stored := 0
	for i, s := range p.past {
		if !s.dropped {
			if stored++; stored == n+1 {
				p.next, p.past = s.index+1, p.past[:i+1]
				break
			}
		}
	}
	for i := p.next; i < len(p.script); i++ {
		p.forgetStep(i)
	}
	p.live, p.stopState, p.status = nil, stopState{}, Interrupted
}

// fitOutput compares the output of the run's agent with its schema. One that breaks it fails the run, unless it is the text
// of a value that fits, and the server decodes it.
func (p *progress) fitOutput(s *step, w *walk) {
	if p.schema.fits(*w.output) {
		return
	}
	if v, fits := p.schema.decoded(*w.output); fits && p.parsed {
		w.output = &v
		return
	}
	f := &fault{rule: "helix.output.schema"}
	s.executedSteps = append(s.executedSteps, &executedStep{scriptStep: &scriptStep{kind: "error"}, fault: f, from: -1, to: -1})
	p.stopState.fatal = f
}

// findParsed finds out whether the server decodes an output that is a JSON text: it has sent one then.
func (p *progress) findParsed(all []*stream.Produced, roots map[string]bool) {
	if p.schema == nil || p.parsed || p.stopState.fatal == nil || p.stopState.fatal.rule != "helix.output.schema" {
		return
	}
	last := p.past[len(p.past)-1]
	output := p.script[last.index][len(p.script[last.index])-1].value
	if _, fits := p.schema.decoded(output); !fits || !slices.ContainsFunc(all, func(c *stream.Produced) bool { return c.Kind() == "output" && roots[c.Text("agentId")] }) {
		return
	}
	p.parsed, p.next, p.past, p.answers = true, last.index, p.past[:len(p.past)-1], last.answers
	p.follow()
}

// answered reports whether a call of the open step was answered.
func (p *progress) answered() bool {
	var within func(a *scriptStep) bool
	within = func(a *scriptStep) bool {
		return len(p.answers[a]) > 0 || slices.ContainsFunc(a.branches, func(branch []*scriptStep) bool { return slices.ContainsFunc(branch, within) })
	}
	return len(p.live) > 0 && slices.ContainsFunc(p.script[p.live[len(p.live)-1].index], within)
}

// allowsDroppedSteps reports whether a step was dropped without notice to readers, which is recommended only.
func (p *progress) allowsDroppedSteps() bool {
	return slices.ContainsFunc(p.past, func(s *step) bool { return s.dropped && !s.discarded })
}

// executedSteps returns those of all steps that count, and of the open one.
func (p *progress) executedSteps() []*executedStep {
	var out []*executedStep
	for _, s := range slices.Concat(p.past, p.live) {
		failed := p.status == Failed && s == p.past[len(p.past)-1]
		switch {
		case !s.dropped || failed && !s.discarded:
			out = append(out, s.executedSteps...)
		case failed: // its error counts nevertheless
			out = append(out, fatal(s.executedSteps)...)
		}
	}
	return out
}

// fatal returns the errors that ended the run, those of branches too.
func fatal(executedSteps []*executedStep) (out []*executedStep) {
	for _, d := range executedSteps {
		if d.fault != nil && !d.fault.goesOn {
			out = append(out, d)
		}
		for _, side := range d.sides {
			out = append(out, fatal(side)...)
		}
	}
	return out
}

// withDropped returns the executed steps where those count that were dropped without notice to readers, from one of past on.
func (p *progress) withDropped(from int) []*executedStep {
	var executedSteps []*executedStep
	for i, s := range slices.Concat(p.past, p.live) {
		if !s.dropped || !s.discarded && i >= from {
			executedSteps = append(executedSteps, s.executedSteps...)
		}
	}
	return executedSteps
}

// survived returns the requirements on failures that the run has survived.
func (p *progress) survived() []string {
	var out []string
	for _, d := range p.executedSteps() {
		switch {
		case d.kind == "tool" && d.over && d.fails != nil:
			out = append(out, "helix.tools.failure-goes-on")
		case d.kind == "subagent" && d.over:
			out = append(out, "helix.subagents.child-terminal")
		case d.fault != nil && d.fault.goesOn:
			out = append(out, "helix.errors.goes-on")
		}
	}
	return out
}

// concurrently reports whether a call waits in one of several branches.
func (p *progress) concurrently() bool {
	if len(p.stopState.calls) == 0 || len(p.live) == 0 {
		return false
	}
	return slices.ContainsFunc(inOrder(p.live[len(p.live)-1].executedSteps), func(d *executedStep) bool {
		return len(d.sides) > 1 && slices.ContainsFunc(inOrder(slices.Concat(d.sides...)), func(inner *executedStep) bool { return slices.Contains(p.stopState.calls, inner.scriptStep) })
	})
}

// unlessUndecided returns a violation, unless a call waits while other branches run: these may go on meanwhile or not, so
// that they are judged once all calls were answered. Requirements on the call itself are checked nevertheless.
func (p *progress) unlessUndecided(err error) error {
	var b *model.Violation
	ofCall := []string{"helix.approval.waits", "helix.approval.requested", "helix.approval.fails-closed", "helix.approval.suspended", "helix.tools.result"}
	if !p.concurrently() || !errors.As(err, &b) || slices.Contains(ofCall, b.Requirement) {
		return err
	}
	return nil
}

// notified checks whether readers were notified of the step that was dropped last: helix.checkpoints.discarded.
func (p *progress) notified(news []*stream.Produced, occasions model.OccasionCounts) error {
	if len(p.past) == 0 {
		return nil
	}
	last := p.past[len(p.past)-1]
	if !last.dropped || last.looked {
		return nil
	}
	last.looked = true
	last.discarded = last.discarded || slices.ContainsFunc(news, func(c *stream.Produced) bool { return c.Kind() == "step_discarded" })
	switch {
	case last.excused:
	case last.discarded:
		occasions.Saw("helix.checkpoints.discarded")
	case last.wrote:
		return model.Violated("helix.checkpoints.discarded", "a step_discarded", "none", "a step was dropped that had changed the state")
	}
	return nil
}

// numbered checks the step numbers of errors: helix.errors.step. The number of the first step is the server's choice, and
// the other chunks of a step show it.
func (p *progress) numbered(all []*stream.Produced, occasions model.OccasionCounts) error {
	type numbered struct {
		at   int // in all
		step int // from 0
	}
	var faults []numbered
	base, known := 0.0, false
	n := 0
	for _, s := range slices.Concat(p.past, p.live) {
		if s.dropped && p.status != Failed {
			continue
		}
		for _, d := range inOrder(s.executedSteps) {
			if d.from < 0 {
				continue
			}
			number, has := all[d.from].Member("step").(float64)
			switch {
			case d.kind == "error" || d.kind == "stop":
				faults = append(faults, numbered{d.from, n})
			case !has:
			case !known:
				base, known = number-float64(n), true
			case base != number-float64(n):
				return nil // that other chunks have the right number is recommended only
			}
		}
		if !s.dropped {
			n++
		}
	}
	for _, f := range faults {
		number, has := all[f.at].Member("step").(float64)
		if !known || !has {
			continue
		}
		if want := base + float64(f.step); number != want {
			return model.Violated("helix.errors.step", fmt.Sprint(want), fmt.Sprint(number), "an error has the number of another step")
		}
		occasions.Saw("helix.errors.step")
	}
	return nil
}
