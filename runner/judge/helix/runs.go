package helix

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/wire"
)

const (
	firstTime = 978_307_200_000   // 2001-01-01 in milliseconds of Unix time
	lastTime  = 4_133_980_799_999 // the last of 2100
)

// pace checks that step and time of an agent go on.
func (m *machine) pace(c *said) {
	a := c.agent
	if c.step.ok {
		if a.step.ok {
			m.count[runsStepOrder]++
			if c.step.n < a.step.n {
				m.add(runsStepOrder, c.place(), "an agent's step goes back",
					fmt.Sprintf("at least %d", a.step.n), strconv.FormatInt(c.step.n, 10))
			}
		}
		a.step = c.step
	}
	if !c.time.ok {
		return
	}
	m.count[runsTimestamps]++
	if c.time.n < firstTime || c.time.n > lastTime {
		m.add(runsTimestamps, c.place(), "the timestamp isn't a time in milliseconds",
			"a time from 2001 to 2100", strconv.FormatInt(c.time.n, 10))
		return
	}
	if a.time.ok {
		m.count[runsClock]++
		if c.time.n < a.time.n && !m.endsEarly(c) {
			m.add(runsClock, c.place(), "an agent's time goes back",
				fmt.Sprintf("at least %d", a.time.n), strconv.FormatInt(c.time.n, 10))
		}
	}
	a.time = c.time
}

// endsEarly says whether a chunk ends a call before it began, which is the closer
// description.
func (m *machine) endsEarly(c *said) bool {
	if c.kind != "tool_end" {
		return false
	}
	open, ok := m.past.calls.get(callKey(c.agent, c.word("toolCallId")))
	return ok && open.time.ok && c.time.n < open.time.n
}

// running checks that content comes from an agent that runs, in a step that isn't
// over.
func (m *machine) running(c *said) {
	a := c.agent
	if a.stopped {
		m.count[runsSilent]++
		m.add(runsSilent, c.place(), "an agent goes on after it was interrupted",
			"run_resumed first", "a chunk of type "+show(c.kind))
	}
	if a.paused && a.awaits {
		a.paused = false // once is enough
		m.count[runsResumeAnnounced]++
		m.add(runsResumeAnnounced, c.place(), "an agent goes on after a pause without saying so",
			"run_resumed first", "a chunk of type "+show(c.kind))
	}
	if c.step.ok && a.covered.ok {
		m.count[checkpointsAfterStep]++
		if c.step.n < a.covered.n {
			m.add(checkpointsAfterStep, c.place(), "content of a step follows a checkpoint that covers it",
				fmt.Sprintf("a step of at least %d", a.covered.n), strconv.FormatInt(c.step.n, 10))
		}
	}
}

func (m *machine) interrupted(c *said) {
	h := m.past
	c.agent.stopped, c.agent.paused, c.agent.stoppedRun = true, false, c.word("runId")
	if id := c.word("checkpointId"); id.ok {
		h.known.add(id.hash)
	}
	h.abandon(c.agent)
}

// paused takes a pause. Calls that ran beside the one that waits go on, and what
// comes of them is nothing new.
func (m *machine) paused(c *said) {
	pending, a := c.word("pendingToolCallId"), c.agent
	_, beside := m.past.calls.find(func(o *call) bool { return o.agent == a.key && !(pending.ok && o.id == pending.hash) })
	a.paused, a.awaits = true, !beside
}

func (m *machine) resumed(c *said) {
	h, a := m.past, c.agent
	run, steps := c.word("runId"), c.number("fromStepCount")
	if a.stopped {
		m.count[runsSilent]++
		if run.ok && a.stoppedRun.ok {
			m.count[runsNewRun]++
			if run.hash == a.stoppedRun.hash {
				m.add(runsNewRun, c.place(), "a resumed run has the id of the interrupted one",
					"another runId", show(run.start))
			}
		}
	}
	switch {
	case a.paused && a.awaits:
		m.count[runsResumeAnnounced]++
	case !a.paused:
		h.abandon(a)
	}
	m.from(c, steps)
	a.covered.lower(steps)
	a.marked.lower(steps)
	h.agents.each(func(other *agent) {
		if other == a || a.key == h.root || h.root == 0 {
			other.stopped, other.paused, other.fatal, other.output = false, false, false, nil
		}
	})
}

// lower takes a smaller number where there is one.
func (n *number) lower(to number) {
	if n.ok && to.ok && to.n < n.n {
		*n = to
	}
}

// from compares the checkpoint that a run goes on from with what was said of it.
func (m *machine) from(c *said, steps number) {
	h, id := m.past, c.word("fromCheckpointId")
	if !id.ok {
		return
	}
	if h.known.ever(id.hash) {
		m.count[runsKnownCheckpoint]++
	} else if h.whole && !h.known.lost {
		m.count[runsKnownCheckpoint]++
		m.add(runsKnownCheckpoint, c.place(), "a run goes on from a checkpoint that nobody has named",
			"a checkpoint of run_interrupted, checkpoint_created, step_committed or stream_resync", show(id.start))
	}
	if p, ok := h.point(id.hash); ok && steps.ok {
		m.count[runsFromStep]++
		if steps.n != p.steps {
			m.add(runsFromStep, c.place(), "fromStepCount isn't the checkpoint's stepCount",
				strconv.FormatInt(p.steps, 10), strconv.FormatInt(steps.n, 10))
		}
	}
}

// resync checks a stream_resync, and forgets what it makes obsolete.
func (m *machine) resync(f *wire.Frame, members map[string]any, agentID string, seq number) {
	h, at := m.past, placeOf(f)
	id, steps, from := wordOf(members["checkpointId"]), integer(members["stepCount"]), integer(members["fromSequence"])
	if from.ok && seq.ok {
		m.count[resyncFromSequence]++
		if from.n >= seq.n {
			m.add(resyncFromSequence, at, "fromSequence isn't below the chunk's own sequence",
				fmt.Sprintf("less than %d", seq.n), strconv.FormatInt(from.n, 10))
		}
	}
	p, remembered := h.point(id.hash)
	if remembered && id.ok && steps.ok {
		m.count[resyncCounts]++
		if steps.n != p.steps {
			m.add(resyncCounts, at, "stepCount isn't that of the checkpoint",
				strconv.FormatInt(p.steps, 10), strconv.FormatInt(steps.n, 10))
		}
	}
	h.restart()
	agent := h.theAgent(agentID)
	if !h.announced.ever(agent.key) {
		if h.root != 0 {
			h.announced.add(h.root)
		}
		h.root = agent.key
	}
	for _, p := range h.points {
		if steps.ok && p.steps <= steps.n {
			h.marks.add(p.id)
		}
	}
	if id.ok {
		h.known.add(id.hash)
	}
	agent.patched = seq
	if remembered && from.ok && p.holds(from.n) {
		h.begin(agent.key, p.state)
	} else if h.whole && from == (number{0, true}) && steps == from && m.o.State != nil {
		h.begin(agent.key, documentOf(m.o.State))
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
	if !id.ok {
		return
	}
	key := pair(c.agent.key, id.hash)
	m.count[checkpointsOnce]++
	if m.past.steps.now(key) {
		m.add(checkpointsOnce, c.place(), "a step is committed or discarded a second time",
			"once", strings.TrimPrefix(c.kind, "step_")+" "+show(id.start))
	}
	m.past.steps.add(key)
}
