package merlin

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Event is an event of the response.
type Event struct {
	Name    string         // "" if it has none
	Members map[string]any // of its data, as encoding/json decodes them
	Data    []byte         // JSON as it came
}

// Stream checks the events of a stream, in order, against its script.
//
// Invariants: at only grows; the items of expected before it were received, or needn't come. blocks only grows. A violation
// ends the checks: the caller passes no further event.
type Stream struct {
	script    Script         // of the request; never changes
	occasions OccasionCounts // of the caller
	expected  []expectedItem // compiled from script; never removed
	at        int            // index in expected of the next item
	cited     []Citation     // those of the script that have a mark, in their order

	received     int               // bytes of the next text that were received
	orphan       string            // the beginning of a mark that needn't come
	sent         []Citation        // whose marks came
	lost         []Citation        // whose marks didn't, at the end
	listed       map[int][]any     // texts that the last attachments list of each source; nil after a text that follows their marks
	advice       *Violation        // the first deviation from a recommendation
	half         string            // the escape of half a character, which the next slice goes on with
	shown        strings.Builder   // all text that was received
	unsent       string            // marks that needn't come and didn't
	index        *int              // of the block, as far as it came
	agentIndexes []int             // indexes of the agent that goes on
	used         []int             // those of the agents before
	rises        bool              // the last event was a complete result, after which a server may raise the index
	raised       bool              // that was so before anything else showed the index of the block
	blocks       int               // number of blocks that have started
	pieces       map[int]string    // of results
	grown        map[int]growth    // partial results
	results      map[string]bool   // calls whose results came
	steps        map[string]*state // by id
	renames      int               // titles that may come in version 2
	ended        bool              // the last event came
}

// NewStream returns the stream of a script before its first event.
func NewStream(s Script, l OccasionCounts) *Stream {
	r := read(s)
	return &Stream{script: s, occasions: l, expected: r.items, cited: r.cited, pieces: map[int]string{}, grown: map[int]growth{}, results: map[string]bool{}, steps: map[string]*state{}}
}

// Advice returns the first deviation from a recommendation, nil for none.
func (s *Stream) Advice() error {
	if s.advice == nil {
		return nil
	}
	return s.advice
}

// advise records a deviation from a recommendation, unless one was recorded before.
func (s *Stream) advise(b *Violation) {
	if s.advice == nil {
		s.advice = b
	}
}

// Ended reports whether the end came.
func (s *Stream) Ended() bool { return s.ended }

// Waits returns the barrier before which every required item has come; "" while one is missing.
func (s *Stream) Waits() string {
	for at := s.at; at < len(s.expected) && s.half == "" && s.orphan == ""; at++ {
		switch o := s.expected[at]; {
		case o.kind == barrier:
			return o.text
		case o.needs():
			return ""
		}
	}
	return ""
}

// Released continues after the barrier at which the stream waits.
func (s *Stream) Released() {
	s.occasions.Saw("merlin.wire.live")
	for s.expected[s.at].kind != barrier {
		s.pass()
	}
	s.at++
}

// Missing returns the violation of a stream from which the next item doesn't come; got describes what came instead.
func (s *Stream) Missing(got string) error {
	for s.at < len(s.expected) && !s.expected[s.at].needs() {
		s.pass()
	}
	if s.at >= len(s.expected) {
		rule := "merlin.wire.end-last"
		switch {
		case s.script.aborts():
			rule = "merlin.failure.ends"
		case s.script.stops():
			rule = "merlin.failure.stopped-end"
		}
		return violation(rule, "end", got, "the stream doesn't end")
	}
	o := s.expected[s.at]
	if slices.ContainsFunc(s.expected[s.at:], func(o expectedItem) bool { return o.kind == barrier }) {
		return violation("merlin.wire.live", s.describe(o), got, "an event that is ready doesn't come while the stream waits")
	}
	return s.missed(o, got)
}

