package helix

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Frame is an event as it came.
type Frame struct {
	ID    string
	HasID bool
	Data  []byte
}

// message is what a frame says.
type message struct {
	Type            string          `json:"type"`
	Chunk           json.RawMessage `json:"chunk"`
	Sequence        *float64        `json:"sequence"` // 2.0 is an integer
	Status          Status          `json:"status"`
	Error           *string         `json:"error"`
	Code            string          `json:"code"`
	FinalOutput     json.RawMessage `json:"finalOutput"`
	TruncatedAtStep *float64        `json:"truncatedAtStep"`
	AtSequence      *float64        `json:"atSequence"`
}

// frameChecker judges what a reader receives.
type frameChecker struct{ *Reader }

// Take compares a frame with what may come. It reports whether it was the terminal frame; nothing may follow that one.
func (r frameChecker) Take(f Frame) (over bool, err error) {
	if r.asBefore(f) {
		return false, r.took(f, r.at)
	}
	var m message
	if err := json.Unmarshal(f.Data, &m); err != nil {
		return false, violation("helix.wire.json", "a JSON object", clipped(f.Data), "a frame can't be read")
	}
	switch m.Type {
	case "chunk":
		return false, r.chunk(f, m)
	case "end", "fail":
		return true, r.terminal(f, m)
	case "status", "truncated":
		if f.HasID && f.ID != ids(r.last()) {
			rule := map[string]string{"status": "helix.status.no-id", "truncated": "helix.truncation.not-numbered"}[m.Type]
			return false, violation(rule, "no id, or "+ids(r.last()), strconv.Quote(f.ID), "a %s frame carries an id", m.Type)
		}
		if m.Type == "status" {
			return false, r.status(m)
		}
		return false, r.truncated(m)
	}
	return false, nil
}

// After judges a frame behind the terminal one: helix.lifecycle.one-terminal.
func (r frameChecker) After(f Frame) error {
	return violation("helix.lifecycle.one-terminal", "nothing", clipped(f.Data), "something came after the terminal frame")
}

func (r frameChecker) chunk(f Frame, m message) error {
	if r.s.unseen(f) {
		_, err := r.id(f, "a chunk")
		return err
	}
	i, err := r.which(f, m.Chunk)
	if err != nil {
		return err
	}
	s := r.s
	c := s.chunks[i]
	switch {
	case c.removedBy != 0 && c.removedBy <= r.cleanups:
		return violation(r.revived(c), "a chunk that is stored", c.Marker, "a chunk came that had been removed")
	case i < r.at:
		return violation(r.repeats(), r.Due(), c.Marker, "a chunk came again, or too late")
	}
	for _, missed := range s.chunks[r.at:i] {
		if missed.removedBy == 0 {
			return violation(r.requirementOf(missed), missed.Marker, c.Marker, "a chunk was left out, or came in another order")
		}
	}
	if id, err := strconv.ParseInt(f.ID, 10, 64); err == nil && (m.Sequence == nil || int64(*m.Sequence) != id) {
		return violation("helix.wire.sequence", ids(id), optional(m.Sequence), "the sequence of %s isn't its id", c.Marker)
	}
	if err := r.took(f, i); err != nil {
		return err
	}
	if s.shape.learn(f.Data, m.Chunk, f.ID); len(m.Chunk) <= mostCame && !bytes.Equal(m.Chunk, c.Body) {
		c.came = m.Chunk
	}
	return nil
}

// took takes in a chunk that came in its turn, whose value and sequence are right.
func (r frameChecker) took(f Frame, i int) error {
	s := r.s
	c := s.chunks[i]
	s.Ledger.Saw(r.requirementOf(c))
	if r.behindOther(c) {
		s.Ledger.Saw("helix.lifecycle.stalled-reader")
	}
	s.Ledger.Saw("helix.chunks.types")
	s.Ledger.Saw("helix.chunks.no-merge")
	s.Ledger.Saw("helix.security.isolation")
	id, err := r.id(f, c.Marker)
	if err != nil {
		return err
	}
	r.at = i + 1
	return s.assign(c, id)
}

// revived is the requirement that forbids a removed chunk to come.
func (r frameChecker) revived(c *Chunk) string {
	switch {
	case c.removedIn < r.s.last.epochs:
		return "helix.durable.removed"
	case r.notified:
		return "helix.truncation.in-flight"
	case c.inReset:
		return "helix.truncation.reset-empties"
	case r.resumed:
		return "helix.truncation.removed-on-resume"
	}
	return "helix.truncation.removes"
}

