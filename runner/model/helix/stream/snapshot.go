package stream

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/document"
)

// Snapshot judges a snapshot with partial content during which nothing was written: its boundary is the latest sequence.
func (s *Stream) Snapshot(status int, body []byte) error { return s.snapshot(status, body, true) }

// FinishedSnapshot judges one without partial content, of a stream that is finished: none of its steps is open, and a page
// that is opened then doesn't read the stream. The boundary may lie before chunks that add nothing.
func (s *Stream) FinishedSnapshot(status int, body []byte) error {
	return s.snapshot(status, body, false)
}

func (s *Stream) snapshot(status int, body []byte, partial bool) error {
	got, ok := document.Read(body)
	if status != 200 || !ok {
		return model.Violated("helix.snapshot.document", "200 with a snapshot", strconv.Itoa(status)+" "+model.Clipped(body), "a snapshot isn't whole")
	}
	if got.Status != string(s.status) {
		return model.Violated("helix.snapshot.status", string(s.status), got.Status, "a snapshot has another status")
	}
	c := contents{log: &s.log, initial: s.initial, finished: s.Finished()}
	if s.log.isEmpty() { // after a reset, the latest sequence stays, or is 0
		if err := c.checkEmpty(&got); err != nil {
			return s.restart.broken(err, "helix.durable.snapshot")
		}
		s.Occasions.Saw("helix.snapshot.exact")
		return nil
	}
	known, sure := s.log.highest()
	if at := int64(*got.StreamSequence); at < known && partial || sure && at > known {
		return model.Violated("helix.snapshot.sequence", ids(known), ids(at), "the streamSequence of a snapshot isn't the latest sequence")
	}
	if err := c.check(&got); err != nil {
		return s.restart.broken(err, "helix.durable.snapshot")
	}
	if s.restart.count > 0 {
		s.Occasions.Saw("helix.durable.snapshot")
	}
	s.Occasions.Saw("helix.snapshot.document", "helix.snapshot.status", "helix.snapshot.sequence", "helix.snapshot.exact")
	return nil
}

// contents has the chunks since the last reset and the initial state, with which a snapshot is compared.
type contents struct {
	log      *chunkLog // of the stream; only read
	initial  any       // as encoding/json decodes it
	finished bool      // the stream had ended or failed
}

// checkEmpty compares the snapshot of a stream without chunks: the initial state, and no text.
func (c contents) checkEmpty(got *document.Page) error {
	if text := got.Text("text"); text != "" {
		return model.Violated("helix.snapshot.exact", "no text", model.Clipped(text), "a snapshot holds text of a stream without chunks")
	}
	if !document.Equal(c.initial, got.State) {
		return model.Unequal("helix.snapshot.exact", c.initial, got.State, "the state of a stream without chunks isn't the one that it begins with")
	}
	return nil
}

// root returns the agent whose snapshot it is, "" if that isn't certain: it wrote the first chunk of the stream, and the first
// that is stored.
func (s contents) root() string {
	agent := s.log.chunks[0].Agent
	if s.log.current()[0].Agent != agent {
		return ""
	}
	for _, c := range s.log.current() {
		if c.removedBy == 0 {
			if c.Agent != agent {
				return ""
			}
			break
		}
	}
	return agent
}

// bracketed counts the words in brackets of a text.
func bracketed(text string) map[string]int {
	counts := map[string]int{}
	for end := strings.IndexByte(text, ']'); end >= 0; end = strings.IndexByte(text, ']') {
		if begin := strings.LastIndexByte(text[:end], '['); begin >= 0 {
			counts[text[begin:end+1]]++
		}
		text = text[end+1:]
	}
	return counts
}

// check compares a snapshot with the sum of the stored chunks: helix.snapshot.exact. Where chunks may wait or void others,
// less is certain.
func (s contents) check(got *document.Page) error {
	text, root := got.Text("text"), s.root()
	shown, least, most := bracketed(text), 0, 0
	certain, mayWait := root != "", false
	counts := map[string]int{}
	for _, c := range s.log.current() {
		if c.removedBy != 0 {
			continue
		}
		certain, mayWait = certain && !c.Voids, mayWait || c.mayWait
		if most += len(c.Delta); c.Agent == root && !c.mayWait {
			least += len(c.Delta)
		}
		if c.Text != "" && c.equals == 0 { // the last of equals
			counts[c.Text] = 1 + c.index - s.log.byMarker[c.Marker]
		}
	}
	for _, c := range s.log.chunks {
		if c.Text == "" || c.equals > 0 || c.mayWait {
			continue
		}
		switch n := shown[c.Text]; {
		case c.removedBy != 0 && n > 0:
			return model.Violated("helix.snapshot.exact", "nothing of it", strconv.Quote(c.Text), "a snapshot holds what %s said, which was removed", c.Marker)
		case c.removedBy == 0 && certain && (n > counts[c.Text] || n < counts[c.Text] && c.Agent == root):
			return model.Violated("helix.snapshot.exact", strconv.Quote(c.Text)+fmt.Sprintf(", %d times", counts[c.Text]), strconv.Itoa(n)+" times", "a snapshot doesn't hold what %s said", c.Marker)
		}
	}
	if !certain {
		return nil
	}
	if n := len(text); n < least || n > most {
		return model.Violated("helix.snapshot.exact", fmt.Sprintf("%d to %d bytes of text", least, most), strconv.Itoa(n), "a snapshot holds another text than the chunks add up to")
	}
	if mayWait {
		return nil
	}
	if err := s.checkState(got.State, root); err != nil {
		return err
	}
	if err := s.checkReasoning(got, root); err != nil {
		return err
	}
	return s.checkCalls(got, root)
}

