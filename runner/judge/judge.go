package judge

import (
	"encoding/json"
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// Head describes a response before the first byte of its body.
type Head struct {
	Status int                 // HTTP status, 0 if it isn't known (a bare capture)
	Route  string              // name of the route that was asked; "" if it isn't known
	Header map[string][]string // names in lower case; nil if they aren't known
	// Cursor is the cursor of the reader's request, as it was sent, if HasCursor.
	Cursor    string
	HasCursor bool
	// Removed says that chunks of the stream were removed before this reader
	// attached, or may have been. The last chunk that it is sent needn't have
	// the latest sequence then.
	Removed bool
}

// A Machine judges one response: Head once, Frame for each block in order,
// Close once. It isn't safe for concurrent use.
type Machine interface {
	Head(Head) []record.Finding
	Frame(*wire.Frame) []record.Finding
	Close(record.End) []record.Finding
	// Occasions says how often each requirement's check had something to look
	// at. Requirements that had nothing are left out.
	Occasions() map[string]int
	// Unknown counts the frames whose type the pack doesn't know. They are legal,
	// but a response of nothing else is another protocol's.
	Unknown() int
}

// Unfinished is a Machine that says how far a response had come when a recording of it stopped: "in an open text", "before
// the event end"; "" for one that came to its end.
type Unfinished interface{ Unfinished() string }

// Guess is a Machine that may have taken a response for one of the variants of its pack by what came, as nobody said which route
// was asked. Guessed says for which, "" where it was told or nothing has shown it.
type Guess interface{ Guessed() string }

// Protocol is the part of a pack that judging a recording needs.
type Protocol struct {
	Name    string // of the pack
	Machine func(Options) Machine
	// Look counts the shapes of the first events of a recording; nil where the pack
	// has one profile only.
	Look func() Look
	// Begins says of the data of an event whether only a response from its start begins with it; nil where a recording
	// can't be told by that from one of a reader that came back.
	Begins func(data []byte) bool
}

// Look sees the first events of a recording.
type Look interface {
	Add(data []byte)
	// Hint says what to do when the recording isn't of a profile, "" if it may be.
	Hint(Profile) string
}

// Profile says what the data of a frame is.
type Profile int

const (
	// Enveloped data is a frame of the pack's wire format.
	Enveloped Profile = iota
	// BareChunks data is a chunk itself, or the control message that says that
	// the stream is over. What the envelope must look like isn't judged then.
	BareChunks
)

// Options configure a machine.
type Options struct {
	Origin  record.Origin
	Profile Profile
	Schemas *schemas.Set // of the pack; required
	// State is the state that the root agent began with, as one JSON value; nil
	// if it isn't known. What patches do to it isn't judged then, but for those
	// members that the stream itself wrote.
	State json.RawMessage
	// Bare says that only the data of frames is known, as in a recording of one
	// JSON document a line. Rules about the event around it aren't judged then.
	Bare bool
	// Heartbeat is the interval at which the server says it sends comments in
	// silence; 0 if it isn't known, and then silence isn't judged.
	Heartbeat time.Duration
	// Names are the members that the target calls otherwise than the specification.
	// What is compared is compared by them; what the specification asks for stays.
	Names record.Names
}

// An Answer is a complete HTTP answer that isn't a stream.
type Answer struct {
	Kind   record.Kind // what was asked for; answers to control calls are never judged
	Status int
	Header map[string][]string // names in lower case
	Body   []byte
}

// A Judge is what judging an exchange takes of a protocol: its machine, and what
// judges an answer that isn't a stream.
type Judge struct {
	Machine func(Options) Machine
	Answer  func(Options, Answer) ([]record.Finding, map[string]int)
}

// Exchange judges an exchange as far as it went and returns the findings, and how
// often each requirement had an occasion. A finding that says the same as another is
// left out, or a server that breaks a rule in every frame would fill the memory. The
// origin is that of the exchange, whatever the options say. Control calls and
// requests without an answer have neither.
func Exchange(p Judge, o Options, e *record.Exchange) ([]record.Finding, map[string]int) {
	if e.Kind == record.Control || e.Status == 0 {
		return nil, nil
	}
	o.Origin = e.Origin
	if e.Kind != record.Read || e.Status != 200 && !e.IsEventStream() {
		return p.Answer(o, Answer{Kind: e.Kind, Status: e.Status, Header: e.HeaderMap(), Body: e.Answer})
	}
	head := Head{Status: e.Status, Route: e.Route, Header: e.HeaderMap(), Removed: e.Removed}
	head.Cursor, head.HasCursor = e.Cursor()
	m := p.Machine(o)
	var findings []record.Finding
	distinct := record.Distinct{}
	take := func(found []record.Finding) {
		for _, f := range found {
			if distinct.Take(f) {
				findings = append(findings, f)
			}
		}
	}
	take(m.Head(head))
	for _, f := range e.Frames {
		take(m.Frame(f))
	}
	take(m.Close(e.End))
	return findings, m.Occasions()
}
