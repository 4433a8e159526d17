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

// boundary is the stream of a run up to the sequence of a snapshot.
type boundary struct {
	below     []*stream.Produced // chunks of the session, at most the snapshot's sequence
	complete  *received          // of the chunks of below that count
	open      *received          // of those that belong to the step that isn't complete
	subAgents bool               // there were some
	ended     int64              // the last chunk of content of the steps that are complete in all that is stored
	opened    int64              // the first of the step that is open there, 0 for none
	calls     map[string]*call   // those of complete, by id
	inOpen    map[string]bool    // the calls of the open step
	void      map[string]bool    // calls that don't count
}

// boundaryOf follows the root agent up to the chunk of an index; counts lists the chunks that aren't voided. In a stream
// that is over every step is complete.
func boundaryOf(all []*stream.Produced, at int, counts []bool, roots map[string]bool, over bool) *boundary {
	c := &boundary{below: all[:at], calls: map[string]*call{}, inOpen: map[string]bool{}, void: map[string]bool{}}
	c.ended, c.opened = c.borders(all, roots, over)
	c.complete = receive(c.below, counts, roots)
	since := 0
	for i, p := range c.below {
		if done := p.Kind() == "step_committed" || p.Kind() == "checkpoint_created"; over || done && roots[p.Text("agentId")] {
			since = i + 1
		}
		c.subAgents = c.subAgents || p.Kind() == "subagent_start"
		if p.Kind() == "tool_start" && !counts[i] {
			c.void[p.Text("toolCallId")] = true
		}
	}
	c.open = receive(c.below[since:], counts[since:], roots)
	for _, one := range c.complete.calls {
		c.calls[one.start.Text("toolCallId")] = one
		c.inOpen[one.start.Text("toolCallId")] = one.from >= since
	}
	return c
}

// content lists the types of the chunks whose content is part of a message.
var content = []string{"text_delta", "thinking", "tool_start", "tool_end", "output"}

// borders returns the last chunk of content of a complete step, and the first of the open one. What counts before a
// stream_resync is of complete steps, also where the chunks that announced their checkpoint come after its sequence.
func (c *boundary) borders(all []*stream.Produced, roots map[string]bool, over bool) (ended, opened int64) {
	counts := counting(all)
	var last int64
	for i, p := range all {
		kind := p.Kind()
		switch {
		case kind == "stream_resync":
			ended, opened = max(ended, last), 0
		case !counts[i] || !roots[p.Text("agentId")]:
		case kind == "step_committed" || kind == "checkpoint_created":
			ended, opened = max(ended, last), 0
		case slices.Contains(content, kind):
			if last = p.ID; opened == 0 {
				opened = p.ID
			}
		}
	}
	if over {
		return last, 0
	}
	return ended, opened
}

// shows compares a snapshot with the chunks below the boundary.
func (c *boundary) shows(got *document.Page, begin map[string]any, partial, several bool) error {
	if err := c.state(got, begin); err != nil {
		return err
	}
	if err := c.position(got, partial); err != nil {
		return err
	}
	if err := c.texts(got, several); err != nil {
		return err
	}
	return c.called(got, several)
}

// state compares the state of a snapshot with the sum of the patches up to its sequence.
func (c *boundary) state(got *document.Page, begin map[string]any) error {
	want, err := folded(c.complete.patches, begin)
	if err == nil && !document.Equal(want, got.State) {
		return model.Unequal("helix.snapshot.exact", want, got.State, "the state of a snapshot isn't what the patches up to its sequence add up to")
	}
	return nil
}