// checkReasoning compares the reasoning of the root agent, where each block is complete, nothing else stood within it, and its
// increments and its completing chunk don't tell it differently. That of steps that are complete may have been left out.
func (s contents) checkReasoning(got *document.Page, root string) error {
	if s.finished {
		return nil
	}
	var want strings.Builder
	grown := "" // the increments of the open block
	for _, c := range s.log.current() {
		switch {
		case c.Agent != root:
			continue
		case c.removedBy == 0 && c.mayThink():
		case grown != "":
			return nil
		default:
			continue
		}
		members, _ := c.Value().(map[string]any)
		reasoning, _ := members["content"].(string)
		switch kind := members["type"]; {
		case kind == "step_committed" || kind == "checkpoint_created":
			return nil
		case kind != "thinking" && grown == "":
		case kind != "thinking":
			return nil
		case members["isComplete"] != true:
			grown += reasoning
		case reasoning != "" && grown != "" && reasoning != grown:
			return nil
		default:
			want.WriteString(cmp.Or(reasoning, grown))
			grown = ""
		}
	}
	if grown != "" {
		return nil
	}
	if shown := got.Text("reasoning"); want.String() != shown {
		return model.Unequal("helix.snapshot.exact", want.String(), shown, "a snapshot holds other reasoning than the chunks add up to")
	}
	return nil
}

// mayThink reports whether a chunk may be reasoning, or complete a step. Most needn't be decoded to know that they aren't.
func (c *Chunk) mayThink() bool {
	return slices.ContainsFunc([]string{"thinking", "step_committed", "checkpoint_created"}, func(kind string) bool { return bytes.Contains(c.Body, []byte(kind)) })
}

// checkState compares the state of a snapshot with what the patches of the root agent make of the one that it began with.
func (s contents) checkState(got any, root string) error {
	initial, is := s.initial.(map[string]any)
	if !is { // whether a patch can be applied to it is another question
		return nil
	}
	want := maps.Clone(initial)
	for _, c := range s.log.current() {
		if c.removedBy != 0 || c.Agent != root {
			continue
		}
		for _, set := range c.Sets {
			switch {
			case set.Root:
				want = maps.Clone(set.Value.(map[string]any))
			case set.Removed:
				delete(want, set.Key)
			default:
				want[set.Key] = set.Value
			}
		}
	}
	if !document.Equal(any(want), got) {
		return model.Unequal("helix.snapshot.exact", want, got, "the state of a snapshot isn't what the patches make")
	}
	return nil
}

// endState returns how a snapshot shows a call that a chunk ends.
func endState(c *Chunk) string {
	if c.Failed {
		return "error"
	}
	return "completed"
}

// checkCalls compares how far the calls of the root agent are, but for ids that were used twice and calls that ended in two
// ways.
func (s contents) checkCalls(got *document.Page, root string) error {
	want, began, starts, ends := map[string]string{}, map[string]int{}, map[string]*Chunk{}, map[string]*Chunk{}
	for _, c := range s.log.current() {
		switch {
		case c.removedBy != 0 || c.Agent != root:
		case c.Calls != "":
			want[c.Calls] = "executing"
			began[c.Calls]++
			starts[c.Calls] = c
		case want[c.Ends] == "executing":
			want[c.Ends], ends[c.Ends] = endState(c), c
		case want[c.Ends] == "" && c.Ends != "": // an end that no beginning precedes may be shown, or left out
			began[c.Ends] += 2
		case want[c.Ends] != "": // either of two ends may count
			if ends[c.Ends] = nil; want[c.Ends] != endState(c) {
				began[c.Ends]++
			}
		}
	}
	shown := map[string]string{}
	for _, m := range got.Messages {
		for _, p := range m.Parts {
			if p.Type != "tool" {
				continue
			}
			shown[p.ToolCallID] = p.State
			if began[p.ToolCallID] != 1 {
				continue
			}
			if err := calledAs(p, starts[p.ToolCallID]); err != nil {
				return err
			}
			if err := endedAs(p, ends[p.ToolCallID]); err != nil {
				return err
			}
		}
	}
	for id, state := range want {
		if began[id] == 1 && shown[id] != state {
			return model.Violated("helix.snapshot.exact", state, shown[id], "a snapshot says otherwise how far the call %s is", id)
		}
	}
	return nil
}

// calledAs compares the name and the arguments of a call with the chunk that began it.
func calledAs(p document.Part, c *Chunk) error {
	start, _ := c.Value().(map[string]any)
	name, _ := start["toolName"].(string)
	return p.CalledWith(name, start["arguments"])
}

// endedAs compares the result or the error of a call with the chunk that ended it; nil is none, or more than one.
func endedAs(p document.Part, c *Chunk) error {
	if c == nil {
		return nil
	}
	end, _ := c.Value().(map[string]any)
	message, _ := end["error"].(string)
	return p.EndedWith(c.Failed, message, end["result"])
}
