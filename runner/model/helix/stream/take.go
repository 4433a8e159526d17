package stream

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/document"
)

// Take compares a frame with what may come. It reports whether it was the terminal frame; nothing may follow that one.
func (r *Reader) Take(f Frame) (over bool, err error) {
	if r.asBefore(f) {
		return false, r.took(f, r.next)
	}
	m := f.decoded()
	if m == nil {
		return false, model.Violated("helix.wire.json", "a JSON object", model.Clipped(f.Data), "a frame can't be read")
	}
	switch m.Type {
	case "chunk":
		return false, r.chunk(f, m)
	case "end", "fail":
		return true, r.terminal(f, m)
	case "status", "truncated":
		if f.HasID && f.ID != ids(r.last()) {
			rule := map[string]string{"status": "helix.status.no-id", "truncated": "helix.truncation.not-numbered"}[m.Type]
			return false, model.Violated(rule, "no id, or "+ids(r.last()), strconv.Quote(f.ID), "a %s frame carries an id", m.Type)
		}
		if m.Type == "status" {
			r.s.notifiesPaused = r.s.notifiesPaused || Status(m.Status) == Paused && r.notices.attachedPaused
			return false, r.notices.takeStatus(m, r.s.Occasions)
		}
		return false, r.notices.takeTruncated(m, r.delivered, r.s.Occasions)
	}
	return false, nil
}

// longestReceived is the length in bytes of the longest chunk whose received text is stored with its body: a server may
// escape it in another way.
const longestReceived = 64 << 10

// asBefore reports whether a frame brings the next chunk in the same text as the frames before it.
func (r *Reader) asBefore(f Frame) bool {
	s := r.s
	if !f.HasID || r.next >= len(s.log.chunks) || s.log.chunks[r.next].removedBy != 0 || s.log.chunks[r.next].Lacks != "" {
		return false
	}
	c := s.log.chunks[r.next]
	return (s.cache.fits(f.Data, c.Body, f.ID) || c.received != nil && s.cache.fits(f.Data, c.received, f.ID)) && s.log.equal(f.ID, r.next, r.next) == r.next
}

// After judges a frame that came after the terminal one: helix.lifecycle.one-terminal.
func (r *Reader) After(f Frame) error {
	return model.Violated("helix.lifecycle.one-terminal", "nothing", model.Clipped(f.Data), "something came after the terminal frame")
}

func (r *Reader) chunk(f Frame, m *frame.Content) error {
	if r.s.removedUnseen(f) {
		_, err := r.id(f, "a chunk")
		return err
	}
	i, err := r.which(f, m.Chunk)
	if err != nil {
		return err
	}
	s := r.s
	c := s.log.chunks[i]
	switch {
	case c.removedBy != 0 && c.removedBy <= r.notices.cleanups:
		return model.Violated(r.revived(c), "a chunk that is stored", c.Marker, "a chunk came that had been removed")
	case i < r.next:
		return model.Violated(r.repeats(), r.Expected(), c.Marker, "a chunk came again, or too late")
	}
	for _, missed := range s.log.chunks[r.next:i] {
		if missed.removedBy == 0 {
			return model.Violated(r.requirementOf(missed), missed.Marker, c.Marker, "a chunk was left out, or came in another order")
		}
	}
	if id, err := strconv.ParseInt(f.ID, 10, 64); err == nil && m.Sequence != (frame.Number{N: id, OK: true}) {
		return model.Violated("helix.wire.sequence", ids(id), optional(m.Sequence), "the sequence of %s isn't its id", c.Marker)
	}
	if err := r.took(f, i); err != nil {
		return err
	}
	if s.cache.learn(f.Data, m.Chunk, f.ID); len(m.Chunk) <= longestReceived && !bytes.Equal(m.Chunk, c.Body) {
		c.received = m.Chunk
	}
	return nil
}

// took takes in a chunk that came in its turn, with the value that was written and its sequence.
func (r *Reader) took(f Frame, i int) error {
	s := r.s
	c := s.log.chunks[i]
	if r.notices.untold(c, len(s.log.chunks), s.status) && s.notifiesPaused { // a server that notifies none may do so
		return model.Violated("helix.status.attach-paused", "a status frame with paused", c.Marker, "a reader that attached to the paused stream wasn't notified of the pause, and another one was")
	}
	s.Occasions.Saw(r.requirementOf(c))
	if r.behindOther(c) {
		s.Occasions.Saw("helix.lifecycle.stalled-reader")
	}
	s.Occasions.Saw("helix.chunks.types", "helix.chunks.no-merge", "helix.security.isolation")
	id, err := r.id(f, c.Marker)
	if err != nil {
		return err
	}
	r.next = i + 1
	return s.assign(c, id)
}

// revived returns the requirement that forbids a removed chunk to come.
func (r *Reader) revived(c *Chunk) string {
	switch {
	case c.removedIn < r.s.restart.count:
		return "helix.durable.removed"
	case r.notices.notified:
		return "helix.truncation.in-flight"
	case c.inReset:
		return "helix.truncation.reset-empties"
	case r.resumed:
		return "helix.truncation.removed-on-resume"
	}
	return "helix.truncation.removes"
}

