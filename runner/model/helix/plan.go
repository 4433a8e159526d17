package helix

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// plan is what one agent must have said and done, in the order of its script.
type plan struct {
	text        strings.Builder
	texts       []*executedStep
	branchTexts []string // of the text, where branches spoke side by side: each of them keeps its order
	several     bool     // branches spoke side by side, in any order
	blocks      []*executedStep
	calls       []*executedStep
	customs     []*executedStep
	suspended   map[*executedStep]bool // those of branches
	positions   map[*executedStep]int  // how much text comes before a custom event that no branch emits
	faults      []*executedStep
	subAgents   []*executedStep
}

func planned(executedSteps []*executedStep) *plan {
	p := &plan{positions: map[*executedStep]int{}, suspended: map[*executedStep]bool{}}
	p.add(executedSteps, false)
	if p.several {
		p.branchTexts = branchTexts(executedSteps)
	}
	return p
}

func (p *plan) add(executedSteps []*executedStep, suspended bool) {
	for _, d := range executedSteps {
		d.from, d.to, p.suspended[d] = -1, -1, suspended
		switch d.kind {
		case "text":
			p.text.WriteString(d.scriptStep.text)
			p.texts = append(p.texts, d)
		case "thinking":
			if d.scriptStep.text != "" {
				p.blocks = append(p.blocks, d)
			}
		case "tool":
			p.calls = append(p.calls, d)
		case "custom":
			p.customs = append(p.customs, d)
			if !suspended {
				p.positions[d] = p.text.Len()
			}
		case "error", "stop":
			p.faults = append(p.faults, d)
		case "subagent":
			p.subAgents = append(p.subAgents, d)
		case "parallel":
			p.several = p.several || len(d.sides) > 1
			for _, side := range d.sides {
				p.add(side, true)
			}
		}
	}
}

// branchTexts are the texts of deeds, each with another branch of those that work side by side.
func branchTexts(executedSteps []*executedStep) []string {
	all := []string{""}
	for _, d := range executedSteps {
		switch d.kind {
		case "text":
			for i := range all {
				all[i] += d.scriptStep.text
			}
		case "parallel":
			var sides []string
			for _, side := range d.sides {
				sides = append(sides, branchTexts(side)...)
			}
			for len(all) < len(sides) {
				all = append(all, all[0])
			}
			for i := range all {
				if len(sides) > 0 {
					all[i] += sides[i%len(sides)]
				}
			}
		}
	}
	return all
}

// sameText reports whether a text is the one that was planned; what branches said may be mixed.
func (p *plan) sameText(got string) bool {
	want := p.text.String()
	if want == got || !p.several || len(want) != len(got) {
		return want == got
	}
	var letters [256]int
	for i := range len(want) {
		letters[want[i]]++
		letters[got[i]]--
	}
	return letters == [256]int{} && !slices.ContainsFunc(p.branchTexts, func(strand string) bool { return !within(strand, got) })
}

// within reports whether a text is in another one in its order, with more between.
func within(text, whole string) bool {
	at := 0
	for i := 0; i < len(whole) && at < len(text); i++ {
		if whole[i] == text[at] {
			at++
		}
	}
	return at == len(text)
}

// judging compares what an agent said with its plan. Where a step was dropped and readers weren't told, what else it did may
// be on the stream beside.
type judging struct {
	ledger             Ledger
	all                []*Produced
	of                 map[string][]int // the places of what counts, by agent
	allowsDroppedSteps bool
	// complete reports whether the run is, so that everything that was begun has to have ended.
	complete bool
}

// done compares everything but the text and the state.
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
	for _, c := range h.calls { // beside those of the script there may be some of the server's own
		name := c.start.text("toolName")
		if !c.used && slices.ContainsFunc(p.calls, func(d *executedStep) bool { return d.name == name }) {
			return violation("helix.tools.reported", "no further call", strconv.Quote(name), "a call was reported twice")
		}
	}
	for _, c := range h.subAgents {
		name := c.start.text("subAgentType")
		if !c.used && slices.ContainsFunc(p.subAgents, func(d *executedStep) bool { return d.name == name }) {
			return violation("helix.subagents.reported", "no further sub-agent", strconv.Quote(name), "a sub-agent was reported twice")
		}
	}
	_, _, err := j.atPosition(executedSteps, -1, -1)
	return err
}

