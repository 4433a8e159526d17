package fold

import "github.com/streamcert/streamcert/runner/judge"

// An Agent is the state of one agent of the stream.
type Agent struct {
	Key     uint64       // hash of its id
	Name    string       // the beginning of its id
	Run     judge.Word   // its latest runId
	Block   *judge.Sum   // reasoning that isn't complete yet
	Output  *Output      // nil if it put nothing out
	Covered judge.Number // steps that its last checkpoint covers
	Marked  judge.Number // stepCount of its last checkpoint

	Fatal      bool       // it had a fatal error
	Stopped    bool       // interrupted, and not resumed yet
	Paused     bool       // since a run_paused, until a run_resumed or an interruption
	Awaits     bool       // after a pause, nothing but its next run can go on
	Inside     bool       // its first increment of reasoning may not be a block's first
	Failure    judge.Word // the text of its fatal error
	StoppedRun judge.Word // runId of its last interruption or pause

	// Fields of a judge; the fold doesn't use them.
	Orphan bool         // no agent started it, which was reported before
	Step   judge.Number // of its last chunk that has one
	Time   judge.Number // of its last chunk that has one, in milliseconds of Unix time

	patched judge.Number // position of its last patch
	extents []extent     // where its last steps end
}

// An Output is the output of an agent.
type Output struct {
	Digest uint64 // of the value
	Shown  string // for people
}

// Word returns the agent's id.
func (a *Agent) Word() judge.Word { return judge.Word{Hash: a.Key, Start: a.Name, OK: true} }

// enter takes the run that a chunk is of. Another run of the same session has neither failed nor put anything out.
func (a *Agent) enter(run judge.Word) {
	if !run.OK {
		return
	}
	if a.Run.OK && a.Run.Hash != run.Hash {
		a.Fatal, a.Output = false, nil
	}
	a.Run = run
}

// An extent is the end of a step's content so far.
type extent struct {
	step int64        // the number of the step
	end  judge.Number // sequence of its last chunk of content so far
}

const maxExtents = 16 // steps of an agent whose ends are remembered, the last ones

// extend records that a step of the agent extends to a position.
func (a *Agent) extend(step, at judge.Number) {
	for i := range a.extents {
		if a.extents[i].step == step.N {
			a.extents[i].end = at
			return
		}
	}
	if len(a.extents) == maxExtents {
		a.extents = append(a.extents[:0], a.extents[1:]...)
	}
	a.extents = append(a.extents, extent{step.N, at})
}

// ends returns the position of the last chunk of the steps up to a number.
func (a *Agent) ends(steps int64) (end judge.Number) {
	for _, e := range a.extents {
		if e.step <= steps && e.end.N > end.N {
			end = e.end
		}
	}
	return end
}
