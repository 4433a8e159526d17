package helix

import "slices"

// epoch is what is done to a run from outside.
type epoch struct{ *Run }

// Interrupt stops the run.
func (r epoch) Interrupt() {
	r.drop()
	r.status, r.stopState, r.between = RunInterrupted, stopState{}, false
	r.expect("helix.runs.interrupted", "run_interrupted", "", nil)
}

// Resume lets an interrupted run go on.
func (r epoch) Resume(mode string) {
	r.expect("helix.runs.resumed", "run_resumed", "", nil)
	r.expect("helix.runs.mode", "run_resumed", "mode", mode)
	r.follow()
}

// ResumeFrom lets an interrupted run go on from a checkpoint, by its place among [Run.Checkpoints].
func (r epoch) ResumeFrom(mode string, n int) {
	if n != len(r.checkpoints)-1 {
		r.back(n)
		r.paused = false
		r.expect("helix.resync.written", "stream_resync", "", nil) // whose reason is the server's own: nobody asked for a rollback
	}
	r.Resume(mode)
}

// Retry does the open step of an interrupted or paused run again.
func (r epoch) Retry() {
	r.restart()
	r.paused = false
	r.expect("helix.runs.resumed", "run_resumed", "", nil)
	r.follow()
}

// Supersede lets another executor do the open step again.
func (r epoch) Supersede() {
	r.restart()
	r.superseded = true
	r.expect("helix.runs.superseded", "executor_superseded", "", nil)
	r.follow()
}

// TakeOver lets another executor do the open step again, after a restart of the server.
func (r epoch) TakeOver() {
	r.restart()
	r.paused, r.between = false, false
	r.expect("helix.durable.runs", "stream_resync", "reason", "crash_recovery")
	r.follow()
}

// Answered reports whether a call of the open step was answered, which is lost where the step is done again.
func (r epoch) Answered() bool {
	return len(r.live) > 0 && slices.ContainsFunc(r.script[r.live[len(r.live)-1].index], r.answered)
}

func (r epoch) answered(a *scriptStep) bool {
	return len(r.answers[a]) > 0 || slices.ContainsFunc(a.branches, func(branch []*scriptStep) bool { return slices.ContainsFunc(branch, r.answered) })
}

// restart gives the open step up, or goes back to the one that was given up last, to do it once more.
func (r epoch) restart() {
	r.drop()
	for i := len(r.past) - 1; i >= 0 && r.past[i].dropped; i-- { // what was said since the last checkpoint
		r.past[i].excused = true
	}
	if last := len(r.past) - 1; last >= 0 && r.past[last].dropped {
		r.next = r.past[last].index
	}
	r.voids, r.between = true, false
}

// Crash tells that the executor of a waiting run was killed: the step is done again, unless nobody was at work.
func (r epoch) Crash() { r.crashed = true }

// Recover does the open step again after its executor has crashed.
func (r epoch) Recover() {
	for _, s := range r.live[max(0, len(r.live)-1):] {
		for _, a := range r.script[s.index] {
			r.forget(a)
		}
	}
	if len(r.live) < 2 {
		for i := len(r.past) - 1; i >= 0 && r.past[i].dropped; i-- {
			r.past[i].excused = true
		}
	}
	r.voids, r.between = true, false
	r.returned("crash_recovery")
	r.follow()
}

// Rollback goes back to a checkpoint, by its place among [Run.Checkpoints].
func (r epoch) Rollback(n int) {
	r.back(n)
	r.returned("rollback")
}

// Restart goes back to the start of the session, by the checkpoint that [Run.Start] names.
func (r epoch) Restart() {
	r.back(-1)
	r.returned("rollback")
}

// Branch goes back to a checkpoint in a session of its own; -1 is the one that [Run.Start] names.
func (r epoch) Branch(n int) {
	r.back(n)
	r.branches++
	r.returned("branch")
}

// back makes void what came after a checkpoint; -1 is the start.
func (r epoch) back(n int) {
	r.past = slices.Concat(r.past, r.live)
	storedChunks := 0
	if n < 0 {
		r.next, r.past = 0, nil
	}
	for i, s := range r.past {
		if !s.dropped {
			if storedChunks++; storedChunks == n+1 {
				r.next, r.past = s.index+1, r.past[:i+1]
				break
			}
		}
	}
	for _, s := range r.script[r.next:] {
		for _, a := range s {
			r.forget(a)
		}
	}
	r.live, r.stopState, r.status, r.between = nil, stopState{}, RunInterrupted, false
	r.checkpoints = r.checkpoints[:n+1]
}

// returned says that what came after the last checkpoint doesn't count.
func (r epoch) returned(reason string) {
	r.paused = false
	r.expect("helix.resync.written", "stream_resync", "reason", reason)
}

func (r epoch) expect(rule, kind, member string, want any) {
	r.expected = append(r.expected, expected{rule, kind, member, want})
}

// turned takes in what only the server knew: whether a step that is done again was made void, and whether a crash reached a
// run that waits.
func (r epoch) turned(news []*Produced) {
	resync := slices.ContainsFunc(news, func(p *Produced) bool { return p.kind() == "stream_resync" })
	if r.crashed && resync {
		r.Recover()
	}
	if r.voids && resync {
		for _, s := range r.past {
			s.discarded = s.discarded || s.excused
		}
	}
	r.crashed, r.voids = false, false
}
