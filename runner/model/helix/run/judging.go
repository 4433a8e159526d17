package run

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/document"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// judging compares the chunks of an agent with its plan. Where a step was dropped without notice to readers, its chunks may be
// stored, too.
type judging struct {
	occasions          model.OccasionCounts // of the caller
	all                []*stream.Produced   // of the session, in the order of the stream
	of                 map[string][]int     // indices of the chunks that count, by agent
	allowsDroppedSteps bool                 // chunks of dropped steps may be among those that count
	complete           bool                 // the run is: every call and sub-agent has to have ended
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
		j.occasions["helix.thinking.content"] += len(want)
		if len(want) > 1 {
			j.occasions.Saw("helix.thinking.blocks")
		}
		return nil
	}
	rule := "helix.thinking.content"
	if len(want) != len(got) && strings.Join(want, "") == strings.Join(got, "") {
		rule = "helix.thinking.blocks"
	}
	return model.Unequal(rule, want, got, "the reasoning is another")
}

// find returns the chunks of a call: the next one of its tool, or, where others may have come in between, the most similar
// one.
func (j *judging) find(d *executedStep, h *received, next bool) *call {
	args, _ := d.arguments()
	var best *call
	most := -1
	for _, c := range h.calls {
		if c.used || c.start.Text("toolName") != d.name {
			continue
		}
		if next {
			return c
		}
		like := 0
		if document.Equal(any(args), c.start.Member("arguments")) {
			like += 2
		}
		if d.over == (c.end != nil) && (c.end == nil || d.denied || d.fails != nil || document.Equal(d.result, c.end.Member("result"))) {
			like++
		}
		if like > most {
			best, most = c, like
		}
	}
	if most < 2 && d.consent && !d.over { // it begins after the decision
		return nil
	}
	return best
}

// called compares the chunks of a call.
func (j *judging) called(d *executedStep, h *received, next bool) error {
	c := j.find(d, h, next)
	if c == nil {
		if d.consent && !d.over { // it may begin after the decision
			return nil
		}
		return model.Violated("helix.tools.reported", "a tool_start of "+strconv.Quote(d.name), "none", "a call wasn't reported")
	}
	c.used, d.from, d.to = true, c.from, c.to
	want, rule := d.arguments()
	if got := c.start.Member("arguments"); !document.Equal(any(want), got) {
		return model.Unequal(rule, want, c.start.Raw("arguments"), "the arguments of %s are others", strconv.Quote(d.name))
	}
	j.occasions.Saw(rule)
	switch {
	case d.over && c.end == nil:
		return model.Violated("helix.tools.reported", "a tool_end of "+strconv.Quote(d.name), "none", "a call that is over wasn't reported as such")
	case !d.over && c.end != nil && d.consent:
		return model.Violated("helix.approval.waits", "no tool_end", model.Clipped(c.end.Body), "the call of %s ended before it was decided", strconv.Quote(d.name))
	case !d.over && c.end != nil && !d.client: // that such a call stays open is recommended
		return model.Violated("helix.tools.result", "no tool_end", model.Clipped(c.end.Body), "the call of %s ended before its tool did", strconv.Quote(d.name))
	case !d.over && d.consent:
		return j.requested(d, c.start)
	case !d.over:
		return nil
	}
	j.occasions.Saw("helix.tools.reported")
	return j.ended(d, c.end)
}

// requested finds the approval request of a call that needs consent: helix.approval.fails-closed.
func (j *judging) requested(d *executedStep, start *stream.Produced) error {
	rule := map[bool]string{true: "helix.approval.fails-closed", false: "helix.approval.requested"}[d.broken]
	if !slices.ContainsFunc(j.all, func(p *stream.Produced) bool {
		return p.Kind() == "tool_approval_request" && (p.Text("toolCallId") == start.Text("toolCallId") || p.Text("toolCallId") == "" && p.Text("toolName") == d.name)
	}) {
		return model.Violated(rule, "a tool_approval_request of "+strconv.Quote(d.name), "none", "nobody was asked about a call that needs consent")
	}
	j.occasions.Saw(rule)
	j.occasions.Saw("helix.approval.waits")
	return nil
}

const denial = "Tool call was not approved by the user"

// ended compares the end of a call.
func (j *judging) ended(d *executedStep, end *stream.Produced) error {
	rule := "helix.tools.result"
	if d.consent {
		rule = "helix.approval.granted"
	}
	switch got := model.Clipped(end.Body); {
	case d.denied:
		if text := jsonText(end.Member("result")) + end.Text("error"); !strings.Contains(text, denial) {
			return model.Violated("helix.approval.denied", denial, got, "the end of a denied call doesn't say so")
		}
		rule = "helix.approval.denied"
	case d.fails == nil && (end.Member("success") != true || !document.Equal(d.result, end.Member("result"))):
		return model.Violated(rule, model.Clipped(d.result), got, "the result of %s is another", strconv.Quote(d.name))
	case d.fails != nil && (end.Member("success") != false || *d.fails != "" && end.Text("error") != *d.fails):
		return model.Violated(rule, strconv.Quote(*d.fails), got, "the error of %s is another", strconv.Quote(d.name))
	}
	j.occasions.Saw(rule)
	return nil
}

// emitted compares custom events.
func (j *judging) emitted(p *plan, h *received) error {
	for _, d := range p.customs {
		i := slices.IndexFunc(h.customs, func(e *event) bool {
			return !e.used && e.Produced.Text("eventName") == d.name && document.Equal(d.value, e.Member("data"))
		})
		if i < 0 {
			left := "none"
			if i := slices.IndexFunc(h.customs, func(e *event) bool { return !e.used }); i >= 0 {
				left = model.Clipped(h.customs[i].Body)
			}
			return model.Violated("helix.custom.unchanged", model.Clipped([]byte(strconv.Quote(d.name)+" with "+jsonText(d.value))), left, "a custom event isn't there as its tool emitted it")
		}
		e := h.customs[i]
		e.used, d.from, d.to = true, e.at, e.at
		if at, alone := p.positions[d]; alone && at != e.text && !j.allowsDroppedSteps {
			return model.Violated("helix.custom.in-place", fmt.Sprintf("it after %d bytes of text", at), fmt.Sprintf("after %d", e.text), "a custom event %s has another place", strconv.Quote(d.name))
		}
		j.occasions.Saw("helix.custom.unchanged")
		j.occasions.Saw("helix.custom.in-place")
	}
	if i := slices.IndexFunc(h.customs, func(e *event) bool { return !e.used }); i >= 0 && !j.allowsDroppedSteps {
		return model.Violated("helix.custom.unchanged", "no further event", model.Clipped(h.customs[i].Body), "a custom event came that nobody emitted")
	}
	return nil
}

// atPosition checks the order of custom events among other chunks. custom is the index of the last event so far, last that
// of the last chunk; it returns both after the steps: helix.custom.in-place.
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
			return 0, 0, model.Violated("helix.custom.in-place", "what comes before it in the script before it", model.Clipped(j.all[d.from].Body), "a custom event has another place")
		case d.kind == "custom":
			custom, last = d.from, max(last, d.from)
		default:
			last = max(last, d.to)
		}
	}
	return custom, last, nil
}
