package judge

import (
	"encoding/json"
	"time"

	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// A Finding is one breach of one requirement.
type Finding struct {
	Requirement string // its id
	Message     string // a sentence without a full stop
	Want, Got   string // for people; may be empty
	Frame       int    // index of the block, -1 if the finding isn't about one
	Offset      int64  // of the block in the body, -1 likewise
	Line        int    // of the block, from 1; 0 likewise
	Instance    string // JSON pointer into the data
	Schema      string // file#/keyword that found it
}

// Origin says whose the chunks are.
type Origin int

const (
	// Relayed chunks were written by the runner: only how they are delivered,
	// framed and enveloped is judged, never what they say.
	Relayed Origin = iota
	// Produced chunks are the server's own, and are judged in full.
	Produced
)

// Head is what is known before the first byte of the body.
type Head struct {
	Status int                 // HTTP status, 0 if it isn't known (a bare capture)
	Header map[string][]string // names in lower case; nil if they aren't known
	// Cursor is what the reader resumed at, as it was sent, if HasCursor.
	Cursor    string
	HasCursor bool
	// Removed says that chunks of the stream were removed before this reader
	// attached, or may have been. The last chunk that it is sent needn't have
	// the latest sequence then.
	Removed bool
}

// End says how the response ended.
type End int

const (
	EOF       End = iota // the server closed the body
	Reset                // the connection broke
	Cut                  // the reader closed it
	OpenStill            // it was open when the reader stopped waiting
)

// A Machine judges one response: Head once, Frame for each block in order,
// Close once. It isn't safe for concurrent use.
type Machine interface {
	Head(Head) []Finding
	Frame(*wire.Frame) []Finding
	Close(End) []Finding
	// Occasions says how often each requirement's check had something to look
	// at. Requirements that had nothing are left out.
	Occasions() map[string]int
	// Unknown counts the frames whose type the pack doesn't know. They are legal,
	// but a response of nothing else is another protocol's.
	Unknown() int
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
	Origin  Origin
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
}

// Route says what a unary request asked for.
type Route int

const (
	// ControlRoute answers are never judged: provoking isn't certified.
	ControlRoute Route = iota
	// ReadRoute is where a stream is read; an Answer is one that isn't a stream.
	ReadRoute
	// InfoRoute is where a stream's StreamInfo is read.
	InfoRoute
	// SnapshotRoute is where a snapshot is read.
	SnapshotRoute
)

// An Answer is a complete HTTP answer that isn't a stream.
type Answer struct {
	Route  Route
	Status int
	Header map[string][]string // names in lower case
	Body   []byte
}
