package helix

import (
	"errors"
	"slices"
	"strconv"
)

// unlessUndecided is what is wrong, unless a call waits beside other branches: whether those go on meanwhile is free, so that what
// they have said by then is judged once all was answered. What is said of the call itself holds nevertheless.
func (r checks) unlessUndecided(err error) error {
	var b *Breach
	own := []string{"helix.approval.waits", "helix.approval.requested", "helix.approval.fails-closed", "helix.approval.suspended", "helix.tools.result"}
	if !r.concurrently() || !errors.As(err, &b) || slices.Contains(own, b.Requirement) {
		return err
	}
	return nil
}

// undecided looks at calls of the run's agent that wait for a decision while others of them got theirs: whether those go on by
// now is free, and none of these has ended.
func (r checks) undecided(all []*Produced) error {
	if len(all) == 0 || r.allowsDroppedSteps() {
		return nil
	}
	waits := func(d *executedStep) bool {
		return d.consent && !d.over && len(r.answers[d.scriptStep]) == 0 && slices.Contains(r.stopState.calls, d.scriptStep)
	}
	executedSteps := withBranches(r.executedSteps())
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
			if theirs, _ := other.arguments(); equal(any(args), any(theirs)) {
				decided++
			}
		}
		for _, c := range ended {
			if c.start.text("toolName") != d.name || !equal(any(args), c.start.member("arguments")) {
				continue
			}
			if decided--; decided < 0 {
				return violation("helix.approval.waits", "no tool_end", clipped(c.end.Body), "the call of %s ended before it was decided, when another one was", strconv.Quote(d.name))
			}
		}
	}
	return nil
}

// withBranches are deeds with those of their branches, and without those of children.
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

// concurrently says whether a call waits in one of several branches.
func (r checks) concurrently() bool {
	if len(r.stopState.calls) == 0 || len(r.live) == 0 {
		return false
	}
	return slices.ContainsFunc(inOrder(r.live[len(r.live)-1].executedSteps), func(d *executedStep) bool {
		return len(d.sides) > 1 && slices.ContainsFunc(inOrder(slices.Concat(d.sides...)), func(inner *executedStep) bool { return slices.Contains(r.stopState.calls, inner.scriptStep) })
	})
}

// unended names the call that got its decision and didn't end, where something is wrong: whatever else is missing, is so for want
// of that.
func unended(executedSteps []*executedStep, h *received, err error) error {
	for _, d := range withBranches(executedSteps) {
		if !d.consent || !d.over {
			continue
		}
		args, _ := d.arguments()
		of := func(ended bool) func(*call) bool {
			return func(c *call) bool {
				return ended == (c.end != nil) && c.start.text("toolName") == d.name && equal(any(args), c.start.member("arguments"))
			}
		}
		if !slices.ContainsFunc(h.calls, of(false)) || slices.ContainsFunc(h.calls, of(true)) {
			continue
		}
		rule, decision := "helix.approval.granted", "approved"
		if d.denied {
			rule, decision = "helix.approval.denied", "denied"
		}
		return violation(rule, "a tool_end", "none", "the call of %s was %s and didn't end", strconv.Quote(d.name), decision)
	}
	return err
}
