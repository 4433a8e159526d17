package pack

import (
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// Stream describes how a stream of the pack is recognised, and where it ends.
type Stream struct {
	// Recognise reports whether one event, by its name or its data, is of the pack, and of which profile; ok is false if
	// the event doesn't show it. nil recognises none.
	Recognise func(f *wire.Frame) (profile judge.Profile, ok bool)
	// Terminal reports whether nothing may follow an event; nil: whatever may.
	Terminal func(profile judge.Profile, f *wire.Frame) bool
	// Bare: the data of an event may be a chunk without its envelope.
	Bare bool
	// Viewed: runner/view shows its chunks to people.
	Viewed bool
	// Recogniser counts the shapes of the first events of a recording; nil where the pack
	// has one profile only.
	Recogniser func() judge.Recogniser
	// Begins reports whether only a response from the stream's start begins with an event of this data; see judge.Protocol.
	Begins func(data []byte) bool
	// Variants are the variants that a stream can have by its route, which the stream itself needn't show; nil for none.
	Variants []Variant
	// Resume describes how a reader resumes after a disconnect; nil if a stream can't be resumed.
	Resume *Resume
}

// Variant is one of several protocols of a pack that have a route each.
type Variant struct {
	Name  string // as people give it: "v1"
	Route string // as record.Exchange has it
}

// Role classifies a frame by how a resume treats it.
type Role int

// The roles of frames.
const (
	Other    Role = iota // comments and unknown frames
	Event                // sent again on a resume before it
	Terminal             // the last frame
	Removal              // reports that events were removed
	Notice               // reports a state that a later one replaces
)

// Resume describes how streams resume as EventSource does it.
type Resume struct {
	Role func(data []byte) Role
	// EventMembers and TerminalMembers are the members that are the same each time a
	// frame of the role is sent. Others may say when or by whom it was sent.
	EventMembers, TerminalMembers []string

	// The ids of the requirements that a sweep finds broken:
	AfterCursor  string // every chunk after a resume is above the cursor
	Complete     string // every event comes, once
	Stable       string // an event is the same each time
	AtLatest     string // a resume at the latest event of a stream that goes on is served
	FinishedTail string // a resume at the last event of a stream that has ended brings the end
	NoContent    string // a resume at the end is answered 204
	Cycles       string // a reader that disconnects and resumes repeatedly misses nothing
	Head         string // the head of an answer comes at once
	EventID      string // an event has an id
}
