package helix

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

const (
	firstTime = 978_307_200_000   // 2001-01-01 in milliseconds of Unix time
	lastTime  = 4_133_980_799_999 // the last of 2100
)

// pace checks that step and time of an agent go on.
func (m *machine) pace(c *said) {
	a := c.agent
	if c.step.OK {
		m.Ascends(runsStepOrder, c.place(), judge.Order{
			Message: "an agent's step goes back", Want: "at least %d", Equal: true,
		}, a.step, c.step.N)
		a.step = c.step
	}
	if n, isNumber := c.members["timestamp"].(json.Number); isNumber && !c.time.OK {
		m.Saw(runsTimestamps)
		m.Breach(runsTimestamps, c.place(), "the timestamp isn't a time in milliseconds", "an integer", string(n))
	}
	if !c.time.OK {
		return
	}
	m.Saw(runsTimestamps)
	if c.time.N < firstTime || c.time.N > lastTime {
		m.Breach(runsTimestamps, c.place(), "the timestamp isn't a time in milliseconds",
			"a time from 2001 to 2100", strconv.FormatInt(c.time.N, 10))
		return
	}
	if a.time.OK && c.time.N < a.time.N && m.endsEarly(c) {
		m.Saw(runsClock)
	} else {
		m.Ascends(runsClock, c.place(), judge.Order{
			Message: "an agent's time goes back", Want: "at least %d", Equal: true,
		}, a.time, c.time.N)
	}
	a.time = c.time
}

// endsEarly says whether a chunk ends a call before it began, which is the closer
// description.
func (m *machine) endsEarly(c *said) bool {
	if c.kind != "tool_end" {
		return false
	}
	open, ok := m.past.calls.Get(callKey(c.agent, c.word("toolCallId")))
	return ok && open.time.OK && c.time.N < open.time.N
}

// running checks that content comes from an agent that runs, in a step that isn't
// over.
func (m *machine) running(c *said) {
	a := c.agent
	if a.stopped {
		m.Saw(runsSilent)
		m.Breach(runsSilent, c.place(), "an agent goes on after it was interrupted",
			"run_resumed first", "a chunk of type "+judge.Show(c.kind))
	}
	if a.paused && a.awaits {
		a.paused = false // once is enough
		m.Saw(runsResumeAnnounced)
		m.Breach(runsResumeAnnounced, c.place(), "an agent goes on after a pause without saying so",
			"run_resumed first", "a chunk of type "+judge.Show(c.kind))
	}
	if c.step.OK {
		m.Ascends(checkpointsAfterStep, c.place(), judge.Order{
			Message: "content of a step follows a checkpoint that covers it", Want: "a step of at least %d", Equal: true,
		}, a.covered, c.step.N)
	}
}

func (m *machine) interrupted(c *said) {
	h := m.past
	c.agent.stopped, c.agent.paused, c.agent.stoppedRun = true, false, c.word("runId")
	if id := c.word("checkpointId"); id.OK {
		h.known.Add(id.Hash)
	}
	h.abandon(c.agent)
}

// paused takes a pause. Calls that ran beside the one that waits go on, and what
// comes of them is nothing new.
func (m *machine) paused(c *said) {
	pending, a := c.word("pendingToolCallId"), c.agent
	_, beside := m.past.calls.Find(func(o *call) bool { return o.agent == a.key && !(pending.OK && o.id == pending.Hash) })
	a.paused, a.awaits, a.stoppedRun = true, !beside, c.word("runId")
}

func (m *machine) resumed(c *said) {
	h, a := m.past, c.agent
	run, steps := c.word("runId"), c.number("fromStepCount")
	if a.stopped {
		m.Saw(runsSilent)
	}
	if (a.stopped || a.paused) && run.OK && a.stoppedRun.OK {
		m.Saw(runsNewRun)
		if run.Hash == a.stoppedRun.Hash {
			m.Breach(runsNewRun, c.place(), "a resumed run has the id of the run that was interrupted or paused",
				"another runId", judge.Show(run.Start))
		}
	}
	switch {
	case a.paused && a.awaits:
		m.Saw(runsResumeAnnounced)
	case !a.paused:
		h.abandon(a)
	}
	m.from(c, steps)
	a.covered.Lower(steps)
	a.marked.Lower(steps)
	h.agents.Each(func(other *agent) {
		if other == a || a.key == h.root || h.root == 0 {
			other.stopped, other.paused, other.fatal, other.output = false, false, false, nil
		}
	})
}

