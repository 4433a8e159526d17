package run

import (
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/document"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// checkUndecided checks calls of the run's agent that wait for a decision while others were decided: those may have gone on
// by now or not, but none that waits has ended.
func (p *progress) checkUndecided(all []*stream.Produced) error {
	if len(all) == 0 || p.allowsDroppedSteps() {
		return nil
	}
	waits := func(d *executedStep) bool {
		return d.consent && !d.over && len(p.answers[d.scriptStep]) == 0 && slices.Contains(p.stopState.calls, d.scriptStep)
	}
	executedSteps := withBranches(p.executedSteps())
	if !slices.ContainsFunc(executedSteps, waits) {
		return nil
	}
	ended := slices.DeleteFunc(receive(all, counting(all), rootsOf(all)).calls, func(c *call) bool { return c.end == nil })
	for _, d := range executedSteps {
		if !waits(d) {
			continue
		}
		args, _ := d.arguments()
		decided := 0 // calls that look the same
		for _, other := range executedSteps {
			if other.name != d.name || waits(other) {
				continue
			}
			if theirs, _ := other.arguments(); document.Equal(any(args), any(theirs)) {
				decided++
			}
		}
		for _, c := range ended {
			if c.start.Text("toolName") != d.name || !document.Equal(any(args), c.start.Member("arguments")) {
				continue
			}
			if decided--; decided < 0 {
				return model.Violated("helix.approval.waits", "no tool_end", model.Clipped(c.end.Body), "the call of %s ended before it was decided, when another one was", strconv.Quote(d.name))
			}
		}
	}
	return nil
}

// withBranches returns executed steps with those of their branches, and without those of sub-agents.
func withBranches(executedSteps []*executedStep) []*executedStep {
	var out []*executedStep
	for _, d := range executedSteps {
		out = append(out, d)
		for _, side := range d.sides {
			out = append(out, withBranches(side)...)
		}
	}
	return out
}

// unended returns the violation of a call that was decided and didn't end if there is one, else err, since err follows from
// the first.
func unended(executedSteps []*executedStep, h *received, err error) error {
	for _, d := range withBranches(executedSteps) {
		if !d.consent || !d.over {
			continue
		}
		args, _ := d.arguments()
		of := func(ended bool) func(*call) bool {
			return func(c *call) bool {
				return ended == (c.end != nil) && c.start.Text("toolName") == d.name && document.Equal(any(args), c.start.Member("arguments"))
			}
		}
		if !slices.ContainsFunc(h.calls, of(false)) || slices.ContainsFunc(h.calls, of(true)) {
			continue
		}
		rule, decision := "helix.approval.granted", "approved"
		if d.denied {
			rule, decision = "helix.approval.denied", "denied"
		}
		return model.Violated(rule, "a tool_end", "none", "the call of %s was %s and didn't end", strconv.Quote(d.name), decision)
	}
	return err
}
