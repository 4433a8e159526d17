package merlin

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// The names of the routes, by which the judge knows the version of a stream.
const (
	RouteV1 = "merlinV1"
	RouteV2 = "merlinV2"
)

// machine judges one response.
type machine struct {
	judge.Base
	version      int  // 0 while it is unknown
	versionKnown bool // the version is that of the route

	started, ended bool                  // an event came
	listed         []int                 // number of texts that the last attachments list of each source; nil after a text that follows their marks
	marked         bool                  // a citation came since those attachments
	index          judge.Number          // the greatest index so far
	steps          judge.Opened[*step]   // that were shown, by their id
	open           map[uint64]bool       // ids of steps that aren't done
	progressed     bool                  // progress was shown
	numbers        map[int64]int64       // how many steps a manager has shown, by its index
	results        judge.Opened[*result] // by the hash of the call's id
	complete       judge.Seen            // calls whose results came
}

// New returns a machine that judges one response.
func New(o judge.Options) judge.Machine {
	return &machine{
		Base: judge.NewBase(o, judge.Wire{
			ContentType: wireContentType, CacheControl: wireCacheControl, UTF8: wireUTF8, NoBOM: wireNoBOM, BlankLine: wireBlankLine,
			SingleDataLine: wireSingleDataLine, BodyCloses: wireBodyCloses, Unit: "event", AUnit: "an event",
		}),
		open: map[uint64]bool{}, numbers: map[int64]int64{},
	}
}

// JudgeAnswer judges the aggregate of a stream. No rule concerns any other answer.
func JudgeAnswer(o judge.Options, a judge.Answer) ([]record.Finding, map[string]int) {
	if a.Kind != record.Document || a.Status != 200 {
		return nil, nil
	}
	b := judge.NewBase(o, judge.Wire{})
	b.Saw(aggregateMembers)
	total, _ := b.Document("aggregate", a.Body).Value.(map[string]any)
	if calls, _ := total["toolCalls"].([]any); len(calls) > 0 {
		b.Saw(toolsShape)
	}
	if thoughts, _ := total["reasoningContent"].([]any); len(thoughts) > 0 {
		b.Saw(aggregateReasoning)
	}
	b.Witness()
	return b.Found(), b.Occasions()
}

// Head implements judge.Machine.
func (m *machine) Head(h judge.Head) []record.Finding {
	m.Begin()
	m.version = map[string]int{RouteV1: 1, RouteV2: 2}[h.Route]
	m.versionKnown = m.version != 0
	if h.Header == nil {
		return nil
	}
	m.StreamHead(h)
	m.Saw(wireConnection)
	if judge.Lists(strings.Join(h.Header["connection"], ","), "close") {
		m.Violation(wireConnection, judge.Position{}, "the response says that its connection is closed", "a connection that is kept", "Connection: close")
	}
	m.allows(wireCORSOrigin, h, "access-control-allow-origin")
	m.allows(wireCORSHeaders, h, "access-control-allow-headers")
	return m.Found()
}

// allows judges a header that lets pages of every origin read the stream.
func (m *machine) allows(id string, h judge.Head, name string) {
	m.Saw(id)
	if got := strings.Join(h.Header[name], ", "); strings.TrimSpace(got) != "*" {
		m.Violation(id, judge.Position{}, "pages of other origins can't read the stream", name+": *", judge.Show(got))
	}
}

// Frame implements judge.Machine.
func (m *machine) Frame(f *wire.Frame) []record.Finding {
	m.Begin()
	m.Bytes(f)
	if f.Dispatched() && !m.Several() {
		m.Lines(f)
		m.event(f, judge.VerdictOf(m.Options.Schemas.Event(schemas.Strict, f.Event, f.Data)))
		m.Witness()
	}
	return m.Found()
}

// known are the names of events.
var known = []string{"INIT_MESSAGE_CONTENT", "message", "progress", "attachments", "end"}

