package helix

import "slices"

// Interrupt stops the run.
func (r *Run) Interrupt() {
	r.drop()
	r.status, r.halt, r.between = RunInterrupted, halt{}, false
	r.expect("helix.runs.interrupted", "run_interrupted", "", nil)
}

// Resume lets an interrupted run go on.
func (r *Run) Resume(mode string) {
	r.expect("helix.runs.resumed", "run_resumed", "", nil)
	r.expect("helix.runs.mode", "run_resumed", "mode", mode)
	r.follow()
}

// ResumeFrom lets an interrupted run go on from a checkpoint, by its place among [Run.Checkpoints].
func (r *Run) ResumeFrom(mode string, n int) {
	if n != len(r.checkpoints)-1 {
		r.back(n)
		r.returns = true
	}
	r.Resume(mode)
}

// Retry does the open step of an interrupted or paused run again.
func (r *Run) Retry() {
	r.restart()
	r.paused = false
	r.expect("helix.runs.resumed", "run_resumed", "", nil)
	r.follow()
}

// Supersede lets another executor do the open step again.
func (r *Run) Supersede() {
	r.restart()
	r.superseded = true
	r.expect("helix.runs.superseded", "executor_superseded", "", nil)
	r.follow()
}

// restart gives the open step up, or goes back to the one that was given up last, to do it once more.
func (r *Run) restart() {
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
func (r *Run) Crash() { r.crashed = true }

// Recover does the open step again after its executor has crashed.
func (r *Run) Recover() {
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
func (r *Run) Rollback(n int) {
	r.back(n)
	r.returned("rollback")
}

// Branch goes back to a checkpoint in a session of its own.
func (r *Run) Branch(n int) {
	r.back(n)
	r.branches++
	r.returned("branch")
}

// back makes void what came after a checkpoint.
func (r *Run) back(n int) {
	r.past = slices.Concat(r.past, r.live)
	kept := 0
	for i, s := range r.past {
		if !s.dropped {
			if kept++; kept == n+1 {
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
	r.live, r.halt, r.status, r.between = nil, halt{}, RunInterrupted, false
	r.checkpoints = r.checkpoints[:n+1]
}

// returned says that what came after the last checkpoint doesn't count.
func (r *Run) returned(reason string) {
	r.paused = false
	r.expect("helix.resync.written", "stream_resync", "reason", reason)
}

func (r *Run) expect(rule, kind, member string, want any) {
	r.due = append(r.due, due{rule, kind, member, want})
}

// turned takes in what only the server knew: whether a step that is done again was made void, and whether a crash reached a
// run that waits.
func (r *Run) turned(news []*Produced) {
	resync := slices.ContainsFunc(news, func(p *Produced) bool { return p.kind() == "stream_resync" })
	if r.crashed && resync {
		r.Recover()
	}
	if r.returns && !resync { // what came after the checkpoint was not taken back, and what counts is anybody's guess
		r.vague = true
	}
	if r.voids && resync {
		for _, s := range r.past {
			s.discarded = s.discarded || s.excused
		}
	}
	r.crashed, r.returns, r.voids = false, false, false
}
