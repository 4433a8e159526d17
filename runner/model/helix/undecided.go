package helix

import (
	"errors"
	"slices"
	"strconv"
)

// unlessHeld is what is wrong, unless a call waits beside other branches: whether those go on meanwhile is free, so that what
// they have said by then is judged once all was answered. What is said of the call itself holds nevertheless.
func (r checks) unlessHeld(err error) error {
	var b *Breach
	own := []string{"helix.approval.waits", "helix.approval.requested", "helix.approval.fails-closed", "helix.approval.suspended", "helix.tools.result"}
	if !r.beside() || !errors.As(err, &b) || slices.Contains(own, b.Requirement) {
		return err
	}
	return nil
}

// undecided looks at calls of the run's agent that wait for a decision while others of them got theirs: whether those go on by
// now is free, and none of these has ended.
func (r checks) undecided(all []*Produced) error {
	if len(all) == 0 || r.lenient() {
		return nil
	}
	waits := func(d *deed) bool {
		return d.consent && !d.over && len(r.answers[d.act]) == 0 && slices.Contains(r.halt.calls, d.act)
	}
	deeds := withBranches(r.deeds())
	if !slices.ContainsFunc(deeds, waits) {
		return nil
	}
	ended := slices.DeleteFunc(hear(all, counting(all), rootsOf(all)).calls, func(c *call) bool { return c.end == nil })
	for _, d := range deeds {
		if !waits(d) {
			continue
		}
		args, _ := d.arguments()
		decided := 0 // calls that look the same
		for _, other := range deeds {
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
				return breach("helix.approval.waits", "no tool_end", clipped(c.end.Body), "the call of %s ended before it was decided, when another one was", strconv.Quote(d.name))
			}
		}
	}
	return nil
}

// withBranches are deeds with those of their branches, and without those of children.
func withBranches(deeds []*deed) []*deed {
	var out []*deed
	for _, d := range deeds {
		out = append(out, d)
		for _, side := range d.sides {
			out = append(out, withBranches(side)...)
		}
	}
	return out
}

// beside says whether a call waits in one of several branches.
func (r checks) beside() bool {
	if len(r.halt.calls) == 0 || len(r.live) == 0 {
		return false
	}
	return slices.ContainsFunc(inOrder(r.live[len(r.live)-1].deeds), func(d *deed) bool {
		return len(d.sides) > 1 && slices.ContainsFunc(inOrder(slices.Concat(d.sides...)), func(inner *deed) bool { return slices.Contains(r.halt.calls, inner.act) })
	})
}

// unended names the call that got its decision and didn't end, where something is wrong: whatever else is missing, is so for want
// of that.
func unended(deeds []*deed, h *heard, err error) error {
	for _, d := range withBranches(deeds) {
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
		return breach(rule, "a tool_end", "none", "the call of %s was %s and didn't end", strconv.Quote(d.name), decision)
	}
	return err
}