// messageLike reports whether an object has a member that messages of this protocol have, whatever else is wrong with it.
func messageLike(object map[string]any) bool {
	for _, member := range []string{"content", "index", "contentIndex", "progress", "toolCallResult"} {
		if _, there := object[member]; there {
			return true
		}
	}
	_, typed := object["type"]
	return !typed && (object["data"] != nil || object["payload"] != nil)
}

// event judges an event by its name, by its position and by its version.
func (m *machine) event(f *wire.Frame, v judge.Verdict) {
	at, name := judge.At(f), nameOf(f)
	m.Saw(wireJSON)
	m.Saw(wireObject)
	m.Schema(at, v.Findings...)
	m.Saw(wireNames)
	if name == "message" && v.Object != nil && !messageLike(v.Object) {
		m.MeetUnknown()
	}
	if !slices.Contains(known, name) {
		m.MeetUnknown()
		m.Violation(wireNames, at, "the event has a name that the protocol doesn't have", strings.Join(known, ", "), judge.Show(name))
	}
	m.Saw(wireNothingAfter)
	if m.ended {
		m.Violation(wireNothingAfter, at, "an event follows the end", "the end of the body", judge.Show(name))
	}
	m.tell(name, v.Object)
	m.first(at, name)
	switch name {
	case "message":
		m.message(f, v)
	case "progress":
		m.Saw(wirePayload)
		m.v1Progress(f, v)
	case "attachments":
		m.Saw(wirePayload)
		m.Saw(citationsAttachments)
		m.listed, m.marked = listed(v.Object), false // later marks are compared with these
	case "end":
		m.end(at)
	}
}

// nameOf returns the name of an event: that of one without an event field is message, as the standard states.
func nameOf(f *wire.Frame) string {
	if f.Event == "" {
		return "message"
	}
	return f.Event
}

// Guessed implements judge.Guess.
func (m *machine) Guessed() string {
	if m.versionKnown || m.version == 0 {
		return ""
	}
	return fmt.Sprintf("v%d", m.version)
}

// tell guesses the version if the route is unknown. Steps don't show it: version 2 may send them as events.
func (m *machine) tell(name string, object map[string]any) {
	switch _, typed := object["type"].(string); {
	case m.version != 0:
	case name == "INIT_MESSAGE_CONTENT" || name == "attachments":
		m.version = 1
	case name == "message" && typed:
		m.version = 2
	case name == "message" && object["content"] != nil:
		m.version = 1
	}
}

// first judges how a stream begins.
func (m *machine) first(at judge.Position, name string) {
	switch {
	case m.version == 1 && !m.started:
		m.Saw(slicesInit)
		if name != "INIT_MESSAGE_CONTENT" {
			m.Violation(slicesInit, at, "the stream begins with another event", "INIT_MESSAGE_CONTENT", judge.Show(name))
		}
	case m.version == 2:
		m.Saw(chunksNoInit)
		m.Saw(chunksNoV1Events)
		if of := map[string]string{"INIT_MESSAGE_CONTENT": chunksNoInit, "progress": chunksNoV1Events}[name]; of != "" {
			m.Violation(of, at, "the event is one of version 1", "message", judge.Show(name))
		}
	}
	m.started = true
}

// message judges a message, by its version.
func (m *machine) message(f *wire.Frame, v judge.Verdict) {
	at, object, data := judge.At(f), v.Object, f.Data
	m.Saw(wireUnwrapped)
	if inner, is := object["data"].(map[string]any); is && object["content"] == nil && object["type"] == nil {
		m.Violation(wireUnwrapped, at, "the message is wrapped in another object", "the message itself", judge.Show(object))
		object, data = inner, nil // its content is judged without its schema
	}
	switch {
	case object == nil:
	case m.version == 1:
		m.slice(f, object, data)
	case m.version == 2:
		m.chunk(at, object, data)
	}
}

// mark matches a message that is a citation, and finds its numbers.
var mark = regexp.MustCompile(`^\[citation: (-?\d+): (-?\d+)\]$`)

// longestSlice is the maximal number of characters in a slice.
const longestSlice = 5