// which finds the chunk that a reader received. Its value must be the one that was written.
func (r frameChecker) which(f Frame, body []byte) (int, error) {
	s := r.s
	next := r.next()
	if i, known := s.byMarker[f.ID]; s.produced && known && bytes.Equal(body, s.chunks[i].Body) {
		return i, nil
	}
	for i, c := range s.chunks[r.at:] { // most come in their turn, and with the bytes that were written
		if !s.produced && c.Lacks == "" && bytes.Equal(body, c.Body) {
			return r.equal(f, r.at+i), nil
		}
		if c.removedBy == 0 {
			break
		}
	}
	var got any
	if err := json.Unmarshal(body, &got); err != nil {
		return 0, violation("helix.chunks.object", "a JSON object", clipped(body), "a chunk can't be read")
	}
	if _, is := got.(map[string]any); !is {
		return 0, violation("helix.chunks.object", "a JSON object", clipped(body), "a chunk is none")
	}
	marker := s.named(f, got)
	i, known := s.byMarker[marker]
	switch {
	case s.otherStream(marker):
		return 0, violation("helix.security.isolation", "chunks of "+s.Family+s.Name, marker, "a chunk of another stream came")
	case strings.HasSuffix(marker, "-never"):
		return 0, violation("helix.chunks.all-or-nothing", "nothing of an array that was refused", marker, "a chunk of it came")
	case !known && s.Finished():
		return 0, violation("helix.lifecycle.no-chunk-after-end", "chunks from before the end", clipped(body), "a chunk came that was refused, or that nobody wrote")
	case !known && next == nil:
		return 0, violation("helix.chunks.no-merge", "a chunk that was written", clipped(body), "a chunk came that nobody wrote")
	case !known:
		i = next.index
	default:
		i = r.equal(f, i)
	}
	c := s.chunks[i]
	if err := c.completed(got, body); err != nil {
		return 0, err
	}
	if rule, where := Differs(c.Value(), got); rule != "" {
		return 0, unequal(rule, c.Body, body, "%s came with another value%s", c.Marker, where)
	}
	return i, nil
}

// equal finds which of several equal neighbours a frame brings, the first of which may be the one at i: the one that came
// with that id before, or else the next that the reader hasn't dealt with.
func (r frameChecker) equal(f Frame, i int) int {
	s := r.s
	last := i + s.chunks[i].again
	if last == i {
		return i
	}
	if id, err := strconv.ParseInt(f.ID, 10, 64); err == nil {
		if owner := s.owners[id]; owner != nil && owner.index >= i && owner.index <= last {
			return owner.index
		}
	}
	return min(max(i, r.at), last)
}

// completed looks whether a chunk that was written without a member came with one, and takes it out.
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
		return violation(rule, "the member "+c.Lacks, clipped(body), "a chunk was accepted and delivered without it")
	}
	if c.Lacks == "agentId" && c.Opened != "" && text != c.Opened {
		return violation(rule, c.Opened, clipped(body), "a chunk was completed with the agent of another writer")
	}
	delete(members, c.Lacks)
	return nil
}

// Value is the decoded body.
func (c *Chunk) Value() any {
	if c.value == nil {
		if err := json.Unmarshal(c.Body, &c.value); err != nil {
			panic(err) // it was encoded by this kit
		}
	}
	return c.value
}

func markerOf(chunk any) string {
	members, _ := chunk.(map[string]any)
	marker, _ := members["runId"].(string)
	return marker
}

func (r frameChecker) terminal(f Frame, m message) error {
	s := r.s
	if !s.Finished() {
		rule := map[bool]string{true: "helix.status.no-terminal", false: "helix.truncation.stays-active"}[s.status == Paused]
		return violation(rule, "no terminal frame", m.Type, "a terminal frame came on a stream that is %s", s.status)
	}
	if c := r.next(); c != nil {
		return violation("helix.lifecycle.terminal-last-chunks", c.Marker, "the "+m.Type+" frame", "the terminal frame came before a chunk")
	}
	if m.Type != s.over() {
		return violation("helix.lifecycle.first-terminal-wins", "the "+s.over()+" frame", "the "+m.Type+" frame", "the stream is %s", s.status)
	}
	if err := r.said(m); err != nil {
		return s.sinceRestart(err, "helix.durable.finished")
	}
	id, err := r.id(f, m.Type)
	if err != nil {
		return err
	}
	if above, _ := s.highest(); id <= above {
		return violation("helix.wire.terminal-id", "an id above "+ids(above), ids(id), "the terminal frame has a lower id than a chunk")
	}
	for _, rule := range []string{"helix.wire.terminal-id", "helix.lifecycle.no-chunk-after-end", "helix.lifecycle.terminal-last-chunks", "helix.lifecycle.one-terminal",
		map[Status]string{Ended: "helix.lifecycle.end", Failed: "helix.lifecycle.fail"}[s.status]} {
		s.Ledger.Saw(rule)
	}
	if s.epoch == len(s.chunks) {
		s.Ledger.Saw("helix.lifecycle.empty-stream")
	}
	if s.last.status == s.status {
		s.Ledger.Saw("helix.durable.finished")
	}
	if r.resumed && r.finished && r.from.at == len(s.chunks) {
		s.Ledger.Saw("helix.resume.finished-tail")
	}
	s.sent = max(s.sent, id)
	if position := (Place{ID: id, at: len(s.chunks)}); !slices.Contains(s.terminals, position) {
		s.terminals = append(s.terminals, position)
	}
	r.at = len(s.chunks)
	return nil
}