// describe describes an item for a report.
func (s *Stream) describe(o expectedItem) string {
	switch o.kind {
	case text:
		if o.spelling != "" {
			return label[text] + clipped(o.text[s.received:]) + ", of an event of the model with " + o.spelling
		}
		return label[text] + clipped(o.text[s.received:])
	case citing:
		if o.received {
			return "the mark " + clipped(o.text[s.received:])
		}
		return "attachments that list " + clipped(o.cite.Text)
	case step:
		return "the step " + clipped(o.step.Progress.Step) + " that was " + becomes[o.step.Progress.Do]
	case result:
		return "the result " + clipped(o.step.ToolResult.Result)
	}
	return label[o.kind] + clipped(o.text)
}

// label is the name of a text, of reasoning and of a piece of a result in reports, by the kind of the item.
var label = map[int]string{text: "the text ", reasoning: "the reasoning ", piece: "the piece "}

// becomes lists the state of a step after each operation, as reports name it.
var becomes = map[string]string{"create": "created", "send": "sent values", "tags": "given tags", "latest": "the latest, and is sent anew", "end": "ended"}

func (s *Stream) missed(o expectedItem, got string) *Violation {
	of := o.of
	switch {
	case s.script.aborts() && o.kind == text && (of == "merlin.slices.complete" || of == "merlin.chunks.complete"):
		of = "merlin.failure.kept"
	case o.kind == citing && !o.received && slices.Contains(s.listed[o.cite.Document], any(o.cite.Text)):
		of = "merlin.citations.mark"
	case o.kind == step && s.script.Version == 1 && s.script.Manager == "" && len(s.steps) == 0: // none came in the form of the version
		of = "merlin.progress.default-version"
	}
	return violation(of, s.describe(o), got, "the next required event doesn't come")
}

// pass advances to the next item.
func (s *Stream) pass() {
	switch s.expected[s.at].kind {
	case handoff:
		s.used, s.agentIndexes = append(s.used, s.agentIndexes...), nil
		s.index, s.blocks, s.rises = nil, s.blocks+1, false
	case title:
		s.renames++
	case text:
		o := s.expected[s.at]
		if o.divided {
			s.occasions.Saw("merlin.upstream.cut")
		}
	case citing:
		s.passMark(s.expected[s.at])
	}
	s.at, s.received = s.at+1, 0
}

// next returns the next item if it is of the given kind, else nil. It skips items that needn't come.
func (s *Stream) next(kind int) *expectedItem {
	for s.at < len(s.expected) {
		o := &s.expected[s.at]
		if o.paired && o.kind != kind && s.expected[s.at+1].kind == kind {
			o.paired = false
			s.expected[s.at], s.expected[s.at+1] = s.expected[s.at+1], *o
			return &s.expected[s.at]
		}
		if o.kind == kind {
			return o
		}
		if o.needs() {
			return nil
		}
		s.pass()
	}
	return nil
}

// Receive takes the next event.
func (s *Stream) Receive(e Event) error {
	if s.ended || s.script.Modelled && (e.Name == "progress" || e.Members["type"] == "progress") {
		return nil // the judge checks events after the end, and steps that the server adds
	}
	switch e.Name {
	case "message":
		if s.script.Version == 1 {
			return s.slice(e.Data)
		}
		return s.chunk(e.Members)
	case "attachments":
		if s.script.Version == 2 {
			return nil // a server may cite there
		}
		payload, _ := e.Members["payload"].([]any)
		if !s.script.cites() && !s.script.stops() {
			return violation("merlin.citations.none", "none", clipped(payload), "attachments come though nothing is cited")
		}
		return s.attachments(payload)
	case "progress":
		payload, _ := e.Members["payload"].(map[string]any)
		if payload["status"] == nil {
			return nil // a title
		}
		return s.step(payload, true)
	case "end":
		return s.end()
	}
	return nil
}

// surplus returns the violation of an unexpected item.
func (s *Stream) surplus(requirement, got string) error {
	if s.at < len(s.expected) {
		return s.missed(s.expected[s.at], got)
	}
	if s.script.stops() {
		requirement = "merlin.failure.stopped"
	}
	return violation(requirement, "end", got, "more comes than the script says")
}

