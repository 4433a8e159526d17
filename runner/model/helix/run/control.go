package run

import (
	"slices"

	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// Release opens a barrier.
func (r *Run) Release(barrier string) {
	r.progress.released[barrier] = true
	if r.Status() == Running || r.Status() == Paused {
		r.progress.follow()
	}
}

// Answer answers one of the calls that wait, by its index among [Run.Calls].
func (r *Run) Answer(i int, a Answer) {
	p, e := &r.progress, &r.expected
	c, several := p.stopState.calls[i], len(p.stopState.calls) > 1
	p.answers[c] = append(p.answers[c], a)
	p.follow()
	e.between = (e.between || several) && len(p.stopState.calls) > 0
	if e.paused && len(p.stopState.calls) == 0 {
		e.add("helix.runs.resumed", "run_resumed", "", nil)
	}
}

// Interrupt stops the run.
func (r *Run) Interrupt() {
	r.progress.drop()
	r.progress.status, r.progress.stopState, r.expected.between = Interrupted, stopState{}, false
	r.expected.add("helix.runs.interrupted", "run_interrupted", "", nil)
}

// Resume continues an interrupted run.
func (r *Run) Resume(mode string) {
	r.expected.add("helix.runs.resumed", "run_resumed", "", nil)
	r.expected.add("helix.runs.mode", "run_resumed", "mode", mode)
	r.progress.follow()
}

// ResumeFrom continues an interrupted run from a checkpoint, by its index among [Run.Checkpoints].
func (r *Run) ResumeFrom(mode string, n int) {
	if n != len(r.checkpoints.ids)-1 {
		r.back(n)
		r.expected.paused = false
		r.expected.add("helix.resync.written", "stream_resync", "", nil) // its reason is free: no rollback was asked for
	}
	r.Resume(mode)
}

// Retry executes the open step of an interrupted or paused run again.
func (r *Run) Retry() {
	r.repeat()
	r.expected.paused = false
	r.expected.add("helix.runs.resumed", "run_resumed", "", nil)
	r.progress.follow()
}

// Supersede makes another executor execute the open step again.
func (r *Run) Supersede() {
	r.repeat()
	r.expected.superseded = true
	r.expected.add("helix.runs.superseded", "executor_superseded", "", nil)
	r.progress.follow()
}

// TakeOver makes another executor execute the open step again, after a restart of the server.
func (r *Run) TakeOver() {
	r.repeat()
	r.expected.paused = false
	r.expected.add("helix.durable.runs", "stream_resync", "reason", "crash_recovery")
	r.progress.follow()
}

// repeat has the open step executed again.
func (r *Run) repeat() {
	r.progress.repeat()
	r.expected.mayVoid, r.expected.between = true, false
}

// Crash notes that the executor of a waiting run was killed: the step is executed again, unless no executor was at work.
func (r *Run) Crash() { r.expected.mayCrash = true }

// Recover executes the open step again after its executor has crashed.
func (r *Run) Recover() {
	r.progress.recover()
	r.expected.mayVoid, r.expected.between = true, false
	r.expected.resync("crash_recovery")
	r.progress.follow()
}

// Rollback goes back to a checkpoint, by its index among [Run.Checkpoints].
func (r *Run) Rollback(n int) {
	r.back(n)
	r.expected.resync("rollback")
}

// Restart goes back to the start of the session, by the checkpoint that [Run.Start] names.
func (r *Run) Restart() { r.Rollback(-1) }

// Branch goes back to a checkpoint in a new session; -1 is the one that [Run.Start] names.
func (r *Run) Branch(n int) {
	r.back(n)
	r.expected.branches++
	r.expected.resync("branch")
}

// back voids the steps after a checkpoint; -1 is the start.
func (r *Run) back(n int) {
	r.progress.back(n)
	r.checkpoints.ids, r.expected.between = r.checkpoints.ids[:n+1], false
}

// takeIn applies events that only the server's chunks show: whether a step that is executed again was voided, and whether a
// crash reached a run that waits.
func (r *Run) takeIn(news []*stream.Produced) {
	e := &r.expected
	resync := slices.ContainsFunc(news, func(p *stream.Produced) bool { return p.Kind() == "stream_resync" })
	if e.mayCrash && resync {
		r.Recover()
	}
	if e.mayVoid && resync {
		for _, s := range r.progress.past {
			s.discarded = s.discarded || s.excused
		}
	}
	e.mayCrash, e.mayVoid = false, false
}
