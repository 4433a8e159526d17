package helix

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/runner/patch"
)

// subAgent looks for the chunks that report a sub-agent: of those of its kind that worked side by side the one that said what it
// must have said. One that failed may have taken that back.
func (j *judging) subAgent(d *executedStep, h *received, p *plan, suspended bool) *call {
	var silent, first *call
	for _, c := range h.subAgents {
		switch {
		case c.used || c.start.text("subAgentType") != d.name:
		case !suspended && !j.allowsDroppedSteps:
			return c
		case p.sameText(receiveAt(j.all, j.of[c.start.text("subSessionId")]).text.String()):
			return c
		case silent == nil && d.failed() && c.end != nil && j.tookBack(c):
			silent = c
		case first == nil:
			first = c
		}
	}
	return cmp.Or(silent, first)
}

// child compares a sub-agent, which is like an agent of its own.
func (j *judging) child(d *executedStep, h *received, suspended bool) error {
	name := strconv.Quote(d.name)
	p := planned(d.within)
	c := j.subAgent(d, h, p, suspended)
	if c == nil {
		return violation("helix.subagents.reported", "a subagent_start of "+name, "none", "a sub-agent wasn't reported")
	}
	c.used = true
	if !suspended {
		d.from, d.to = c.from, c.to
	}
	switch {
	case d.over && c.end == nil:
		return violation("helix.subagents.reported", "a subagent_end of "+name, "none", "a sub-agent that is done wasn't reported as such")
	case !d.over && c.end != nil:
		return violation("helix.subagents.reported", "no subagent_end of "+name, clipped(c.end.Body), "a sub-agent that is at work was reported as done")
	}
	if err := j.silentAfter(c, name); err != nil {
		return err
	}
	if d.afterTerminal || d.ranOut(c) { // how much it had said by then is a matter of time
		return j.outOfTime(c, d)
	}
	if d.failed() && j.tookBack(c) { // whether a sub-agent that fails takes back what it said is free
		j.ledger.Saw("helix.subagents.reported")
		return nil
	}
	own := receiveAt(j.all, j.of[c.start.text("subSessionId")])
	if got := own.text.String(); !p.sameText(got) {
		return unequal("helix.text.per-agent", p.text.String(), got, "the text of sub-agent %s is another", name)
	}
	if err := (&judging{ledger: j.ledger, all: j.all, of: j.of, complete: j.complete}).done(p, own, d.within); err != nil {
		return err
	}
	j.ledger.Saw("helix.subagents.reported")
	j.ledger.Saw("helix.text.per-agent")
	if !d.over { // when it saves what its tools wrote is its own affair
		return nil
	}
	err := sums(own.patches, map[string]any{}, d.state, "helix.state.sum")
	if err != nil && (d.staged == nil || sums(own.patches, map[string]any{}, d.staged, "helix.state.sum") != nil) {
		return err
	}
	j.ledger.Saw("helix.state.sum")
	if len(own.outputs) > 0 && d.failed() {
		return violation("helix.output.on-success", "no output", clipped(own.outputs[0].Body), "sub-agent %s failed and sent an output", name)
	}
	if d.output == nil {
		return nil
	}
	if err := output(own, d.output); err != nil {
		return err
	}
	if !equal(*d.output, c.end.member("result")) {
		return unequal("helix.subagents.result", []byte(ascii(*d.output)), c.end.Body, "the result of sub-agent %s isn't its output", name)
	}
	j.ledger.Saw("helix.subagents.result")
	return nil
}

// outOfTime looks at a sub-agent whose time ran out.
func (j *judging) outOfTime(c *call, d *executedStep) error {
	if err := j.unasked(c, d.within); err != nil {
		return err
	}
	j.ledger.Saw("helix.subagents.reported")
	return j.leftOpen(c)
}

// ranOut reports whether a sub-agent may have failed because its time was over: by the clock of the server, it was.
func (d *executedStep) ranOut(c *call) bool {
	if d.limit == 0 || c.end == nil || c.end.member("result") != nil {
		return false
	}
	began, _ := c.start.member("timestamp").(float64)
	ended, _ := c.end.member("timestamp").(float64)
	return ended-began >= 0.9*d.limit // a clock and a timer aren't one
}

