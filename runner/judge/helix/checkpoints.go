package helix

import (
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
)

// checkpointRules are the rules of checkpoints.
type checkpointRules struct{ *chapter }

func (r checkpointRules) checkpoint(c *producedChunk) {
	h := r.past
	id, steps := c.word("checkpointId"), c.number("stepCount")
	if !id.OK || !steps.OK {
		return
	}
	r.Unique(checkpointsUnique, c.position(), &h.marks, id.Hash, "a checkpoint has the id of another", "an id of its own", id.Shown)
	h.known.Add(id.Hash)
	r.Ascends(checkpointsIncreasing, c.position(), judge.Order{
		Message: "a checkpoint's stepCount doesn't increase", Want: "more than %d",
	}, c.Agent.Marked, steps.N)
	r.form(c, steps)
}

// form checks an id that has the form cpv1-<session>-s<step>-t<ms>-<random>, or
// seems to.
func (r checkpointRules) form(c *producedChunk, steps judge.Number) {
	id, _ := c.members["checkpointId"].(string)
	rest, ok := strings.CutPrefix(id, "cpv1-")
	if !ok {
		return
	}
	r.Saw(checkpointsIDForm)
	session, step, ok := formOf(rest)
	agent, _ := c.members["agentId"].(string)
	switch {
	case !ok:
		r.Violation(checkpointsIDForm, c.position(), "a checkpoint's id begins like one of a known form, and isn't",
			"cpv1-<session>-s<step>-t<milliseconds>-<random>", judge.Show(id))
	case step != strconv.FormatInt(steps.N, 10):
		r.Violation(checkpointsIDForm, c.position(), "a checkpoint's id names another step",
			strconv.FormatInt(steps.N, 10), judge.Show(step))
	case session != agent:
		r.Violation(checkpointsIDForm, c.position(), "a checkpoint's id names another session", judge.Show(agent), judge.Show(session))
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