// emittedText finds the chunks that brought each text.
func (j *judging) emittedText(p *plan, h *received) {
	if p.several || p.text.Len() != h.text.Len() {
		return
	}
	at, n := 0, 0
	for _, d := range p.texts {
		if d.scriptStep.text == "" {
			continue
		}
		for n < len(h.pieces) && h.pieces[n].end <= at {
			n++
		}
		d.from = h.pieces[n].at
		for at += len(d.scriptStep.text); n < len(h.pieces) && h.pieces[n].end < at; {
			n++
		}
		d.to = h.pieces[n].at
	}
}

func (j *judging) reasoning(p *plan, h *received) error {
	var want []string
	for _, d := range p.blocks {
		want = append(want, d.scriptStep.text)
	}
	got := h.blocks
	if p.several {
		got = slices.Sorted(slices.Values(got))
		slices.Sort(want)
	}
	if slices.Equal(want, got) || j.allowsDroppedSteps && len(got) > len(want) {
		for i, d := range p.blocks {
			if !p.several && !j.allowsDroppedSteps {
				d.from, d.to = h.ends[i], h.ends[i]
			}
		}
		j.ledger["helix.thinking.content"] += len(want)
		if len(want) > 1 {
			j.ledger.Saw("helix.thinking.blocks")
		}
		return nil
	}
	rule := "helix.thinking.content"
	if len(want) != len(got) && strings.Join(want, "") == strings.Join(got, "") {
		rule = "helix.thinking.blocks"
	}
	return unequal(rule, want, got, "the reasoning is another")
}

// find looks for the chunks of a call: the next one of its tool, or, where others may have come in between, the one that is
// the most like it.
func (j *judging) find(d *executedStep, h *received, next bool) *call {
	args, _ := d.arguments()
	var best *call
	most := -1
	for _, c := range h.calls {
		if c.used || c.start.text("toolName") != d.name {
			continue
		}
		if next {
			return c
		}
		like := 0
		if equal(any(args), c.start.member("arguments")) {
			like += 2
		}
		if d.over == (c.end != nil) && (c.end == nil || d.denied || d.fails != nil || equal(d.result, c.end.member("result"))) {
			like++
		}
		if like > most {
			best, most = c, like
		}
	}
	if most < 2 && d.consent && !d.over { // it begins when it was decided
		return nil
	}
	return best
}

// called looks for the chunks of a call.
func (j *judging) called(d *executedStep, h *received, next bool) error {
	c := j.find(d, h, next)
	if c == nil {
		if d.consent && !d.over { // it may begin when it was decided
			return nil
		}
		return violation("helix.tools.reported", "a tool_start of "+strconv.Quote(d.name), "none", "a call wasn't reported")
	}
	c.used, d.from, d.to = true, c.from, c.to
	want, rule := d.arguments()
	if got := c.start.member("arguments"); !equal(any(want), got) {
		return unequal(rule, []byte(ascii(want)), c.start.raw("arguments"), "the arguments of %s are others", strconv.Quote(d.name))
	}
	j.ledger.Saw(rule)
	switch {
	case d.over && c.end == nil:
		return violation("helix.tools.reported", "a tool_end of "+strconv.Quote(d.name), "none", "a call that is over wasn't reported as such")
	case !d.over && c.end != nil && d.consent:
		return violation("helix.approval.waits", "no tool_end", clipped(c.end.Body), "the call of %s ended before it was decided", strconv.Quote(d.name))
	case !d.over && c.end != nil && !d.client: // that such a call stays open is recommended
		return violation("helix.tools.result", "no tool_end", clipped(c.end.Body), "the call of %s ended before its tool did", strconv.Quote(d.name))
	case !d.over && d.consent:
		return j.requested(d, c.start)
	case !d.over:
		return nil
	}
	j.ledger.Saw("helix.tools.reported")
	return j.ended(d, c.end)
}