// from compares the checkpoint that a run goes on from with what was said of it.
func (m *machine) from(c *said, steps judge.Number) {
	h, id := m.past, c.word("fromCheckpointId")
	if !id.OK {
		return
	}
	if h.known.Ever(id.Hash) {
		m.Saw(runsKnownCheckpoint)
	} else if h.whole && !h.known.Lost() {
		m.Saw(runsKnownCheckpoint)
		m.Breach(runsKnownCheckpoint, c.place(), "a run goes on from a checkpoint that nobody has named",
			"a checkpoint of run_interrupted, checkpoint_created, step_committed or stream_resync", judge.Show(id.Start))
	}
	if p, ok := h.point(id.Hash); ok {
		m.SameNumber(runsFromStep, c.place(), "fromStepCount isn't the checkpoint's stepCount", judge.Number{N: p.steps, OK: true}, steps)
	}
}

// resync checks a stream_resync, and forgets what it makes obsolete.
func (m *machine) resync(f *wire.Frame, members map[string]any, agentID string, seq judge.Number) {
	h, at := m.past, judge.At(f)
	id, steps, from := judge.WordOf(members["checkpointId"]), judge.Integer(members["stepCount"]), judge.Integer(members["fromSequence"])
	if from.OK && seq.OK {
		m.Saw(resyncFromSequence)
		if from.N >= seq.N {
			m.Breach(resyncFromSequence, at, "fromSequence isn't below the chunk's own sequence",
				fmt.Sprintf("less than %d", seq.N), strconv.FormatInt(from.N, 10))
		}
	}
	p, remembered := h.point(id.Hash)
	if remembered && id.OK && from.OK && p.ends.OK {
		m.Saw(resyncCovers)
		if from.N < p.ends.N {
			m.Breach(resyncCovers, at, "fromSequence lies before the end of what the checkpoint covers",
				fmt.Sprintf("at least %d", p.ends.N), strconv.FormatInt(from.N, 10))
		}
	}
	if remembered && id.OK && from.OK && p.next.OK {
		m.Saw(checkpointsPlace)
		if from.N >= p.next.N {
			m.Breach(checkpointsPlace, at, "fromSequence lies beyond the first content after the checkpoint",
				fmt.Sprintf("less than %d", p.next.N), strconv.FormatInt(from.N, 10))
		}
	}
	if remembered && id.OK {
		m.SameNumber(resyncCounts, at, "stepCount isn't that of the checkpoint", judge.Number{N: p.steps, OK: true}, steps)
	}
	h.restart()
	agent := h.theAgent(agentID)
	if !h.announced.Ever(agent.key) {
		if h.root != 0 {
			h.announced.Add(h.root)
		}
		h.root = agent.key
	}
	for _, p := range h.points {
		if steps.OK && p.steps <= steps.N {
			h.marks.Add(p.id)
		}
	}
	if id.OK {
		h.known.Add(id.Hash)
	}
	agent.patched = seq
	if remembered && from.OK && p.holds(from.N) {
		h.begin(agent.key, p.state.Clone())
	} else if h.whole && from == (judge.Number{OK: true}) && steps == from && m.Options.State != nil {
		h.begin(agent.key, h.stateOf(m.Options.State))
	}
}

// cutOff takes a truncated frame: what was said may be gone.
func (m *machine) cutOff() {
	if h := m.past; h != nil {
		h.restart()
		h.unname()
		h.begun, h.sure, h.whole = true, false, false
	}
}

// settled takes what became of a step's changes.
func (m *machine) settled(c *said) {
	id := c.word("stepId")
	if !id.OK {
		return
	}
	key := judge.Pair(c.agent.key, id.Hash)
	m.Unique(checkpointsOnce, c.place(), &m.past.steps, key, "a step is committed or discarded a second time",
		"once", func() string { return strings.TrimPrefix(c.kind, "step_") + " " + id.Shown() })
}
