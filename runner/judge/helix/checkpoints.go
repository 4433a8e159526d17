package helix

import (
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// A checkpoint is what is remembered of one.
type checkpoint struct {
	id    uint64
	agent uint64
	steps int64
	ends  judge.Number // position of the last chunk known to be of a step that it covers
	next  judge.Number // position of the first content of its agent after it
	// state is that of the agent, right for the positions from since to before
	// until, which is missing as long as no other patch came.
	state        *patch.Document
	since, until judge.Number
	kept         bool // state is still held
}

const (
	maxPoints = 64 // checkpoints that are remembered
	maxKept   = 8  // of them, the last whose states are
)

// holds says whether the state is that of a position.
func (p *checkpoint) holds(at int64) bool {
	return p.kept && p.since.OK && p.since.N <= at && (!p.until.OK || at < p.until.N)
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
		h.points[old].state, h.points[old].kept = nil, false
	}
}

// patched notes that an agent's state changes at a position.
func (h *history) patched(c *said) {
	c.agent.patched = c.seq
	for i := max(0, len(h.points)-maxKept); i < len(h.points); i++ {
		p := &h.points[i]
		if p.agent != c.agent.key || p.until.OK {
			continue
		}
		if p.until = c.seq; !c.seq.OK {
			p.kept = false
		}
	}
}

func (m *machine) checkpoint(c *said) {
	h, a := m.past, c.agent
	id, steps := c.word("checkpointId"), c.number("stepCount")
	if !id.OK || !steps.OK {
		return
	}
	m.Unique(checkpointsUnique, c.place(), &h.marks, id.Hash, "a checkpoint has the id of another", "an id of its own", id.Shown)
	h.known.Add(id.Hash)
	m.Ascends(checkpointsIncreasing, c.place(), judge.Order{
		Message: "a checkpoint's stepCount doesn't increase", Want: "more than %d",
	}, a.marked, steps.N)
	m.form(c, steps)
	a.marked, a.covered = steps, steps
	since := a.patched
	if !since.OK && h.whole {
		since = judge.Number{OK: c.seq.OK}
	} else if !since.OK {
		since = c.seq
	}
	h.remember(checkpoint{
		id: id.Hash, agent: a.key, steps: steps.N, ends: a.ends(steps.N), state: h.state(a.key).Clone(), since: since, kept: c.seq.OK,
	})
}

// An extent is where the content of a step ends, as far as it was seen.
type extent struct {
	step int64
	end  judge.Number
}

const maxExtents = 16 // steps of an agent whose ends are remembered, the last ones

// extend notes that a step goes to this chunk. What carries no step may be of any, and isn't held against a checkpoint.
func (h *history) extend(c *said) {
	if !c.step.OK || !c.seq.OK {
		return
	}
	switch c.kind {
	case "text_delta", "thinking", "tool_start", "tool_end", "output", "state_patch":
	default:
		return
	}
	a := c.agent
	for i := range h.points {
		if p := &h.points[i]; p.agent == a.key && c.step.N > p.steps && !p.next.OK {
			p.next = c.seq
		}
	}
	for i := range a.extents {
		if a.extents[i].step == c.step.N {
			a.extents[i].end = c.seq
			return
		}
	}
	if len(a.extents) == maxExtents {
		a.extents = append(a.extents[:0], a.extents[1:]...)
	}
	a.extents = append(a.extents, extent{c.step.N, c.seq})
}

// ends is the position of the last chunk of the steps up to a number.
func (a *agent) ends(steps int64) (end judge.Number) {
	for _, e := range a.extents {
		if e.step <= steps && e.end.N > end.N {
			end = e.end
		}
	}
	return end
}

// form checks an id that has the form cpv1-<session>-s<step>-t<ms>-<random>, or
// seems to.
func (m *machine) form(c *said, steps judge.Number) {
	id, _ := c.members["checkpointId"].(string)
	rest, ok := strings.CutPrefix(id, "cpv1-")
	if !ok {
		return
	}
	m.Saw(checkpointsIDForm)
	session, step, ok := formOf(rest)
	agent, _ := c.members["agentId"].(string)
	switch {
	case !ok:
		m.Breach(checkpointsIDForm, c.place(), "a checkpoint's id begins like one of a known form, and isn't",
			"cpv1-<session>-s<step>-t<milliseconds>-<random>", judge.Show(id))
	case step != strconv.FormatInt(steps.N, 10):
		m.Breach(checkpointsIDForm, c.place(), "a checkpoint's id names another step",
			strconv.FormatInt(steps.N, 10), judge.Show(step))
	case session != agent:
		m.Breach(checkpointsIDForm, c.place(), "a checkpoint's id names another session", judge.Show(agent), judge.Show(session))
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
	return rest, step, rest != "" && parts[0] != "" && isStep && isTime && judge.IsDecimal(step) && judge.IsDecimal(time)
}