// position checks the boundary of a snapshot without partial content, and which messages are marked as partial.
func (c *boundary) position(got *document.Page, partial bool) error {
	emittedText := c.open.text.Len()+len(c.open.blocks)+len(c.open.calls) > 0
	for i, m := range got.Messages {
		switch ends := strings.HasSuffix(m.ID, "-partial"); {
		case ends && (i < len(got.Messages)-1 || !emittedText && len(m.Parts) > 0):
			return model.Violated("helix.snapshot.partial", "complete messages before the last", strconv.Quote(m.ID), "a message of a complete step is called partial")
		case ends && !partial:
			return model.Violated("helix.snapshot.no-partial", "complete messages", strconv.Quote(m.ID), "a snapshot without partial content has a partial message")
		}
	}
	if n := len(got.Messages); partial && emittedText && (n == 0 || !strings.HasSuffix(got.Messages[n-1].ID, "-partial")) {
		return model.Violated("helix.snapshot.partial", "a last message whose id ends in -partial", strconv.Itoa(n)+" complete messages", "the open step isn't the last message")
	}
	if at := int64(*got.StreamSequence); !partial && (at < c.ended || c.opened > 0 && at >= c.opened) {
		return model.Violated("helix.snapshot.boundary", fmt.Sprintf("at least %d and below %d", c.ended, c.opened), strconv.FormatInt(at, 10), "the cut of a snapshot lies inside of a step")
	}
	return nil
}

// texts compares the text and the reasoning. Texts of sub-agents may come between; the reasoning of complete steps may be
// left out.
func (c *boundary) texts(got *document.Page, several bool) error {
	want := c.complete.text.String()
	if shown := got.Text("text"); shown != want && !(c.subAgents && within(want, shown)) {
		return model.Unequal("helix.snapshot.exact", want, shown, "the text of a snapshot isn't what was said up to its sequence")
	}
	if several || c.subAgents {
		return nil
	}
	open, shown := strings.Join(c.open.blocks, ""), got.Text("reasoning")
	if whole := strings.Join(c.complete.blocks, ""); shown != whole && shown != open {
		return model.Unequal("helix.snapshot.partial-parts", open, shown, "a snapshot has other reasoning")
	}
	return nil
}

// called compares the calls that a snapshot shows, and finds those that it lacks.
func (c *boundary) called(got *document.Page, several bool) error {
	shown, text := map[string]bool{}, 0
	for _, m := range got.Messages {
		for _, p := range m.Parts {
			if p.Type == "text" {
				text += len(p.Text)
			}
			one := c.calls[p.ToolCallID]
			if p.Type != "tool" || one == nil && !c.void[p.ToolCallID] {
				continue // of a sub-agent, or of the server itself
			}
			if one == nil {
				return model.Violated("helix.snapshot.void", "nothing of "+strconv.Quote(p.ToolCallID), "it", "a snapshot shows a call that doesn't count")
			}
			if shown[p.ToolCallID] {
				return model.Violated("helix.snapshot.exact", "it once", strconv.Quote(p.ToolCallID)+" twice", "a snapshot shows a call twice")
			}
			shown[p.ToolCallID] = true
			if err := one.shownAs(p); err != nil {
				return err
			}
			if text != one.text && !several && !c.subAgents {
				return model.Violated("helix.snapshot.exact", fmt.Sprintf("it after %d bytes of text", one.text), fmt.Sprintf("after %d", text), "a snapshot shows the call %s in another place", strconv.Quote(p.ToolCallID))
			}
		}
	}
	for id := range c.calls {
		switch {
		case shown[id] || c.subAgents:
		case c.inOpen[id]:
			return model.Violated("helix.snapshot.partial-parts", "the call "+strconv.Quote(id), "none", "a snapshot lacks a call of the open step")
		default:
			return model.Violated("helix.snapshot.exact", "the call "+strconv.Quote(id), "none", "a snapshot lacks a call of a step that is over")
		}
	}
	return nil
}

// shownAs compares a call with the part that shows it.
func (c *call) shownAs(p document.Part) error {
	want := "executing"
	switch {
	case c.end != nil && c.end.Member("success") == true:
		want = "completed"
	case c.end != nil:
		want = "error"
	}
	if p.State != want {
		return model.Violated("helix.snapshot.partial-parts", want, p.State, "a snapshot shows a call as another than it is")
	}
	if err := p.CalledWith(c.start.Text("toolName"), c.start.Member("arguments")); err != nil || c.end == nil {
		return err
	}
	return p.EndedWith(want == "error", c.end.Text("error"), c.end.Member("result"))
}
