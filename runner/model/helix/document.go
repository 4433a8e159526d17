package helix

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// streamInfo is what a StreamInfo says.
type streamInfo struct {
	Status         *Status  `json:"status"`
	LatestSequence *float64 `json:"latestSequence"` // 2.0 is an integer
	ChunkCount     *float64 `json:"chunkCount"`
}

// readInfo reads a StreamInfo, which must be whole.
func readInfo(status int, body []byte) (got streamInfo, err error) {
	if err := json.Unmarshal(body, &got); status != 200 || err != nil || got.Status == nil || got.LatestSequence == nil || got.ChunkCount == nil {
		return got, violation("helix.status.info-members", "200 with status, latestSequence and chunkCount", strconv.Itoa(status)+" "+clipped(body), "StreamInfo isn't whole")
	}
	if !slices.Contains([]Status{Active, Paused, Ended, Failed}, *got.Status) {
		return got, violation("helix.status.info-word", "a status of a stream", string(*got.Status), "the status of StreamInfo is no status of a stream")
	}
	return got, nil
}

// documents judge what is told of a stream at once.
type documents struct{ *Stream }

// Info judges a StreamInfo.
func (s documents) Info(status int, body []byte) error {
	got, err := readInfo(status, body)
	if err != nil {
		return err
	}
	if *got.Status != s.status && (!s.produced || s.Finished()) {
		if s.last.status == s.status {
			return violation("helix.durable.status", string(s.status), string(*got.Status), "StreamInfo has another status than before the restart")
		}
		rule := map[bool]string{true: "helix.status.final", false: "helix.status.transitions"}[s.revived]
		return violation(rule, string(s.status), string(*got.Status), "StreamInfo has another status")
	}
	n, isUndecided := s.stored()
	if !isUndecided && *got.ChunkCount != float64(n) {
		rule := "helix.status.count"
		switch more := *got.ChunkCount - float64(n); {
		case more > 0 && more <= float64(s.rejectedBatch):
			return violation("helix.chunks.all-or-nothing", strconv.Itoa(n), optional(got.ChunkCount), "chunkCount grew with an array that was refused")
		case s.epoch > 0 && s.epoch == len(s.chunks):
			rule = "helix.truncation.reset-empties"
		case s.cleanups > s.resets:
			rule = "helix.truncation.count-after"
		}
		return violation(rule, strconv.Itoa(n), optional(got.ChunkCount), "chunkCount isn't what is stored")
	}
	s.rejectedBatch = 0
	for _, rule := range []string{"helix.status.info-members", "helix.status.info-word", "helix.status.transitions", "helix.status.count", "helix.status.latest"} {
		s.Ledger.Saw(rule)
	}
	if s.last.status == Paused {
		s.Ledger.Saw("helix.durable.status")
	}
	if s.revived {
		s.Ledger.Saw("helix.status.final")
	}
	if s.cleanups > s.resets {
		s.Ledger.Saw("helix.truncation.count-after")
		s.Ledger.Saw("helix.truncation.latest-kept")
	}
	return s.latest(int64(*got.LatestSequence))
}

// latest judges latestSequence. Before the first chunk after a reset it stays, or is 0.
func (s documents) latest(got int64) error {
	known, sure := s.highest()
	switch {
	case s.epoch == len(s.chunks) && got == 0, s.epoch < len(s.chunks) && !sure && got >= known, got == known && sure:
		return nil
	case s.epoch == len(s.chunks) && s.epoch > 0 && !sure && got >= known:
		return nil
	}
	rule := "helix.status.latest"
	if s.cleanups > 0 && got < known {
		rule = "helix.truncation.latest-kept"
	}
	return violation(rule, ids(known), ids(got), "latestSequence isn't the id of the last chunk")
}

// Snapshot judges a snapshot with partial content, which nobody wrote during: its cut is the latest sequence.
func (s documents) Snapshot(status int, body []byte) error { return s.snapshot(status, body, true) }

// FinishedSnapshot judges one without partial content, of a stream that is finished: none of its steps is open any more, and
// whoever opens the page stays away from the stream. The cut may lie before chunks that say nothing.
func (s documents) FinishedSnapshot(status int, body []byte) error {
	return s.snapshot(status, body, false)
}

