package helix

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
)

// checkpointRules are the rules of checkpoints, and of what goes back to one.
type checkpointRules struct {
	*judge.Base
	past *fold.Fold // the stream before the chunk that is judged

	marks judge.Seen // checkpoints that were created
	known judge.Seen // checkpoints that were named by a chunk that knows them
}

// checkpoint judges the creation of a checkpoint: a new id, more steps than the one before, and the form of the id.
func (r *checkpointRules) checkpoint(c *producedChunk) {
	id, steps := c.word("checkpointId"), c.number("stepCount")
	if !id.OK || !steps.OK {
		return
	}
	r.Unique(checkpointsUnique, c.position(), &r.marks, id.Hash, "a checkpoint has the id of another", "an id of its own", id.Shown)
	r.known.Add(id.Hash)
	r.Ascends(checkpointsIncreasing, c.position(), judge.Order{
		Message: "a checkpoint's stepCount doesn't increase", Want: "more than %d",
	}, c.Agent.Marked, steps.N)
	r.form(c, steps)
}

// form checks an id that has the form cpv1-<session>-s<step>-t<ms>-<random>, or
// seems to.
func (r *checkpointRules) form(c *producedChunk, steps judge.Number) {
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

// interrupted records the checkpoint from which the run may be resumed.
func (r *checkpointRules) interrupted(c *producedChunk) {
	if id := c.word("checkpointId"); id.OK {
		r.known.Add(id.Hash)
	}
}

// from compares the checkpoint from which a run resumes with its earlier description.
func (r *checkpointRules) from(c *producedChunk) {
	h, id := r.past, c.word("fromCheckpointId")
	if !id.OK {
		return
	}
	if r.known.Ever(id.Hash) {
		r.Saw(runsKnownCheckpoint)
	} else if h.Complete() && !r.known.Lost() {
		r.Saw(runsKnownCheckpoint)
		r.Violation(runsKnownCheckpoint, c.position(), "a run goes on from an unknown checkpoint",
			"a checkpoint of run_interrupted, checkpoint_created, step_committed or stream_resync", judge.Show(id.Start))
	}
	if p, ok := h.Point(id.Hash); ok {
		r.SameNumber(runsFromStep, c.position(), "fromStepCount isn't the checkpoint's stepCount", p.Steps, c.number("fromStepCount"))
	}
}

// resync checks a stream_resync. The ids of checkpoints that it keeps stay in use.
func (r *checkpointRules) resync(c *producedChunk) {
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
	for p := range h.Points() {
		if steps.OK && p.Steps.N <= steps.N {
			r.marks.Add(p.ID)
		}
	}
	if id.OK {
		r.known.Add(id.Hash)
	}
}

// returns compares a return with the checkpoint that it goes back to.
func (r *checkpointRules) returns(at judge.Position, p fold.Point, steps, from judge.Number) {
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
