package helix

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// RunStatus is where a run is in its life.
type RunStatus string

// The life of a run.
const (
	RunRunning     RunStatus = "running"
	RunPaused      RunStatus = "paused"
	RunInterrupted RunStatus = "interrupted"
	RunCompleted   RunStatus = "completed"
	RunFailed      RunStatus = "failed"
)

// Run is what the runs of one session must be, from one to the next: their script, what was done to them, and what of that
// counts.
type Run struct {
	ledger    Ledger
	script    Script
	status    RunStatus
	next      int       // the step of the script that is open, or comes next
	past      []*step   // that are over, whatever is done
	live      []*step   // since then, the last of which may be open
	stopState stopState // why the open one is
	output    *any
	released  map[string]bool
	answers   map[*scriptStep][]Answer

	initial map[string]any // the state that it begins with
	schema  *schema        // of its output, nil for none
	parsed  bool           // the server reads an output that is a JSON text, where only what it holds fits

	expected    []expected // chunks that what was done must have written
	looked      int64      // the greatest id that was looked at
	checkpoints []string
	announced   map[string]bool  // the ids of all that ever were
	childCodes  map[string]bool  // of the errors of sub-agents
	made        map[string]int64 // the chunk that announced it, by the id of a checkpoint, one of the start included
	start       string           // the checkpoint before the first step, which its interruption has announced, "" for none
	from        string           // the checkpoint that the latest interruption names, "" once that was looked at
	former      map[string]bool  // the checkpoints that other sessions of the stream have announced
	between     bool             // of several calls that wait one was answered: whether it goes on before all are is free
	paused      bool             // a run_paused has come, and no run_resumed since
	superseded  bool             // another executor has taken over
	branches    int              // that were begun: each is a session with an id of its own
	voids       bool             // what was done may have written a stream_resync, which makes steps void that were dropped
	crashed     bool             // while it waited, which may have changed nothing

	// What it does, by what it is about.
	epoch
	checks
	checkpointCalls
}

// step is one of a run, or what is open of it.
type step struct {
	index         int // in the script
	executedSteps []*executedStep
	state         state // at its end
	wrote         bool  // it changes the state
	dropped       bool
	discarded     bool                     // and readers were told
	excused       bool                     // it is done again, so that nobody need be told
	looked        bool                     // whether they were
	answers       map[*scriptStep][]Answer // that were given before it was dropped
}

// expected is a chunk that must come.
type expected struct {
	rule, kind, member string
	want               any // the value of the member; nil for any
}

// NewRun is a run that was just started on a stream of its own.
func NewRun(ledger Ledger, script Script) *Run {
	r := &Run{ledger: ledger, script: script, status: RunRunning, released: map[string]bool{}, answers: map[*scriptStep][]Answer{}, initial: map[string]any{}}
	r.epoch, r.checks, r.checkpointCalls = epoch{r}, checks{r}, checkpointCalls{r}
	r.follow()
	return r
}

// Begin says of a run that was just started which state its stream was given before, and which schema its output must fit,
// as JSON; "" is none.
func (r *Run) Begin(state, output string) error {
	if state != "" {
		if err := json.Unmarshal([]byte(state), &r.initial); err != nil {
			return fmt.Errorf("reading the state that a run begins with: %w", err)
		}
	}
	if output != "" {
		var err error
		if r.schema, err = newSchema(output); err != nil {
			return err
		}
	}
	r.next, r.past = 0, nil
	r.follow()
	return nil
}

// Status is where the run is when it has settled.
func (r *Run) Status() RunStatus { return r.status }

// Over says whether the run has finished its stream.
func (r *Run) Over() bool { return r.status == RunCompleted || r.status == RunFailed }

// Barriers are those that the run waits at.
func (r *Run) Barriers() []string { return r.stopState.barriers }

// Released are the barriers that were released, sorted.
func (r *Run) Released() []string { return slices.Sorted(maps.Keys(r.released)) }

// Calls are the names of the tools whose calls wait for somebody, and whether for a decision.
func (r *Run) Calls() (names []string, consent []bool) {
	for _, a := range r.stopState.calls {
		names, consent = append(names, a.name), append(consent, a.consent && len(r.answers[a]) == 0)
	}
	return names, consent
}

// Checkpoints are the ids of those that the run can go back to, the first step's first.
func (r *Run) Checkpoints() []string { return r.checkpoints }

// After says which checkpoints the sessions before it have announced on the stream, which it has nothing to do with.
func (r *Run) After(former map[string]bool) { r.former = former }

// Announced are the checkpoints that this session and those before it have announced.
func (r *Run) Announced() map[string]bool {
	all := map[string]bool{}
	maps.Copy(all, r.former)
	for id := range r.made {
		all[id] = true
	}
	return all
}