// unasked looks whether a call ran for which nobody was asked before the time of its sub-agent was over:
// helix.approval.suspended.
func (j *judging) unasked(c *call, within []*executedStep) error {
	for _, d := range inOrder(within) {
		if d.kind != "tool" || !d.consent || d.over || d.scriptStep.result == nil {
			continue
		}
		for _, p := range j.all[c.from : c.to+1] {
			if p.kind() == "tool_end" && p.text("toolName") == d.name && equal(p.member("result"), d.scriptStep.result) {
				return violation("helix.approval.suspended", "no result", clipped(p.Body), "the call of %s ran when the time of its sub-agent was over, and nobody had agreed", strconv.Quote(d.name))
			}
		}
		j.ledger.Saw("helix.approval.suspended")
	}
	return nil
}

// leftOpen looks for what a sub-agent whose time ran out has begun and nobody ended, once its run is complete:
// helix.tools.ended, helix.subagents.ended.
func (j *judging) leftOpen(c *call) error {
	if !j.complete {
		return nil
	}
	h := receiveAt(j.all, j.of[c.start.text("subSessionId")])
	for _, inner := range h.calls {
		if inner.end == nil {
			return violation("helix.tools.ended", "a tool_end", "none", "the call of %s by a sub-agent whose time ran out wasn't ended", strconv.Quote(inner.start.text("toolName")))
		}
		j.ledger.Saw("helix.tools.ended")
	}
	for _, inner := range h.subAgents {
		if inner.end == nil {
			return violation("helix.subagents.ended", "a subagent_end", "none", "sub-agent %s of one whose time ran out wasn't ended", strconv.Quote(inner.start.text("subAgentType")))
		}
		j.ledger.Saw("helix.subagents.ended")
		if err := j.leftOpen(inner); err != nil {
			return err
		}
	}
	return nil
}

// silentAfter looks whether a sub-agent said anything behind its end: helix.subagents.within.
func (j *judging) silentAfter(c *call, name string) error {
	if c.end == nil {
		return nil
	}
	if of := j.of[c.start.text("subSessionId")]; len(of) > 0 && of[len(of)-1] > c.to {
		return violation("helix.subagents.within", "nothing after the subagent_end", clipped(j.all[of[len(of)-1]].Body), "sub-agent %s went on after its end", name)
	}
	j.ledger.Saw("helix.subagents.within")
	return nil
}

// tookBack reports whether a sub-agent discarded a step.
func (j *judging) tookBack(c *call) bool {
	id := c.start.text("subSessionId")
	return slices.ContainsFunc(j.all, func(p *Produced) bool { return p.kind() == "step_discarded" && p.text("agentId") == id })
}

// output compares the output of an agent that is done.
func output(h *received, want *any) error {
	switch {
	case len(h.outputs) == 0:
		return violation("helix.output.unchanged", clipped([]byte(ascii(*want))), "none", "an output wasn't sent")
	case !equal(*want, h.outputs[0].member("output")):
		return unequal("helix.output.unchanged", []byte(ascii(*want)), h.outputs[0].Body, "an output is another")
	}
	return nil
}

// folded applies patches to a state.
func folded(patches []*Produced, begin any) (any, error) {
	d, err := patch.Parse([]byte(ascii(begin)), patch.Limits{}) // numbers are kept as they are written
	if err != nil {
		return nil, err
	}
	for _, p := range patches {
		operations, err := p.operations()
		if err == nil {
			err = d.Apply(operations, int64(len(p.Body)))
		}
		if err != nil {
			return nil, err
		}
	}
	return decodedJSON(d.JSON())
}

// sums compares what patches add up to with a state.
func sums(patches []*Produced, begin any, want state, rule string) error {
	sum, err := folded(patches, begin)
	if err != nil {
		return violation(rule, "patches that apply", err.Error(), "a state can't be told")
	}
	got, _ := sum.(map[string]any)
	if key, value, have, same := want.differs(got); !same {
		if want[key].loose {
			rule = "helix.state.parallel-appends"
		}
		return unequal(rule, []byte(fmt.Sprintf("%q: %s", key, ascii(value))), []byte(ascii(have)), "a state has another member")
	}
	return nil
}