// slice judges a message of version 1.
func (m *machine) slice(f *wire.Frame, object map[string]any, data []byte) {
	at := judge.At(f)
	if progress, is := object["progress"].(map[string]any); is {
		m.Saw(progressV1Event)
		if _, step := progress["steps"]; step { // the form of a title is only recommended
			m.Violation(progressV1Event, at, "a step comes as a message", "the event progress", judge.Show(object))
		}
		return
	}
	m.Saw(slicesContent)
	m.Saw(slicesNoIndex)
	m.document(at, "v1/message", data)
	content, ok := object["content"].(string)
	switch {
	case !ok:
	case mark.MatchString(content):
		m.Saw(citationsAttachments)
		if m.listed == nil || m.marked && !m.lists(content) {
			m.Violation(citationsAttachments, at, "a citation comes without the attachments before it", "the event attachments", judge.Show(content))
		}
		m.marked = true
	default:
		m.listed = nil
		m.Saw(slicesLength)
		if n := utf8.RuneCountInString(content); n > longestSlice {
			m.Violation(slicesLength, at, "the slice is longer than five characters", "at most 5 characters", judge.Show(content))
		}
		m.characters(f, content)
	}
}

// listed returns the number of texts that attachments list of each source.
func listed(object map[string]any) []int {
	payload, _ := object["payload"].([]any)
	out := make([]int, len(payload))
	for i, item := range payload {
		source, _ := item.(map[string]any)
		texts, _ := source["cited_text"].([]any)
		out[i] = len(texts)
	}
	return out
}

// lists reports whether the last attachments list the text of a mark that directly follows another one.
func (m *machine) lists(content string) bool {
	numbers := mark.FindStringSubmatch(content)
	document, _ := strconv.Atoi(numbers[1]) // an invalid number is in no list
	text, _ := strconv.Atoi(numbers[2])
	return document > 0 && document <= len(m.listed) && text > 0 && text <= m.listed[document-1]
}

// characters finds a slice that was split inside a character.
func (m *machine) characters(f *wire.Frame, content string) {
	half := judge.HalfSurrogate(f.Data)
	if half == "" && !strings.ContainsFunc(content, func(r rune) bool { return r > 0xffff }) {
		return // nothing that can be cut
	}
	m.Saw(slicesWholeCharacters)
	if half != "" {
		m.Violation(slicesWholeCharacters, judge.At(f), "a slice holds half a character", "a whole pair of surrogates", half)
	}
}

// document judges data by the schema of a name, which may be another than that of the event; nil data isn't judged.
func (m *machine) document(at judge.Position, schema string, data []byte) {
	if data != nil {
		m.Schema(at, m.Options.Schemas.Document(schema, schemas.Strict, data).Findings...)
	}
}

// end judges the last event.
func (m *machine) end(at judge.Position) {
	m.Saw(wireEndLast)
	m.Saw(wireEndData)
	m.ended = true
	if m.steps.Len() == 0 {
		return
	}
	m.Saw(progressFinished)
	if len(m.open) > 0 {
		m.Violation(progressFinished, at, "a step isn't done when the stream ends", "every step with the status DONE", judge.Show(m.openStep()))
	}
}

// openStep returns the name of a step that isn't done.
func (m *machine) openStep() string {
	st, _ := m.steps.Find(func(st *step) bool { return m.open[st.key] })
	if st == nil {
		return ""
	}
	return st.name
}

// Unfinished implements judge.Unfinished.
func (m *machine) Unfinished() string {
	switch {
	case m.ended:
		return ""
	case len(m.open) > 0:
		return "in an open step, before the event end"
	}
	return "before the event end"
}

// Close implements judge.Machine.
func (m *machine) Close(end record.End) []record.Finding {
	m.Begin()
	m.Ends(end, m.ended)
	if end == record.ServerClose && !m.ended {
		m.Saw(wireEndLast)
		m.Violation(wireEndLast, judge.Position{}, "the body ends without the last event", "end", "the end of the body")
	}
	return m.Found()
}