// requested looks for the question of a call that needs consent: helix.approval.fails-closed.
func (j *judging) requested(d *executedStep, start *Produced) error {
	rule := map[bool]string{true: "helix.approval.fails-closed", false: "helix.approval.requested"}[d.broken]
	if !slices.ContainsFunc(j.all, func(p *Produced) bool {
		return p.kind() == "tool_approval_request" && (p.text("toolCallId") == start.text("toolCallId") || p.text("toolCallId") == "" && p.text("toolName") == d.name)
	}) {
		return violation(rule, "a tool_approval_request of "+strconv.Quote(d.name), "none", "nobody was asked about a call that needs consent")
	}
	j.ledger.Saw(rule)
	j.ledger.Saw("helix.approval.waits")
	return nil
}

const denial = "Tool call was not approved by the user"

// ended compares the end of a call.
func (j *judging) ended(d *executedStep, end *Produced) error {
	rule := "helix.tools.result"
	if d.consent {
		rule = "helix.approval.granted"
	}
	switch got := clipped(end.Body); {
	case d.denied:
		if text := ascii(end.member("result")) + end.text("error"); !strings.Contains(text, denial) {
			return violation("helix.approval.denied", denial, got, "the end of a denied call doesn't say so")
		}
		rule = "helix.approval.denied"
	case d.fails == nil && (end.member("success") != true || !equal(d.result, end.member("result"))):
		return violation(rule, clipped([]byte(ascii(d.result))), got, "the result of %s is another", strconv.Quote(d.name))
	case d.fails != nil && (end.member("success") != false || *d.fails != "" && end.text("error") != *d.fails):
		return violation(rule, strconv.Quote(*d.fails), got, "the error of %s is another", strconv.Quote(d.name))
	}
	j.ledger.Saw(rule)
	return nil
}

// emitted looks for the events of tools.
func (j *judging) emitted(p *plan, h *received) error {
	for _, d := range p.customs {
		i := slices.IndexFunc(h.customs, func(e *event) bool {
			return !e.used && e.Produced.text("eventName") == d.name && equal(d.value, e.member("data"))
		})
		if i < 0 {
			left := "none"
			if i := slices.IndexFunc(h.customs, func(e *event) bool { return !e.used }); i >= 0 {
				left = clipped(h.customs[i].Body)
			}
			return violation("helix.custom.unchanged", clipped([]byte(strconv.Quote(d.name)+" with "+ascii(d.value))), left, "a custom event isn't there as its tool emitted it")
		}
		e := h.customs[i]
		e.used, d.from, d.to = true, e.at, e.at
		if at, alone := p.positions[d]; alone && at != e.text && !j.allowsDroppedSteps {
			return violation("helix.custom.in-place", fmt.Sprintf("it after %d bytes of text", at), fmt.Sprintf("after %d", e.text), "a custom event %s has another place", strconv.Quote(d.name))
		}
		j.ledger.Saw("helix.custom.unchanged")
		j.ledger.Saw("helix.custom.in-place")
	}
	if i := slices.IndexFunc(h.customs, func(e *event) bool { return !e.used }); i >= 0 && !j.allowsDroppedSteps {
		return violation("helix.custom.unchanged", "no further event", clipped(h.customs[i].Body), "a custom event came that nobody emitted")
	}
	return nil
}

// atPosition looks at the order of custom events and all else, of which it returns the last and the end of all:
// helix.custom.in-place.
func (j *judging) atPosition(executedSteps []*executedStep, custom, last int) (int, int, error) {
	for _, d := range executedSteps {
		switch {
		case d.kind == "parallel":
			most, end := custom, last
			for _, side := range d.sides {
				c, l, err := j.atPosition(side, custom, last)
				if err != nil {
					return 0, 0, err
				}
				most, end = max(most, c), max(end, l)
			}
			custom, last = most, end
		case d.from < 0:
		case d.kind == "custom" && d.from < last, d.from < custom:
			return 0, 0, violation("helix.custom.in-place", "what comes before it in the script before it", clipped(j.all[d.from].Body), "a custom event has another place")
		case d.kind == "custom":
			custom, last = d.from, max(last, d.from)
		default:
			last = max(last, d.to)
		}
	}
	return custom, last, nil
}