// highHalf matches the escape of the first half of a character at the end of a text.
var highHalf = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}$`)

// slice takes a message of version 1.
func (s *Stream) slice(data []byte) error {
	var m struct{ Content json.RawMessage }
	if json.Unmarshal(data, &m) != nil || len(m.Content) < 2 || m.Content[0] != '"' {
		return nil // the judge says so
	}
	inner := s.half + string(m.Content[1:len(m.Content)-1])
	s.half = highHalf.FindString(inner)
	var got string
	if json.Unmarshal([]byte(`"`+strings.TrimSuffix(inner, s.half)+`"`), &got) != nil {
		return nil
	}
	got, s.orphan = s.orphan+s.script.complete(got), ""
	for got != "" {
		var waits bool
		if got, waits = s.astray(got); waits {
			s.orphan = got
			return nil
		}
		if got == "" {
			break
		}
		o, waits := s.spoken(got)
		if waits {
			s.orphan = got
			return nil
		}
		if o == nil {
			return s.surplus("merlin.slices.complete", "the text "+clipped(got))
		}
		rest := o.text[s.received:]
		switch {
		case strings.HasPrefix(rest, got) && len(got) < len(rest):
			s.received += len(got)
			s.shown.WriteString(got)
			got = ""
		case strings.HasPrefix(got, rest):
			s.shown.WriteString(rest)
			got = got[len(rest):]
			s.occasions.Saw(o.of, "merlin.slices.complete")
			s.received = len(o.text)
			s.pass()
		default:
			return s.other(*o, text, got)
		}
	}
	return nil
}

// other returns the violation of a text or of reasoning that differs from the expected item.
func (s *Stream) other(o expectedItem, kind int, got string) error {
	b := s.missed(o, label[kind]+clipped(got))
	if strings.Contains(got, "\ufffd") && !strings.Contains(o.text, "\ufffd") {
		b.Requirement = "merlin.upstream.characters"
	}
	for _, a := range s.script.Steps {
		if d := a.delta(); s.script.Version == 1 && d != nil && d.Reasoning != nil && len(strings.TrimSpace(got)) > 1 && strings.HasPrefix(d.Reasoning.Text, got) {
			b.Requirement = "merlin.slices.no-reasoning"
		}
	}
	return b
}

// end takes the last event.
func (s *Stream) end() error {
	for s.at < len(s.expected) {
		o := s.expected[s.at]
		if o.needs() {
			return s.missed(o, "end")
		}
		s.pass()
	}
	s.ended = true
	s.occasions.Saw("merlin.wire.end-last")
	for hit, ids := range map[bool][]string{
		s.script.aborts(): {"merlin.failure.ends", "merlin.failure.kept"}, s.script.stops(): {"merlin.failure.stopped-end", "merlin.failure.stopped"},
	} {
		if hit {
			s.occasions.Saw(ids...)
		}
	}
	for _, a := range s.script.Steps {
		s.silent(a)
	}
	if s.script.Version == 1 && !s.script.cites() && len(s.script.Attachments) > 0 {
		s.occasions.Saw("merlin.citations.none")
	}
	return nil
}

// silent counts the requirements on output that must not be sent.
func (s *Stream) silent(a ScriptStep) {
	switch d := a.delta(); {
	case d == nil:
	case d.Content != nil && *d.Content == "":
		if s.script.Version == 2 {
			s.occasions.Saw("merlin.chunks.empty")
		}
	case d.Content != nil && s.script.Suppress:
		s.occasions.Saw("merlin.chunks.suppressed")
	case d.Content != nil && len([]rune(*d.Content)) < len(*d.Content):
		s.occasions.Saw("merlin.upstream.characters")
	case d.Reasoning != nil && s.script.Version == 1:
		s.occasions.Saw("merlin.slices.no-reasoning")
	}
}
