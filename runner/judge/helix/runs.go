package helix

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
)

const (
	firstTime = 978_307_200_000   // 2001-01-01 in milliseconds of Unix time
	lastTime  = 4_133_980_799_999 // the last of 2100
)

// pace checks that step and time of an agent go on.
func (m *machine) pace(c *said) {
	a := c.Agent
	if c.Step.OK {
		m.Ascends(runsStepOrder, c.place(), judge.Order{
			Message: "an agent's step goes back", Want: "at least %d", Equal: true,
		}, a.Step, c.Step.N)
		a.Step = c.Step
	}
	if !c.Time.OK {
		if n, isNumber := c.members["timestamp"].(json.Number); isNumber {
			m.Saw(runsTimestamps)
			m.Breach(runsTimestamps, c.place(), "the timestamp isn't a time in milliseconds", "an integer", string(n))
		}
		return
	}
	m.Saw(runsTimestamps)
	if c.Time.N < firstTime || c.Time.N > lastTime {
		m.Breach(runsTimestamps, c.place(), "the timestamp isn't a time in milliseconds",
			"a time from 2001 to 2100", strconv.FormatInt(c.Time.N, 10))
		return
	}
	if a.Time.OK && c.Time.N < a.Time.N && m.endsEarly(c) {
		m.Saw(runsClock)
	} else {
		m.Ascends(runsClock, c.place(), judge.Order{
			Message: "an agent's time goes back", Want: "at least %d", Equal: true,
		}, a.Time, c.Time.N)
	}
	a.Time = c.Time
}

// endsEarly says whether a chunk ends a call before it began, which is the closer
// description.
func (m *machine) endsEarly(c *said) bool {
	if c.Kind != "tool_end" {
		return false
	}
	open, ok := m.past.CallOf(c.Agent, c.word("toolCallId"))
	return ok && open.Time.OK && c.Time.N < open.Time.N
}

// running checks that content comes from an agent that runs, in a step that isn't
// over.
func (m *machine) running(c *said) {
	a := c.Agent
	if a.Stopped {
		m.Saw(runsSilent)
		m.Breach(runsSilent, c.place(), "an agent goes on after it was interrupted",
			"run_resumed first", "a chunk of type "+judge.Show(c.Kind))
	}
	if a.Paused && a.Awaits {
		a.Paused = false // once is enough
		m.Saw(runsResumeAnnounced)
		m.Breach(runsResumeAnnounced, c.place(), "an agent goes on after a pause without saying so",
			"run_resumed first", "a chunk of type "+judge.Show(c.Kind))
	}
	if c.Step.OK {
		m.Ascends(checkpointsAfterStep, c.place(), judge.Order{
			Message: "content of a step follows a checkpoint that covers it", Want: "a step of at least %d", Equal: true,
		}, a.Covered, c.Step.N)
	}
}

func (m *machine) interrupted(c *said) {
	if id := c.word("checkpointId"); id.OK {
		m.past.known.Add(id.Hash)
	}
}

func (m *machine) resumed(c *said) {
	a := c.Agent
	if a.Stopped {
		m.Saw(runsSilent)
	}
	if (a.Stopped || a.Paused) && c.Run.OK && a.StoppedRun.OK {
		m.Saw(runsNewRun)
		if c.Run.Hash == a.StoppedRun.Hash {
			m.Breach(runsNewRun, c.place(), "a resumed run has the id of the run that was interrupted or paused",
				"another runId", judge.Show(c.Run.Start))
		}
	}
	if a.Paused && a.Awaits {
		m.Saw(runsResumeAnnounced)
	}
	m.from(c)
}

// from compares the checkpoint that a run goes on from with what was said of it.
func (m *machine) from(c *said) {
	h, id := m.past, c.word("fromCheckpointId")
	if !id.OK {
		return
	}
	if h.known.Ever(id.Hash) {
		m.Saw(runsKnownCheckpoint)
	} else if h.Whole() && !h.known.Lost() {
		m.Saw(runsKnownCheckpoint)
		m.Breach(runsKnownCheckpoint, c.place(), "a run goes on from a checkpoint that nobody has named",
			"a checkpoint of run_interrupted, checkpoint_created, step_committed or stream_resync", judge.Show(id.Start))
	}
	if p, ok := h.Point(id.Hash); ok {
		m.SameNumber(runsFromStep, c.place(), "fromStepCount isn't the checkpoint's stepCount", p.Steps, c.number("fromStepCount"))
	}
}

// resync checks a stream_resync, and frees the names of what it makes obsolete.
func (m *machine) resync(c *said) {
	h, at := m.past, c.place()
	id, steps, from := c.word("checkpointId"), c.number("stepCount"), c.number("fromSequence")
	if from.OK && c.Seq.OK {
		m.Saw(resyncFromSequence)
		if from.N >= c.Seq.N {
			m.Breach(resyncFromSequence, at, "fromSequence isn't below the chunk's own sequence",
				fmt.Sprintf("less than %d", c.Seq.N), strconv.FormatInt(from.N, 10))
		}
	}
	if p, remembered := h.Point(id.Hash); remembered && id.OK {
		m.returns(at, p, steps, from)
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
func (m *machine) returns(at judge.Place, p fold.Point, steps, from judge.Number) {
	if from.OK && p.Ends.OK {
		m.Saw(resyncCovers)
		if from.N < p.Ends.N {
			m.Breach(resyncCovers, at, "fromSequence lies before the end of what the checkpoint covers",
				fmt.Sprintf("at least %d", p.Ends.N), strconv.FormatInt(from.N, 10))
		}
	}
	if from.OK && p.Next.OK {
		m.Saw(checkpointsPlace)
		if from.N >= p.Next.N {
			m.Breach(checkpointsPlace, at, "fromSequence lies beyond the first content after the checkpoint",
				fmt.Sprintf("less than %d", p.Next.N), strconv.FormatInt(from.N, 10))
		}
	}
	m.SameNumber(resyncCounts, at, "stepCount isn't that of the checkpoint", p.Steps, steps)
}

// cutOff takes a truncated frame: what was said may be gone.
func (m *machine) cutOff() {
	if h := m.past; h != nil {
		h.Cut()
		h.removed()
	}
}

// settled takes what became of a step's changes.
func (m *machine) settled(c *said) {
	id := c.word("stepId")
	if !id.OK {
		return
	}
	key := judge.Pair(c.Agent.Key, id.Hash)
	m.Unique(checkpointsOnce, c.place(), &m.past.steps, key, "a step is committed or discarded a second time",
		"once", func() string { return strings.TrimPrefix(c.Kind, "step_") + " " + id.Shown() })
}
