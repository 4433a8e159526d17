package helix

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// page is a snapshot, as far as it is compared.
type page struct {
	State          any       `json:"state"`
	Status         Status    `json:"status"`
	StreamSequence *float64  `json:"streamSequence"`
	Messages       []written `json:"messages"`
}

// written is a message of it.
type written struct {
	ID    string `json:"id"`
	Role  string `json:"role"`
	Parts []part `json:"parts"`
}

// part is one of a message.
type part struct {
	Type       string          `json:"type"`
	Text       string          `json:"text"`
	ToolCallID string          `json:"toolCallId"`
	ToolName   string          `json:"toolName"`
	State      string          `json:"state"`
	Arguments  json.RawMessage `json:"arguments"`
	Result     json.RawMessage `json:"result"`
	Error      any             `json:"error"`
}

// of joins the texts of parts of one kind.
func (m *written) of(kind string) string {
	var b strings.Builder
	for _, p := range m.Parts {
		if p.Type == kind {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Snapshot judges a snapshot that was taken while the run rested: it holds what the chunks up to its place add up to, and
// with what comes after it, it makes the whole. status is what StreamInfo says meanwhile, "" if nobody asked.
func (r *Run) Snapshot(body []byte, all []*Produced, partial bool, status Status) error {
	var got page
	if err := json.Unmarshal(body, &got); err != nil || got.StreamSequence == nil || len(all) == 0 || r.between {
		return nil // the schema of the document says what it must hold
	}
	if status != "" && got.Status != status {
		return violation("helix.snapshot.status", string(status), string(got.Status), "a snapshot has another status than StreamInfo")
	}
	got.Messages = slices.DeleteFunc(got.Messages, func(m written) bool { return m.Role != "" && m.Role != "assistant" })
	at := slices.IndexFunc(all, func(p *Produced) bool { return float64(p.ID) > *got.StreamSequence })
	if at < 0 {
		at = len(all)
	}
	if partial && at < len(all) {
		return violation("helix.snapshot.sequence", ids(all[len(all)-1].ID), fmt.Sprint(*got.StreamSequence), "the streamSequence of a snapshot isn't the latest sequence")
	}
	roots := rootsOf(all)
	if err := r.goesOn(&got, all[at:], roots); err != nil || r.allowsDroppedSteps() {
		return err
	}
	several := planned(r.executedSteps()).several
	c := boundaryOf(all, at, counting(all[:at]), roots, r.Over())
	if err := c.shows(&got, r.initial, partial, several); err != nil {
		// What was dropped since was of a step that isn't complete at the cut: without partial content it isn't shown.
		later := boundaryOf(all, at, counting(all)[:at], roots, r.Over())
		if partial || later.shows(&got, r.initial, partial, several) != nil {
			return err
		}
	}
	for _, rule := range []string{"helix.snapshot.boundary", "helix.snapshot.exact", "helix.snapshot.no-partial", "helix.snapshot.partial-parts"} {
		if partial == (rule == "helix.snapshot.partial-parts") || rule == "helix.snapshot.exact" {
			r.ledger.Saw(rule)
		}
	}
	return nil
}

// goesOn judges what a page has that goes on reading after a snapshot.
func (r *Run) goesOn(got *page, remaining []*Produced, roots map[string]bool) error {
	h := receive(remaining, counting(remaining), roots)
	rule := "helix.snapshot.complete"
	if len(h.patches) == 0 {
		rule = "helix.snapshot.exact"
	}
	if err := sums(h.patches, got.State, r.state(), rule); err != nil {
		return err
	}
	r.ledger.Saw(rule)
	p := planned(r.executedSteps())
	if len(p.subAgents) > 0 || r.concurrently() { // whose words stand in a message isn't said
		return nil
	}
	var text strings.Builder
	for _, m := range got.Messages {
		text.WriteString(m.of("text"))
	}
	if whole := text.String() + h.text.String(); !p.sameText(whole) && !r.emittedDropped(whole) {
		return unequal("helix.snapshot.text", p.text.String(), whole, "a snapshot and what comes after it make another text")
	}
	r.ledger.Saw("helix.snapshot.text")
	return nil
}

// boundary is the stream of a run up to the place of a snapshot.
type boundary struct {
	below     []*Produced
	whole     *received // what counts of it
	open      *received // of the step that isn't complete
	subAgents bool      // children have spoken, too
	ended     int64     // the last chunk of content of the steps that are complete in all that is stored
	isStarted int64     // the first of the step that is open there, 0 for none
	calls     map[string]*call
	inOpen    map[string]bool // those calls that the open step made
	void      map[string]bool // those that don't count
}

// boundaryOf follows the root agent up to the chunk of an index, of which counts says what counts. Of a stream that is over every
// step is complete.
func boundaryOf(all []*Produced, at int, counts []bool, roots map[string]bool, over bool) *boundary {
	c := &boundary{below: all[:at], calls: map[string]*call{}, inOpen: map[string]bool{}, void: map[string]bool{}}
	c.ended, c.isStarted = c.borders(all, roots, over)
	c.whole = receive(c.below, counts, roots)
	since := 0
	for i, p := range c.below {
		if done := p.kind() == "step_committed" || p.kind() == "checkpoint_created"; over || done && roots[p.text("agentId")] {
			since = i + 1
		}
		c.subAgents = c.subAgents || p.kind() == "subagent_start"
		if p.kind() == "tool_start" && !counts[i] {
			c.void[p.text("toolCallId")] = true
		}
	}
	c.open = receive(c.below[since:], counts[since:], roots)
	for _, one := range c.whole.calls {
		c.calls[one.start.text("toolCallId")] = one
		c.inOpen[one.start.text("toolCallId")] = one.from >= since
	}
	return c
}

// content are the chunks that a message holds.
var content = []string{"text_delta", "thinking", "tool_start", "tool_end", "output"}

// borders are the last chunk of content of a complete step, and the first of the open one. What counts before a
// stream_resync is of complete steps, also where the chunks that announced their checkpoint lie behind its place.
func (c *boundary) borders(all []*Produced, roots map[string]bool, over bool) (ended, isStarted int64) {
	counts := counting(all)
	var last int64
	for i, p := range all {
		kind := p.kind()
		switch {
		case kind == "stream_resync":
			ended, isStarted = max(ended, last), 0
		case !counts[i] || !roots[p.text("agentId")]:
		case kind == "step_committed" || kind == "checkpoint_created":
			ended, isStarted = max(ended, last), 0
		case slices.Contains(content, kind):
			if last = p.ID; isStarted == 0 {
				isStarted = p.ID
			}
		}
	}
	if over {
		return last, 0
	}
	return ended, isStarted
}

// shows compares a snapshot with what lies below the cut.
func (c *boundary) shows(got *page, begin map[string]any, partial, several bool) error {
	if err := c.state(got, begin); err != nil {
		return err
	}
	if err := c.position(got, partial); err != nil {
		return err
	}
	if err := c.said(got, several); err != nil {
		return err
	}
	return c.called(got, several)
}

// state compares the state with what the patches add up to.
func (c *boundary) state(got *page, begin map[string]any) error {
	want, err := folded(c.whole.patches, begin)
	if err == nil && !equal(want, got.State) {
		return unequal("helix.snapshot.exact", []byte(ascii(want)), []byte(ascii(got.State)), "the state of a snapshot isn't what the patches up to its sequence add up to")
	}
	return nil
}

// position looks where a snapshot without partial content cuts the stream, and which messages call themselves partial.
func (c *boundary) position(got *page, partial bool) error {
	emittedText := c.open.text.Len()+len(c.open.blocks)+len(c.open.calls) > 0
	for i, m := range got.Messages {
		switch ends := strings.HasSuffix(m.ID, "-partial"); {
		case ends && (i < len(got.Messages)-1 || !emittedText && len(m.Parts) > 0):
			return violation("helix.snapshot.partial", "complete messages before the last", strconv.Quote(m.ID), "a message of a complete step is called partial")
		case ends && !partial:
			return violation("helix.snapshot.no-partial", "complete messages", strconv.Quote(m.ID), "a snapshot without partial content has a partial message")
		}
	}
	if n := len(got.Messages); partial && emittedText && (n == 0 || !strings.HasSuffix(got.Messages[n-1].ID, "-partial")) {
		return violation("helix.snapshot.partial", "a last message whose id ends in -partial", strconv.Itoa(n)+" complete messages", "the open step isn't the last message")
	}
	if at := int64(*got.StreamSequence); !partial && (at < c.ended || c.isStarted > 0 && at >= c.isStarted) {
		return violation("helix.snapshot.boundary", fmt.Sprintf("at least %d and below %d", c.ended, c.isStarted), ids(at), "the cut of a snapshot lies inside of a step")
	}
	return nil
}

// said compares the text and the reasoning. What children say may stand between; the reasoning of complete steps may have
// been left out.
func (c *boundary) said(got *page, several bool) error {
	var text, reasonings strings.Builder
	for _, m := range got.Messages {
		text.WriteString(m.of("text"))
		reasonings.WriteString(m.of("reasoning"))
	}
	want := c.whole.text.String()
	if shown := text.String(); shown != want && !(c.subAgents && within(want, shown)) {
		return unequal("helix.snapshot.exact", want, shown, "the text of a snapshot isn't what was said up to its sequence")
	}
	if several || c.subAgents {
		return nil
	}
	open, shown := strings.Join(c.open.blocks, ""), reasonings.String()
	if whole := strings.Join(c.whole.blocks, ""); shown != whole && shown != open {
		return unequal("helix.snapshot.partial-parts", open, shown, "a snapshot has other reasoning")
	}
	return nil
}

// called compares the calls that a snapshot shows, and looks for those that it lacks.
func (c *boundary) called(got *page, several bool) error {
	shown, text := map[string]bool{}, 0
	for _, m := range got.Messages {
		for _, p := range m.Parts {
			if p.Type == "text" {
				text += len(p.Text)
			}
			one := c.calls[p.ToolCallID]
			if p.Type != "tool" || one == nil && !c.void[p.ToolCallID] {
				continue // of a child, or of the server's own
			}
			if one == nil {
				return violation("helix.snapshot.void", "nothing of "+strconv.Quote(p.ToolCallID), "it", "a snapshot shows a call that doesn't count")
			}
			if shown[p.ToolCallID] {
				return violation("helix.snapshot.exact", "it once", strconv.Quote(p.ToolCallID)+" twice", "a snapshot shows a call twice")
			}
			shown[p.ToolCallID] = true
			if err := one.shownAs(p); err != nil {
				return err
			}
			if text != one.text && !several && !c.subAgents {
				return violation("helix.snapshot.exact", fmt.Sprintf("it after %d bytes of text", one.text), fmt.Sprintf("after %d", text), "a snapshot shows the call %s in another place", strconv.Quote(p.ToolCallID))
			}
		}
	}
	for id := range c.calls {
		switch {
		case shown[id] || c.subAgents:
		case c.inOpen[id]:
			return violation("helix.snapshot.partial-parts", "the call "+strconv.Quote(id), "none", "a snapshot lacks a call of the open step")
		default:
			return violation("helix.snapshot.exact", "the call "+strconv.Quote(id), "none", "a snapshot lacks a call of a step that is over")
		}
	}
	return nil
}

// shownAs compares a call with the part that shows it.
func (c *call) shownAs(p part) error {
	want := "executing"
	switch {
	case c.end != nil && c.end.member("success") == true:
		want = "completed"
	case c.end != nil:
		want = "error"
	}
	if p.State != want {
		return violation("helix.snapshot.partial-parts", want, p.State, "a snapshot shows a call as another than it is")
	}
	if err := p.calledWith(c.start.text("toolName"), c.start.member("arguments")); err != nil || c.end == nil {
		return err
	}
	return p.endedWith(want == "error", c.end.text("error"), c.end.member("result"))
}

// calledWith compares the tool of a call, and its arguments where they are an object. A part may show them as a text.
func (p part) calledWith(tool string, arguments any) error {
	if p.ToolName != tool {
		return violation("helix.snapshot.exact", strconv.Quote(tool), strconv.Quote(p.ToolName), "a snapshot shows the call %s with another name, or none", p.ToolCallID)
	}
	object, is := arguments.(map[string]any)
	if !is || len(object)+len(p.Arguments) == 0 {
		return nil
	}
	var shown any
	err := json.Unmarshal(p.Arguments, &shown)
	if members, is := shown.(map[string]any); err != nil || is && !equal(any(object), any(members)) {
		return unequal("helix.snapshot.exact", []byte(ascii(object)), p.Arguments, "a snapshot shows the call %s with other arguments, or none", p.ToolCallID)
	}
	return nil
}

// endedWith compares the error of a call that failed, and the result of one that didn't. A part without a result shows null.
func (p part) endedWith(failed bool, said string, result any) error {
	if failed {
		if text, is := p.Error.(string); said != "" && (p.Error == nil || is && text != said) {
			return unequal("helix.snapshot.exact", said, text, "a snapshot shows the call %s with another error, or none", p.ToolCallID)
		}
		return nil
	}
	if result == nil && p.Result == nil {
		return nil
	}
	var shown any
	if json.Unmarshal(p.Result, &shown) != nil || !equal(result, shown) {
		return unequal("helix.snapshot.exact", []byte(ascii(result)), p.Result, "a snapshot shows the call %s with another result, or none", p.ToolCallID)
	}
	return nil
}