// said compares what a terminal frame says with what the stream was finished with.
func (r frameChecker) said(m message) error {
	s := r.s
	if m.Type == "fail" {
		if m.Error == nil {
			return violation("helix.lifecycle.fail", strconv.Quote(s.final), "none", "the fail frame has no text")
		}
		if *m.Error != s.final {
			return violation("helix.lifecycle.fail", strconv.Quote(s.final), strconv.Quote(*m.Error), "the fail frame has another text")
		}
		if m.Code != "" && m.Code != cmp.Or(s.code, unclassified) { // it may be left out
			return violation("helix.errors.fail-code", s.code, m.Code, "the fail frame has another code")
		}
		return nil
	}
	if m.FinalOutput == nil { // it may be left out
		return nil
	}
	if s.final != "" && string(m.FinalOutput) == s.final {
		s.Ledger.Saw("helix.lifecycle.final-output")
		return nil
	}
	var want, got any
	if s.final == "" && string(m.FinalOutput) == "null" { // no output is null to some
		return nil
	}
	if s.final == "" || json.Unmarshal([]byte(s.final), &want) != nil || json.Unmarshal(m.FinalOutput, &got) != nil {
		return violation("helix.lifecycle.final-output", s.final, clipped(m.FinalOutput), "the end frame has an output")
	}
	if rule, where := Differs(want, got); rule != "" {
		return unequal("helix.lifecycle.final-output", []byte(s.final), m.FinalOutput, "the end frame has another output%s", where)
	}
	s.Ledger.Saw("helix.lifecycle.final-output")
	return nil
}

// unclassified is the code of a failure that was given none.
const unclassified = "framework_internal_error"

func (r frameChecker) status(m message) error {
	r.received = r.received || m.Status == Paused
	i := slices.IndexFunc(r.notices, func(n notice) bool { return n.kind == "status" })
	switch {
	case i >= 0 && r.notices[i].status == m.Status:
		r.notices = slices.Delete(r.notices, i, i+1)
		if !r.statusUnknown && !r.statusUndecided && !r.stalled {
			r.known = m.Status
		}
		r.s.Ledger.Saw("helix.status.frames")
	case r.known != "" && r.known != m.Status: // once more what it knows is no harm
		return violation("helix.status.not-stored", "none, or one that says "+string(r.known), string(m.Status), "a status frame came that says otherwise than how things are")
	}
	return nil
}

func (r frameChecker) truncated(m message) error {
	if m.AtSequence != nil && *m.AtSequence < float64(r.delivered) {
		return violation("helix.truncation.covers-delivered", "at least "+ids(r.delivered), optional(m.AtSequence), "the atSequence of a truncated frame is lower than what came before")
	}
	i := slices.IndexFunc(r.notices, func(n notice) bool { return n.kind == "truncated" })
	named := i >= 0 && m.TruncatedAtStep != nil && *m.TruncatedAtStep == float64(r.notices[i].step)
	switch {
	case r.extraTruncatedAllowed > 0 && !named:
		r.extraTruncatedAllowed--
	case i < 0:
		return violation("helix.truncation.not-later", "no truncated frame", "one to step "+optional(m.TruncatedAtStep),
			"a reader was told of a removal that it knew of, or that was before its time")
	case !named:
		rule := map[bool]string{true: "helix.truncation.reset-notifies", false: "helix.truncation.step"}[r.notices[i].reset]
		return violation(rule, strconv.Itoa(r.notices[i].step), optional(m.TruncatedAtStep), "truncatedAtStep isn't the step of the cleanup")
	default:
		n := r.notices[i]
		if r.extraTruncatedAllowed == 0 { // else it may be one for nothing, and the right one still comes
			r.cleanups = n.ordinal
		}
		r.notices = slices.Delete(r.notices, i, i+1)
		r.notified = true
		if n.reset {
			r.s.Ledger.Saw("helix.truncation.reset-notifies")
		} else {
			r.s.Ledger.Saw("helix.truncation.notifies")
			r.s.Ledger.Saw("helix.truncation.step")
		}
	}
	r.mayClose = true
	return nil
}

func optional(n *float64) string {
	if n == nil {
		return "nothing"
	}
	return fmt.Sprint(*n)
}
