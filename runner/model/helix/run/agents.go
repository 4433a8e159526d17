package run

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/document"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// subAgent finds the chunks that report a sub-agent: of concurrent ones of its type the one that emitted the expected text. A
// failed one may have taken its text back.
func (j *judging) subAgent(d *executedStep, h *received, p *plan, suspended bool) *call {
	var silent, first *call
	for _, c := range h.subAgents {
		switch {
		case c.used || c.start.Text("subAgentType") != d.name:
		case !suspended && !j.allowsDroppedSteps:
			return c
		case p.sameText(receiveAt(j.all, j.ofChild(c)).text.String()):
			return c
		case silent == nil && d.failed() && c.end != nil && j.tookBack(c):
			silent = c
		case first == nil:
			first = c
		}
	}
	return cmp.Or(silent, first)
}

// ofChild lists the chunks that a sub-agent emitted after one start: a persistent one may be started again, by a message.
func (j *judging) ofChild(c *call) []int {
	return slices.DeleteFunc(slices.Clone(j.of[c.start.Text("subSessionId")]), func(i int) bool {
		return c.again && i < c.from || c.next > 0 && i > c.next
	})
}

// child compares a sub-agent, which is judged like a root agent.
func (j *judging) child(d *executedStep, h *received, suspended bool) error {
	name := strconv.Quote(d.name)
	p := planned(d.within)
	c := j.subAgent(d, h, p, suspended)
	if c == nil {
		return model.Violated("helix.subagents.reported", "a subagent_start of "+name, "none", "a sub-agent wasn't reported")
	}
	c.used = true
	if !suspended {
		d.from, d.to = c.from, c.to
	}
	switch {
	case d.over && c.end == nil:
		return model.Violated("helix.subagents.reported", "a subagent_end of "+name, "none", "a sub-agent that is done wasn't reported as such")
	case !d.over && c.end != nil:
		return model.Violated("helix.subagents.reported", "no subagent_end of "+name, model.Clipped(c.end.Body), "a sub-agent that is at work was reported as done")
	}
	if err := j.silentAfter(c, name); err != nil {
		return err
	}
	if d.afterTerminal || d.ranOut(c) { // how much text it had emitted by then depends on time
		return j.outOfTime(c, d)
	}
	if d.failed() && j.tookBack(c) { // whether a failed sub-agent takes back its text is free
		j.occasions.Saw("helix.subagents.reported")
		return nil
	}
	own := receiveAt(j.all, j.ofChild(c))
	if got := own.text.String(); !p.sameText(got) {
		return model.Unequal("helix.text.per-agent", p.text.String(), got, "the text of sub-agent %s is another", name)
	}
	if err := (&judging{occasions: j.occasions, all: j.all, of: j.of, complete: j.complete}).done(p, own, d.within); err != nil {
		return err
	}
	j.occasions.Saw("helix.subagents.reported")
	j.occasions.Saw("helix.text.per-agent")
	if !d.over || c.again { // when it saves its state is free, and so is whether it begins a new one
		return nil
	}
	err := sums(own.patches, map[string]any{}, d.state, "helix.state.sum")
	if err != nil && (d.staged == nil || sums(own.patches, map[string]any{}, d.staged, "helix.state.sum") != nil) {
		return err
	}
	j.occasions.Saw("helix.state.sum")
	if len(own.outputs) > 0 && d.failed() {
		return model.Violated("helix.output.on-success", "no output", model.Clipped(own.outputs[0].Body), "sub-agent %s failed and sent an output", name)
	}
	if d.output == nil {
		return nil
	}
	if err := checkOutput(own, d.output); err != nil {
		return err
	}
	if !document.Equal(*d.output, c.end.Member("result")) {
		return model.Unequal("helix.subagents.result", *d.output, c.end.Body, "the result of sub-agent %s isn't its output", name)
	}
	j.occasions.Saw("helix.subagents.result")
	return nil
}

// outOfTime judges a sub-agent whose time ran out.
func (j *judging) outOfTime(c *call, d *executedStep) error {
	if err := j.unasked(c, d.within); err != nil {
		return err
	}
	j.occasions.Saw("helix.subagents.reported")
	return j.leftOpen(c)
}

// ranOut reports whether the timestamps of a sub-agent say that its time was over, so that it may have failed by that.
func (d *executedStep) ranOut(c *call) bool {
	if d.limit == 0 || c.end == nil || c.end.Member("result") != nil {
		return false
	}
	began, _ := c.start.Member("timestamp").(float64)
	ended, _ := c.end.Member("timestamp").(float64)
	return ended-began >= 0.9*d.limit // a clock and a timer aren't one
}