func (s documents) snapshot(status int, body []byte, partial bool) error {
	var got page
	if err := json.Unmarshal(body, &got); status != 200 || err != nil || got.StreamSequence == nil {
		return violation("helix.snapshot.document", "200 with a snapshot", strconv.Itoa(status)+" "+clipped(body), "a snapshot isn't whole")
	}
	if got.Status != s.status {
		return violation("helix.snapshot.status", string(s.status), string(got.Status), "a snapshot has another status")
	}
	if s.epoch == len(s.chunks) { // after a reset, the latest sequence stays, or is 0
		return s.sinceRestart(s.isBare(&got), "helix.durable.snapshot")
	}
	known, sure := s.highest()
	if at := int64(*got.StreamSequence); at < known && partial || sure && at > known {
		return violation("helix.snapshot.sequence", ids(known), ids(at), "the streamSequence of a snapshot isn't the latest sequence")
	}
	if err := s.addsUp(&got); err != nil {
		return s.sinceRestart(err, "helix.durable.snapshot")
	}
	if s.last.epochs > 0 {
		s.Ledger.Saw("helix.durable.snapshot")
	}
	for _, rule := range []string{"helix.snapshot.document", "helix.snapshot.status", "helix.snapshot.sequence", "helix.snapshot.exact"} {
		s.Ledger.Saw(rule)
	}
	return nil
}

// isBare looks whether a stream that holds no chunks has a snapshot of the state that it begins with, and of nothing more.
func (s documents) isBare(got *page) error {
	if text := got.text(); text != "" {
		return violation("helix.snapshot.exact", "no text", quoted(text), "a snapshot holds text of a stream without chunks")
	}
	if want := s.beginning(); !equal(want, got.State) {
		return unequal("helix.snapshot.exact", []byte(ascii(want)), []byte(ascii(got.State)), "the state of a stream without chunks isn't the one that it begins with")
	}
	s.Ledger.Saw("helix.snapshot.exact")
	return nil
}

// beginning is the state that the stream begins with.
func (s documents) beginning() any {
	if !s.given {
		return map[string]any{}
	}
	return s.isStarted
}

// text is everything that agents say in a snapshot; what others said the server has from elsewhere.
func (s *page) text() string {
	var text strings.Builder
	for _, m := range s.Messages {
		if m.Role != "" && m.Role != "assistant" {
			continue
		}
		text.WriteString(m.of("text"))
	}
	return text.String()
}

// root is the agent whose snapshot it is, "" if that isn't certain: it wrote the first chunk of the stream, and the first
// that is stored.
func (s documents) root() string {
	agent := s.chunks[0].Agent
	if s.chunks[s.epoch].Agent != agent {
		return ""
	}
	for _, c := range s.chunks[s.epoch:] {
		if c.removedBy == 0 {
			if c.Agent != agent {
				return ""
			}
			break
		}
	}
	return agent
}

// bracketed is how often each word in brackets stands in a text.
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

// addsUp compares a snapshot with what the chunks that are stored add up to: helix.snapshot.exact. Where chunks are held
// back, or say of others that they don't count, less is certain.
func (s documents) addsUp(got *page) error {
	text, root := got.text(), s.root()
	shown, least, most := bracketed(text), 0, 0
	certain, isUndecided := root != "", false
	counts := map[string]int{}
	for _, c := range s.chunks[s.epoch:] {
		if c.removedBy != 0 {
			continue
		}
		certain, isUndecided = certain && !c.Voids, isUndecided || c.isUndecided
		if most += len(c.Delta); c.Agent == root && !c.isUndecided {
			least += len(c.Delta)
		}
		if c.Text != "" && c.again == 0 { // the last of equals
			counts[c.Text] = 1 + c.index - s.byMarker[c.Marker]
		}
	}
	for _, c := range s.chunks {
		if c.Text == "" || c.again > 0 || c.isUndecided {
			continue
		}
		switch n := shown[c.Text]; {
		case c.removedBy != 0 && n > 0:
			return violation("helix.snapshot.exact", "nothing of it", strconv.Quote(c.Text), "a snapshot holds what %s said, which was removed", c.Marker)
		case c.removedBy == 0 && certain && (n > counts[c.Text] || n < counts[c.Text] && c.Agent == root):
			return violation("helix.snapshot.exact", strconv.Quote(c.Text)+fmt.Sprintf(", %d times", counts[c.Text]), strconv.Itoa(n)+" times", "a snapshot doesn't hold what %s said", c.Marker)
		}
	}
	if !certain {
		return nil
	}
	if n := len(text); n < least || n > most {
		return violation("helix.snapshot.exact", fmt.Sprintf("%d to %d bytes of text", least, most), strconv.Itoa(n), "a snapshot holds another text than the chunks add up to")
	}
	if isUndecided {
		return nil
	}
	if err := s.stateIs(got.State, root); err != nil {
		return err
	}
	if err := s.reasoningsAre(got, root); err != nil {
		return err
	}
	return s.callsAre(got, root)
}

