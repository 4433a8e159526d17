package helix

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
)

// runRules are the rules of runs and of their steps.
type runRules struct {
	*judge.Base
	past *fold.Fold // the stream before the chunk that is judged

	steps judge.Seen // steps that were committed or discarded, by agent and id
}

const (
	firstTime = 978_307_200_000   // 2001-01-01 in milliseconds of Unix time
	lastTime  = 4_133_980_799_999 // the last of 2100
)

// pace checks that step and time of an agent go on.
func (r *runRules) pace(c *producedChunk) {
	a := c.Agent
	if c.Step.OK {
		r.Ascends(runsStepOrder, c.position(), judge.Order{
			Message: "an agent's step goes back", Want: "at least %d", Equal: true,
		}, a.Step, c.Step.N)
		a.Step = c.Step
	}
	if !c.Time.OK {
		if n, isNumber := c.members["timestamp"].(json.Number); isNumber {
			r.Saw(runsTimestamps)
			r.Violation(runsTimestamps, c.position(), "the timestamp isn't a time in milliseconds", "an integer", string(n))
		}
		return
	}
	r.Saw(runsTimestamps)
	if c.Time.N < firstTime || c.Time.N > lastTime {
		r.Violation(runsTimestamps, c.position(), "the timestamp isn't a time in milliseconds",
			"a time from 2001 to 2100", strconv.FormatInt(c.Time.N, 10))
		return
	}
	if a.Time.OK && c.Time.N < a.Time.N && r.endsEarly(c) {
		r.Saw(runsClock)
	} else {
		r.Ascends(runsClock, c.position(), judge.Order{
			Message: "an agent's time goes back", Want: "at least %d", Equal: true,
		}, a.Time, c.Time.N)
	}
	a.Time = c.Time
}

// endsEarly reports whether a chunk ends a call before it began, which is the closer
// description.
func (r *runRules) endsEarly(c *producedChunk) bool {
	if c.Kind != "tool_end" {
		return false
	}
	open, ok := r.past.CallOf(c.Agent, c.word("toolCallId"))
	return ok && open.Time.OK && c.Time.N < open.Time.N
}

// running checks that content comes from an agent that runs, in a step that isn't
// over.
func (r *runRules) running(c *producedChunk) {
	a := c.Agent
	if a.Stopped {
		r.Saw(runsSilent)
		r.Violation(runsSilent, c.position(), "an agent goes on after it was interrupted",
			"run_resumed first", "a chunk of type "+judge.Show(c.Kind))
	}
	if a.Paused && a.Awaits {
		a.Paused = false // once is enough
		r.Saw(runsResumeAnnounced)
		r.Violation(runsResumeAnnounced, c.position(), "an agent goes on after a pause without saying so",
			"run_resumed first", "a chunk of type "+judge.Show(c.Kind))
	}
	if c.Step.OK {
		r.Ascends(checkpointsAfterStep, c.position(), judge.Order{
			Message: "content of a step follows a checkpoint that covers it", Want: "a step of at least %d", Equal: true,
		}, a.Covered, c.Step.N)
	}
}

// resumed counts that a stopped agent was silent until now, and compares the new run with the stopped one.
func (r *runRules) resumed(c *producedChunk) {
	a := c.Agent
	if a.Stopped {
		r.Saw(runsSilent)
	}
	if (a.Stopped || a.Paused) && c.Run.OK && a.StoppedRun.OK {
		r.Saw(runsNewRun)
		if c.Run.Hash == a.StoppedRun.Hash {
			r.Violation(runsNewRun, c.position(), "a resumed run has the id of the run that was interrupted or paused",
				"another runId", judge.Show(c.Run.Start))
		}
	}
	if a.Paused && a.Awaits {
		r.Saw(runsResumeAnnounced)
	}
}

// settled takes the outcome of a step's changes.
func (r *runRules) settled(c *producedChunk) {
	id := c.word("stepId")
	if !id.OK {
		return
	}
	key := judge.CombineHashes(c.Agent.Key, id.Hash)
	r.Unique(checkpointsOnce, c.position(), &r.steps, key, "a step is committed or discarded a second time",
		"once", func() string { return strings.TrimPrefix(c.Kind, "step_") + " " + id.Shown() })
}
