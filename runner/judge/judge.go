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
	Route  string              // name of the route of the request; "" if it isn't known
	Header map[string][]string // names in lower case; nil if they aren't known
	// Cursor is the cursor of the reader's request, as it was sent, if HasCursor.
	Cursor    string
	HasCursor bool // false also if the request isn't known
	// Removed reports that chunks of the stream were removed before this reader
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
	// Occasions returns how often each requirement was checked. Requirements that weren't checked are left out.
	Occasions() map[string]int
	// Unknown counts the frames whose type the pack doesn't know. They are legal,
	// but a response of nothing else is another protocol's.
	Unknown() int
}

// Unfinished is a Machine that states how far a response had come when a recording of it stopped: "in an open text", "before
// the event end"; "" for one that came to its end.
type Unfinished interface{ Unfinished() string }

// Guess is a Machine that may have guessed the variant of its pack from the content of a response whose route is unknown.
// Guessed returns the variant, "" if the route is known or the content doesn't show it.
type Guess interface{ Guessed() string }

// Protocol is the part of a pack that judging a recording needs.
type Protocol struct {
	Name    string                // of the pack
	Machine func(Options) Machine // returns a new machine, for one response
	// Recogniser counts the shapes of the first events of a recording; nil where the pack
	// has one profile only.
	Recogniser func() Recogniser
	// Begins reports whether only a response from the stream's start begins with an event of this data; nil if that can't
	// be distinguished from the recording of a resumed reader.
	Begins func(data []byte) bool
}

// Recogniser sees the first events of a recording.
type Recogniser interface {
	Add(data []byte)
	// Hint advises the user if the recording isn't of a profile, "" if it may be.
	Hint(Profile) string
}

// Profile describes the content of a frame's data.
type Profile int

const (
	// Enveloped data is a frame of the pack's wire format.
	Enveloped Profile = iota
	// BareChunks data is a chunk itself, or the control message at the end of the stream. The envelope isn't judged then.
	BareChunks
)

// Options configure a machine.
type Options struct {
	Origin  record.Origin // of the stream's chunks: rules on produced chunks need a server that produced them
	Profile Profile       // the zero value is Enveloped
	Schemas *schemas.Set  // of the pack; required
	// State is the initial state of the root agent, as one JSON value; nil if it isn't known. Patches are then judged only
	// for members that the stream itself wrote.
	State json.RawMessage
	// Bare reports that only the data of frames is known, as in a recording of one
	// JSON document a line. Rules about the event around it aren't judged then.
	Bare bool
	// Heartbeat is the declared interval at which the server sends comments in
	// silence; 0 if it isn't known, and then silence isn't judged.
	Heartbeat time.Duration
	// Names are the members whose names in the target differ from the specification. Comparisons use them; required members
	// keep the names of the specification.
	Names record.Names
}

// An Answer is a complete HTTP answer that isn't a stream.
type Answer struct {
	Kind   record.Kind         // kind of the request; answers to control calls are never judged
	Status int                 // of HTTP
	Header map[string][]string // names in lower case
	Body   []byte              // complete; nil if there was none
}

// A Judge is the part of a protocol that judging an exchange needs: its machine, and a function for an answer that isn't a
// stream.
type Judge struct {
	Machine func(Options) Machine                                    // returns a new machine, for one response
	Answer  func(Options, Answer) ([]record.Finding, map[string]int) // returns findings, and occasions by requirement
}

// Exchange judges an exchange as far as it went and returns the findings, and how often each requirement was checked. Equal
// findings are reported once, or a server that breaks a rule in every frame would exhaust the memory. The origin is that of
// the exchange, not that of the options. Control calls and requests without an answer have neither.
func Exchange(p Judge, o Options, e *record.Exchange) ([]record.Finding, map[string]int) {
	if e.Kind == record.Control || e.Status == 0 {
		return nil, nil
	}
	o.Origin = e.Origin
	if e.Kind != record.Read || e.Status != 200 && !e.IsEventStream() {
		if e.End == record.ClientClose { // before the body was complete
			return nil, nil
		}
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