// reasoningsAre compares the reasoning of the root agent, where each block is complete, nothing else stood within it, and its
// increments and its completing chunk don't tell it differently. That of steps that are complete may have been left out.
func (s documents) reasoningsAre(got *page, root string) error {
	if s.Finished() {
		return nil
	}
	var want, shown strings.Builder
	grown := "" // the increments of the open block
	for _, c := range s.chunks[s.epoch:] {
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
	for _, m := range got.Messages {
		if m.Role == "" || m.Role == "assistant" {
			shown.WriteString(m.of("reasoning"))
		}
	}
	if want.String() != shown.String() {
		return unequal("helix.snapshot.exact", want.String(), shown.String(), "a snapshot holds other reasoning than the chunks add up to")
	}
	return nil
}

// mayThink reports whether a chunk may be reasoning, or complete a step. Most needn't be decoded to know that they aren't.
func (c *Chunk) mayThink() bool {
	return slices.ContainsFunc([]string{"thinking", "step_committed", "checkpoint_created"}, func(kind string) bool { return bytes.Contains(c.Body, []byte(kind)) })
}

// stateIs compares the state of a snapshot with what the patches of the root agent make of the one that it began with.
func (s documents) stateIs(got any, root string) error {
	began, is := s.beginning().(map[string]any)
	if !is { // whether a patch can be applied to it is another question
		return nil
	}
	want := maps.Clone(began)
	for _, c := range s.chunks[s.epoch:] {
		if c.removedBy != 0 || c.Agent != root {
			continue
		}
		for _, set := range c.Sets {
			switch {
			case set.Whole:
				want = maps.Clone(set.Value.(map[string]any))
			case set.Removed:
				delete(want, set.Key)
			default:
				want[set.Key] = set.Value
			}
		}
	}
	if !equal(any(want), got) {
		return unequal("helix.snapshot.exact", []byte(ascii(want)), []byte(ascii(got)), "the state of a snapshot isn't what the patches make")
	}
	return nil
}

// ending is how a snapshot shows a call that a chunk ends.
func ending(c *Chunk) string {
	if c.Failed {
		return "error"
	}
	return "completed"
}

// callsAre compares how far the calls of the root agent are, but for ids that were used twice and calls that ended in two
// ways.
func (s documents) callsAre(got *page, root string) error {
	want, isStarted, starts, ends := map[string]string{}, map[string]int{}, map[string]*Chunk{}, map[string]*Chunk{}
	for _, c := range s.chunks[s.epoch:] {
		switch {
		case c.removedBy != 0 || c.Agent != root:
		case c.Calls != "":
			want[c.Calls] = "executing"
			isStarted[c.Calls]++
			starts[c.Calls] = c
		case want[c.Ends] == "executing":
			want[c.Ends], ends[c.Ends] = ending(c), c
		case want[c.Ends] == "" && c.Ends != "": // an end that no beginning precedes may be shown, or left out
			isStarted[c.Ends] += 2
		case want[c.Ends] != "": // either of two ends may count
			if ends[c.Ends] = nil; want[c.Ends] != ending(c) {
				isStarted[c.Ends]++
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
			if isStarted[p.ToolCallID] != 1 {
				continue
			}
			if err := p.asCalled(starts[p.ToolCallID]); err != nil {
				return err
			}
			if err := p.asEnded(ends[p.ToolCallID]); err != nil {
				return err
			}
		}
	}
	for id, state := range want {
		if isStarted[id] == 1 && shown[id] != state {
			return violation("helix.snapshot.exact", state, shown[id], "a snapshot says otherwise how far the call %s is", id)
		}
	}
	return nil
}

// asCalled compares the name and the arguments of a call with the chunk that began it.
func (p part) asCalled(c *Chunk) error {
	began, _ := c.Value().(map[string]any)
	name, _ := began["toolName"].(string)
	return p.calledWith(name, began["arguments"])
}

// asEnded compares the result or the error of a call with the chunk that ended it; nil is none, or more than one.
func (p part) asEnded(c *Chunk) error {
	if c == nil {
		return nil
	}
	end, _ := c.Value().(map[string]any)
	said, _ := end["error"].(string)
	return p.endedWith(c.Failed, said, end["result"])
}