// which returns the index of the chunk that a frame brings. Its value must be the one that was written.
func (r *Reader) which(f Frame, body []byte) (int, error) {
	s := r.s
	next := r.nextChunk()
	if i, known := s.log.byMarker[f.ID]; s.produced && known && bytes.Equal(body, s.log.chunks[i].Body) {
		return i, nil
	}
	for i, c := range s.log.chunks[r.next:] { // most come in their turn, and with the bytes that were written
		if !s.produced && c.Lacks == "" && bytes.Equal(body, c.Body) {
			return s.log.equal(f.ID, r.next+i, r.next), nil
		}
		if c.removedBy == 0 {
			break
		}
	}
	var got any
	if err := json.Unmarshal(body, &got); err != nil {
		return 0, model.Violated("helix.chunks.object", "a JSON object", model.Clipped(body), "a chunk can't be read")
	}
	if _, is := got.(map[string]any); !is {
		return 0, model.Violated("helix.chunks.object", "a JSON object", model.Clipped(body), "a chunk is none")
	}
	marker := s.markerOf(f, got)
	i, known := s.log.byMarker[marker]
	switch {
	case s.otherStream(marker):
		return 0, model.Violated("helix.security.isolation", "chunks of "+s.Family+s.Name, marker, "a chunk of another stream came")
	case strings.HasSuffix(marker, "-never"):
		return 0, model.Violated("helix.chunks.all-or-nothing", "nothing of an array that was refused", marker, "a chunk of it came")
	case !known && s.Finished():
		return 0, model.Violated("helix.lifecycle.no-chunk-after-end", "chunks from before the end", model.Clipped(body), "a chunk came that was refused, or that nobody wrote")
	case !known && next == nil:
		return 0, model.Violated("helix.chunks.no-merge", "a chunk that was written", model.Clipped(body), "a chunk came that nobody wrote")
	case !known:
		i = next.index
	default:
		i = s.log.equal(f.ID, i, r.next)
	}
	c := s.log.chunks[i]
	if err := c.completed(got, body); err != nil {
		return 0, err
	}
	if rule, where := document.Differs(c.Value(), got); rule != "" {
		return 0, model.Unequal(rule, c.Body, body, "%s came with another value%s", c.Marker, where)
	}
	return i, nil
}

// completed checks that a chunk that was written without a required member came with it, and removes it from got.
func (c *Chunk) completed(got any, body []byte) error {
	members, _ := got.(map[string]any)
	if c.Lacks == "" || members == nil {
		return nil
	}
	rule := map[string]string{"agentId": "helix.chunks.agent-id", "agentType": "helix.chunks.agent-type", "timestamp": "helix.chunks.timestamp"}[c.Lacks]
	text, _ := members[c.Lacks].(string)
	_, given := members[c.Lacks].(float64)
	if c.Lacks != "timestamp" {
		given = text != ""
	}
	if !given {
		return model.Violated(rule, "the member "+c.Lacks, model.Clipped(body), "a chunk was accepted and delivered without it")
	}
	if c.Lacks == "agentId" && c.Opened != "" && text != c.Opened {
		return model.Violated(rule, c.Opened, model.Clipped(body), "a chunk was completed with the agent of another writer")
	}
	delete(members, c.Lacks)
	return nil
}

func (r *Reader) terminal(f Frame, m *frame.Content) error {
	s := r.s
	if !s.Finished() {
		rule := map[bool]string{true: "helix.status.no-terminal", false: "helix.truncation.stays-active"}[s.status == Paused]
		return model.Violated(rule, "no terminal frame", m.Type, "a terminal frame came on a stream that is %s", s.status)
	}
	if c := r.nextChunk(); c != nil {
		return model.Violated("helix.lifecycle.terminal-last-chunks", c.Marker, "the "+m.Type+" frame", "the terminal frame came before a chunk")
	}
	if m.Type != s.status.terminal() {
		return model.Violated("helix.lifecycle.first-terminal-wins", "the "+s.status.terminal()+" frame", "the "+m.Type+" frame", "the stream is %s", s.status)
	}
	if err := s.finish.check(m, s.Occasions); err != nil {
		if s.restart.status == s.status { // the end was accepted before the kill, which it must survive
			err = s.restart.broken(err, "helix.durable.finished")
		}
		return err
	}
	id, err := r.id(f, m.Type)
	if err != nil {
		return err
	}
	if above, _ := s.log.highest(); id <= above {
		return model.Violated("helix.wire.terminal-id", "an id above "+ids(above), ids(id), "the terminal frame has a lower id than a chunk")
	}
	s.Occasions.Saw("helix.wire.terminal-id", "helix.lifecycle.no-chunk-after-end", "helix.lifecycle.terminal-last-chunks", "helix.lifecycle.one-terminal",
		map[Status]string{Ended: "helix.lifecycle.end", Failed: "helix.lifecycle.fail"}[s.status])
	if s.log.isEmpty() {
		s.Occasions.Saw("helix.lifecycle.empty-stream")
	}
	if s.restart.status == s.status {
		s.Occasions.Saw("helix.durable.finished")
	}
	if r.resumed && r.finished && r.from.at == len(s.log.chunks) {
		s.Occasions.Saw("helix.resume.finished-tail")
	}
	s.log.sent = max(s.log.sent, id)
	s.finish.saw(id, len(s.log.chunks))
	r.next = len(s.log.chunks)
	return nil
}
