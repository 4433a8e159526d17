package merlin

import (
	"net/http"
	"time"

	"github.com/streamcert/streamcert/reference/model"
)

// RunState is a stream that is being served, as alterations see it.
type RunState struct {
	Version int    // 1 or 2
	Stream  string // its name, which the client chose
	Start   Start  // of the script; the zero value without one
	// Failed: the model's answer was interrupted. Stopped: the client's user stopped the request. Ended: the script has
	// ended.
	Failed, Stopped, Ended bool
}

// Options are the extension points of a server; the zero value of each field means its default.
type Options struct {
	ControlToken string                 // that scripts and control calls need in X-Streamcert-Control; "" for none
	KnownHost    func(name string) bool // a name under which control calls may request the server; nil for none
	BodyTimeout  time.Duration          // for the body of a request; 10 s by default
	Model        *model.Client          // answers requests without a script; nil: the server repeats the user's message

	Head func(h http.Header) // sets the head of a stream
	// Begin is called when a stream begins, before anything is done.
	Begin func(*RunState)
	// Instructions maps each instruction of a script to those that are performed.
	Instructions func(*RunState) func(Instruction) []Instruction
	// Pieces maps the bytes of the model to those that are parsed.
	Pieces func(*RunState) func([]byte) [][]byte
	// Deltas maps each event of the model to those that are streamed.
	Deltas func(*RunState) func(Delta) []Delta
	// Events maps each event of a stream to those that are sent.
	Events  func(*RunState) func(Event) []Event
	Encoder func(*RunState) Encoder // writes the events of one stream
	// Speaks reports whether an event of the model has a text that version 2 sends.
	Speaks func(Delta) bool
	// First is the number of characters in the first slice, Size that of the next one while so many pieces wait.
	First int
	Size  func(waiting int) int
	// Index is the one under which a V2 stream begins.
	Index func(Start) int
	// Aggregated is called with the aggregate of a stream, before a client can request it.
	Aggregated func(*RunState, *Aggregate)
}

// WithDefaults fills in every field that isn't set, so that a decorator has something to wrap.
func (o Options) WithDefaults() Options {
	if o.KnownHost == nil {
		o.KnownHost = func(string) bool { return false }
	}
	if o.BodyTimeout == 0 {
		o.BodyTimeout = 10 * time.Second
	}
	if o.Head == nil {
		o.Head = head
	}
	if o.Begin == nil {
		o.Begin = func(*RunState) {}
	}
	if o.Speaks == nil {
		o.Speaks = speaks
	}
	o.Instructions = orSame(o.Instructions)
	o.Pieces = orSame(o.Pieces)
	o.Deltas = orSame(o.Deltas)
	o.Events = orSame(o.Events)
	if o.Encoder == nil {
		o.Encoder = func(*RunState) Encoder { return encoder{} }
	}
	if o.First == 0 {
		o.First = largestSlice
	}
	if o.Size == nil {
		o.Size = sliceSize
	}
	if o.Index == nil {
		o.Index = initialIndex
	}
	if o.Aggregated == nil {
		o.Aggregated = func(*RunState, *Aggregate) {}
	}
	return o
}

// orSame returns a flow, or the one that changes nothing.
func orSame[T any](flow func(*RunState) func(T) []T) func(*RunState) func(T) []T {
	if flow != nil {
		return flow
	}
	return func(*RunState) func(T) []T { return func(item T) []T { return []T{item} } }
}

// speaks reports whether an event has a text at all. merlin.chunks.empty
func speaks(d Delta) bool { return d.Content != "" }

// head sets the headers of every stream. merlin.wire.connection: none closes the connection.
func head(h http.Header) {
	h.Set("Content-Type", "text/event-stream") // merlin.wire.content-type
	h.Set("Cache-Control", "no-cache")         // merlin.wire.cache-control
	h.Set("Access-Control-Allow-Origin", "*")  // merlin.wire.cors-origin
	h.Set("Access-Control-Allow-Headers", "*") // merlin.wire.cors-headers
}

// initialIndex returns the index under which a V2 stream begins: that of the request, or else the higher one of the two, and
// never one below that of everybody. merlin.index.initial, merlin.index.floor, merlin.index.unchanged
func initialIndex(s Start) int {
	if s.ContentIndex != nil {
		return max(*s.ContentIndex, s.GlobalIndex)
	}
	return max(s.GlobalIndex, s.EventManagerIndex)
}
