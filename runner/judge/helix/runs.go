package helix

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
)

// runRules are the rules of runs, and of the steps and resyncs of theirs.
type runRules struct{ *chapter }

const (
	firstTime = 978_307_200_000   // 2001-01-01 in milliseconds of Unix time
	lastTime  = 4_133_980_799_999 // the last of 2100
)

// pace checks that step and time of an agent go on.
func (r runRules) pace(c *producedChunk) {
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
func (r runRules) endsEarly(c *producedChunk) bool {
	if c.Kind != "tool_end" {
		return false
	}
	open, ok := r.past.CallOf(c.Agent, c.word("toolCallId"))
	return ok && open.Time.OK && c.Time.N < open.Time.N
}

// running checks that content comes from an agent that runs, in a step that isn't
// over.
func (ch *chapter) running(c *producedChunk) {
	a := c.Agent
	if a.Stopped {
		ch.Saw(runsSilent)
		ch.Violation(runsSilent, c.position(), "an agent goes on after it was interrupted",
			"run_resumed first", "a chunk of type "+judge.Show(c.Kind))
	}
	if a.Paused && a.Awaits {
		a.Paused = false // once is enough
		ch.Saw(runsResumeAnnounced)
		ch.Violation(runsResumeAnnounced, c.position(), "an agent goes on after a pause without saying so",
			"run_resumed first", "a chunk of type "+judge.Show(c.Kind))
	}
	if c.Step.OK {
		ch.Ascends(checkpointsAfterStep, c.position(), judge.Order{
			Message: "content of a step follows a checkpoint that covers it", Want: "a step of at least %d", Equal: true,
		}, a.Covered, c.Step.N)
	}
}

func (r runRules) interrupted(c *producedChunk) {
	if id := c.word("checkpointId"); id.OK {
		r.past.known.Add(id.Hash)
	}
}

func (r runRules) resumed(c *producedChunk) {
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
	r.from(c)
}

// from compares the checkpoint from which a run resumes with its earlier description.
func (r runRules) from(c *producedChunk) {
	h, id := r.past, c.word("fromCheckpointId")
	if !id.OK {
		return
	}
	if h.known.Ever(id.Hash) {
		r.Saw(runsKnownCheckpoint)
	} else if h.Complete() && !h.known.Lost() {
		r.Saw(runsKnownCheckpoint)
		r.Violation(runsKnownCheckpoint, c.position(), "a run goes on from an unknown checkpoint",
			"a checkpoint of run_interrupted, checkpoint_created, step_committed or stream_resync", judge.Show(id.Start))
	}
	if p, ok := h.Point(id.Hash); ok {
		r.SameNumber(runsFromStep, c.position(), "fromStepCount isn't the checkpoint's stepCount", p.Steps, c.number("fromStepCount"))
	}
}

// resync checks a stream_resync, and releases the ids that it makes obsolete.
func (r runRules) resync(c *producedChunk) {
	h, at := r.past, c.position()
	id, steps, from := c.word("checkpointId"), c.number("stepCount"), c.number("fromSequence")
	if from.OK && c.Seq.OK {
		r.Saw(resyncFromSequence)
		if from.N >= c.Seq.N {
			r.Violation(resyncFromSequence, at, "fromSequence isn't below the chunk's own sequence",
				fmt.Sprintf("less than %d", c.Seq.N), strconv.FormatInt(from.N, 10))
		}
	}
	if p, remembered := h.Point(id.Hash); remembered && id.OK {
		r.returns(at, p, steps, from)
	}
	h.restarted()
	for p := range h.Points() {
		if steps.OK && p.Steps.N <= steps.N {
			h.marks.Add(p.ID)
		}
	}
	if id.OK {
		h.known.Add(id.Hash)
	}
}

// returns compares a return with the checkpoint that it goes back to.
func (r runRules) returns(at judge.Position, p fold.Point, steps, from judge.Number) {
	if from.OK && p.Ends.OK {
		r.Saw(resyncCovers)
		if from.N < p.Ends.N {
			r.Violation(resyncCovers, at, "fromSequence is not above the chunks that the checkpoint covers",
				fmt.Sprintf("at least %d", p.Ends.N), strconv.FormatInt(from.N, 10))
		}
	}
	if from.OK && p.Next.OK {
		r.Saw(checkpointsPlace)
		if from.N >= p.Next.N {
			r.Violation(checkpointsPlace, at, "fromSequence lies beyond the first content after the checkpoint",
				fmt.Sprintf("less than %d", p.Next.N), strconv.FormatInt(from.N, 10))
		}
	}
	r.SameNumber(resyncCounts, at, "stepCount isn't that of the checkpoint", p.Steps, steps)
}

// truncated takes a truncated frame: earlier chunks may have been removed.
func (p *production) truncated() {
	if p != nil {
		p.past.Removed()
		p.past.removed()
	}
}

// settled takes the outcome of a step's changes.
func (r runRules) settled(c *producedChunk) {
	id := c.word("stepId")
	if !id.OK {
		return
	}
	key := judge.CombineHashes(c.Agent.Key, id.Hash)
	r.Unique(checkpointsOnce, c.position(), &r.past.steps, key, "a step is committed or discarded a second time",
		"once", func() string { return strings.TrimPrefix(c.Kind, "step_") + " " + id.Shown() })
}