// unasked checks that no call ran that waited for a decision when the time of its sub-agent was over:
// helix.approval.suspended.
func (j *judging) unasked(c *call, within []*executedStep) error {
	for _, d := range inOrder(within) {
		if d.kind != "tool" || !d.consent || d.over || d.scriptStep.result == nil {
			continue
		}
		for _, p := range j.all[c.from : c.to+1] {
			if p.Kind() == "tool_end" && p.Text("toolName") == d.name && document.Equal(p.Member("result"), d.scriptStep.result) {
				return model.Violated("helix.approval.suspended", "no result", model.Clipped(p.Body), "the call of %s ran when the time of its sub-agent was over, and nobody had agreed", strconv.Quote(d.name))
			}
		}
		j.occasions.Saw("helix.approval.suspended")
	}
	return nil
}

// leftOpen checks that the calls of a sub-agent whose time ran out were ended, once its run is complete:
// helix.tools.ended, helix.subagents.ended.
func (j *judging) leftOpen(c *call) error {
	if !j.complete {
		return nil
	}
	h := receiveAt(j.all, j.ofChild(c))
	for _, inner := range h.calls {
		if inner.end == nil {
			return model.Violated("helix.tools.ended", "a tool_end", "none", "the call of %s by a sub-agent whose time ran out wasn't ended", strconv.Quote(inner.start.Text("toolName")))
		}
		j.occasions.Saw("helix.tools.ended")
	}
	for _, inner := range h.subAgents {
		if inner.end == nil {
			return model.Violated("helix.subagents.ended", "a subagent_end", "none", "sub-agent %s of one whose time ran out wasn't ended", strconv.Quote(inner.start.Text("subAgentType")))
		}
		j.occasions.Saw("helix.subagents.ended")
		if err := j.leftOpen(inner); err != nil {
			return err
		}
	}
	return nil
}

// silentAfter checks that a sub-agent emitted nothing after its end: helix.subagents.within.
func (j *judging) silentAfter(c *call, name string) error {
	if c.end == nil {
		return nil
	}
	if of := j.ofChild(c); len(of) > 0 && of[len(of)-1] > c.to {
		return model.Violated("helix.subagents.within", "nothing after the subagent_end", model.Clipped(j.all[of[len(of)-1]].Body), "sub-agent %s went on after its end", name)
	}
	j.occasions.Saw("helix.subagents.within")
	return nil
}

// tookBack reports whether a sub-agent discarded a step.
func (j *judging) tookBack(c *call) bool {
	id := c.start.Text("subSessionId")
	return slices.ContainsFunc(j.all, func(p *stream.Produced) bool { return p.Kind() == "step_discarded" && p.Text("agentId") == id })
}

// done compares everything of an agent but its text and its state.
func (j *judging) done(p *plan, h *received, executedSteps []*executedStep) error {
	j.emittedText(p, h)
	if err := j.reasoning(p, h); err != nil {
		return err
	}
	for _, d := range p.calls {
		if err := j.called(d, h, !p.suspended[d] && !j.allowsDroppedSteps); err != nil {
			return err
		}
	}
	if err := j.emitted(p, h); err != nil {
		return err
	}
	if err := j.failed(p, h); err != nil {
		return err
	}
	for _, d := range p.subAgents {
		if err := j.child(d, h, p.suspended[d]); err != nil {
			return err
		}
	}
	if j.allowsDroppedSteps {
		return nil
	}
	for _, c := range h.calls { // the server may make calls that no script has
		name := c.start.Text("toolName")
		if !c.used && slices.ContainsFunc(p.calls, func(d *executedStep) bool { return d.name == name }) {
			return model.Violated("helix.tools.reported", "no further call", strconv.Quote(name), "a call was reported twice")
		}
	}
	for _, c := range h.subAgents {
		name := c.start.Text("subAgentType")
		if !c.used && slices.ContainsFunc(p.subAgents, func(d *executedStep) bool { return d.name == name }) {
			return model.Violated("helix.subagents.reported", "no further sub-agent", strconv.Quote(name), "a sub-agent was reported twice")
		}
	}
	_, _, err := j.atPosition(executedSteps, -1, -1)
	return err
}

// checkOutput compares the output of an agent that is done.
func checkOutput(h *received, want *any) error {
	switch {
	case len(h.outputs) == 0:
		return model.Violated("helix.output.unchanged", model.Clipped(*want), "none", "an output wasn't sent")
	case !document.Equal(*want, h.outputs[0].Member("output")):
		return model.Unequal("helix.output.unchanged", *want, h.outputs[0].Body, "an output is another")
	}
	return nil
}