// Start is the checkpoint before the first step, which an interruption of that step has announced; "" if none has.
func (r *Run) Start() string { return r.start }

// Undone says whether readers were told of every step that was dropped. Where one wasn't, and nothing of it is removed, what it
// had said may count where the session begins anew.
func (r *Run) Undone() bool {
	return !slices.ContainsFunc(slices.Concat(r.past, r.live), func(s *step) bool { return s.dropped && !s.discarded })
}

// committed are the steps that count.
func (r *Run) committed() []*step {
	all := slices.Concat(r.past, r.live)
	if len(r.live) > 0 && r.status != RunCompleted {
		all = all[:len(all)-1]
	}
	return slices.DeleteFunc(all, func(s *step) bool { return s.dropped })
}

// state is that of the last commit.
func (r *Run) state() state {
	if all := r.committed(); len(all) > 0 {
		return all[len(all)-1].state
	}
	isStarted := state{}
	for key, value := range r.initial {
		isStarted.set(key, value)
	}
	return isStarted
}

// follow finds out how far the run comes.
func (r *Run) follow() {
	r.live, r.stopState, r.status, r.output = nil, stopState{}, RunRunning, nil
	before := r.state()
	for i := r.next; i < len(r.script); i++ {
		w := &walk{released: r.released, answers: r.answers, state: before.clone()}
		s := &step{index: i, executedSteps: w.scriptSteps(r.script[i])}
		s.state = w.state
		s.wrote = len(s.state) != len(before)
		for key, e := range s.state {
			s.wrote = s.wrote || !equal(e.value, before[key].value)
		}
		r.live = append(r.live, s)
		if r.stopState = w.stopState; w.output != nil && !r.stopState.stopped() {
			r.checked(s, w)
		}
		if r.stopState.stopped() {
			r.stop()
			return
		}
		r.output, before = w.output, s.state
	}
	r.status = RunCompleted
}

// stop is where the run stops.
func (r *Run) stop() {
	switch {
	case r.stopState.fatal != nil:
		r.drop()
		r.status = RunFailed
	case len(r.stopState.barriers) == 0:
		r.status = RunPaused
	}
}

// drop gives the open step up.
func (r *Run) drop() {
	r.past = slices.Concat(r.past, r.live)
	if len(r.live) == 0 {
		return
	}
	last := r.past[len(r.past)-1]
	last.dropped, r.next = true, last.index+1
	last.answers = maps.Clone(r.answers)
	r.live = nil
	for _, a := range r.script[last.index] {
		r.forget(a)
	}
}

// forget drops the answers to calls that are made again.
func (r *Run) forget(a *scriptStep) {
	delete(r.answers, a)
	for _, branch := range a.branches {
		for _, inner := range branch {
			r.forget(inner)
		}
	}
}

// Release opens a barrier.
func (r *Run) Release(barrier string) {
	r.released[barrier] = true
	if r.status == RunRunning || r.status == RunPaused {
		r.follow()
	}
}

// Answer answers one of the calls that wait, by its place among [Run.Calls].
func (r *Run) Answer(i int, a Answer) {
	c, several := r.stopState.calls[i], len(r.stopState.calls) > 1
	r.answers[c] = append(r.answers[c], a)
	r.follow()
	r.between = (r.between || several) && len(r.stopState.calls) > 0
	if r.paused && len(r.stopState.calls) == 0 {
		r.expect("helix.runs.resumed", "run_resumed", "", nil)
	}
}

// Held says of one of several calls that wait, by its place among [Run.Calls], that it was answered once and needs another
// answer: a server may take that only when all others were answered.
func (r *Run) Held(i int) bool {
	c := r.stopState.calls[i]
	return len(r.stopState.calls) > 1 && len(r.answers[c]) > 0
}

// CallID finds the toolCallId of one of the calls that wait, by its place among [Run.Calls], in all that is stored; "" if it
// isn't there.
func (r *Run) CallID(i int, all []*Produced) string {
	a := r.stopState.calls[i]
	want, _ := a.arguments()
	ended, counts := map[string]bool{}, counting(all)
	for n := len(all) - 1; n >= 0; n-- {
		p := all[n]
		switch kind := p.kind(); {
		case !counts[n]:
		case kind == "tool_end":
			ended[p.text("toolCallId")] = true
		case kind != "tool_start" && kind != "tool_approval_request" || p.text("toolName") != a.name || ended[p.text("toolCallId")]:
		case p.member("arguments") == nil || equal(any(want), p.member("arguments")):
			return p.text("toolCallId")
		}
	}
	return ""
}
