package helix

import (
	"fmt"
	"strconv"
	"strings"
)

// A checkpoint is what is remembered of one.
type checkpoint struct {
	id    uint64
	agent uint64
	steps int64
	// state is that of the agent, right for the positions from since to before
	// until, which is missing as long as no other patch came.
	state        document
	since, until number
	kept         bool // state is still held
}

const (
	maxPoints = 64 // checkpoints that are remembered
	maxKept   = 8  // of them, the last whose states are
)

// holds says whether the state is that of a position.
func (p *checkpoint) holds(at int64) bool {
	return p.kept && p.since.ok && p.since.n <= at && (!p.until.ok || at < p.until.n)
}

// point returns the last checkpoint of that id.
func (h *history) point(id uint64) (checkpoint, bool) {
	for i := len(h.points) - 1; i >= 0; i-- {
		if h.points[i].id == id {
			return h.points[i], true
		}
	}
	return checkpoint{}, false
}

func (h *history) remember(p checkpoint) {
	if len(h.points) == maxPoints {
		h.points = append(h.points[:0], h.points[1:]...)
	}
	h.points = append(h.points, p)
	if old := len(h.points) - 1 - maxKept; old >= 0 {
		h.points[old].state, h.points[old].kept = document{}, false
	}
}

// patched notes that an agent's state changes at a position.
func (h *history) patched(c *said) {
	c.agent.patched = c.seq
	for i := max(0, len(h.points)-maxKept); i < len(h.points); i++ {
		p := &h.points[i]
		if p.agent != c.agent.key || p.until.ok {
			continue
		}
		if p.until = c.seq; !c.seq.ok {
			p.kept = false
		}
	}
}

func (m *machine) checkpoint(c *said) {
	h, a := m.past, c.agent
	id, steps := c.word("checkpointId"), c.number("stepCount")
	if !id.ok || !steps.ok {
		return
	}
	m.count[checkpointsUnique]++
	if h.marks.now(id.hash) {
		m.add(checkpointsUnique, c.place(), "a checkpoint has the id of another",
			"an id of its own", show(id.start))
	}
	h.marks.add(id.hash)
	h.known.add(id.hash)
	if a.marked.ok {
		m.count[checkpointsIncreasing]++
		if steps.n <= a.marked.n {
			m.add(checkpointsIncreasing, c.place(), "a checkpoint's stepCount doesn't increase",
				fmt.Sprintf("more than %d", a.marked.n), strconv.FormatInt(steps.n, 10))
		}
	}
	m.form(c, steps)
	a.marked, a.covered = steps, steps
	since := a.patched
	if !since.ok && h.whole {
		since = number{0, c.seq.ok}
	} else if !since.ok {
		since = c.seq
	}
	state := h.state(a.key)
	h.remember(checkpoint{id: id.hash, agent: a.key, steps: steps.n, state: *state, since: since, kept: c.seq.ok})
	state.age(&h.eras) // what it held till now is shared
}

// form checks an id that has the form cpv1-<session>-s<step>-t<ms>-<random>, or
// seems to.
func (m *machine) form(c *said, steps number) {
	id, _ := c.members["checkpointId"].(string)
	rest, ok := strings.CutPrefix(id, "cpv1-")
	if !ok {
		return
	}
	m.count[checkpointsIDForm]++
	session, step, ok := formOf(rest)
	agent, _ := c.members["agentId"].(string)
	switch {
	case !ok:
		m.add(checkpointsIDForm, c.place(), "a checkpoint's id begins like one of a known form, and isn't",
			"cpv1-<session>-s<step>-t<milliseconds>-<random>", show(id))
	case step != strconv.FormatInt(steps.n, 10):
		m.add(checkpointsIDForm, c.place(), "a checkpoint's id names another step",
			strconv.FormatInt(steps.n, 10), show(step))
	case session != agent:
		m.add(checkpointsIDForm, c.place(), "a checkpoint's id names another session", show(agent), show(session))
	}
}

// formOf takes the id apart from its end, since a session may have dashes.
func formOf(rest string) (session, step string, ok bool) {
	parts := make([]string, 3) // random, time, step
	for i := range parts {
		at := strings.LastIndexByte(rest, '-')
		if at < 0 {
			return "", "", false
		}
		rest, parts[i] = rest[:at], rest[at+1:]
	}
	step, isStep := strings.CutPrefix(parts[2], "s")
	time, isTime := strings.CutPrefix(parts[1], "t")
	return rest, step, rest != "" && parts[0] != "" && isStep && isTime && isDecimal(step) && isDecimal(time)
}
