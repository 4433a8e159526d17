package variant

import (
	"net/http"
	"strings"
	"time"
)

// Variant is a reference server that uses one freedom. O is the type of the server's options.
type Variant[O any] struct {
	Name string // the difference, in kebab-case: "close-at-pause"
	// Freedom names the part of the spec that leaves it: the id of a requirement whose text does, or the first cell of a
	// row of the rationale, such as "decision 2", "Q-08" or "an event".
	Freedom string
	Summary string   // one sentence: the difference, and which real servers have it
	Warns   []string // ids of the SHOULDs that it doesn't follow

	// Apply replaces options; nil replaces none. It gets options with every default filled in, once for each server, so
	// that state that it makes belongs to one server.
	Apply func(O) O
	// Wrap wraps the complete server; nil wraps nothing. It is also called once for each server.
	Wrap func(http.Handler) http.Handler
	// Serve makes a server that isn't an altered reference; nil: the altered reference serves. The Handler of a pack with
	// such variants documents it.
	Serve func(O) Server
	// HTTP2 makes clients speak HTTP/2 to it.
	HTTP2 bool
	// Idle is the time after which the server closes an unused connection; 0 leaves the default.
	Idle time.Duration
	// LongestString is the longest string of a chunk that its configuration declares, in bytes; 0 declares nothing.
	LongestString int64
	// Events and Readers are the largest numbers of events and readers of a stream that it declares; 0 declares nothing.
	Events, Readers int
	// MaxConnection is after how long it ends every response, as its configuration declares; 0 declares nothing.
	MaxConnection time.Duration
	// Replays reports that its configuration declares a route that repeats the content of a stream's open step.
	Replays bool
	// Names maps types of data parts in the specification to those in its configuration.
	Names map[string]string
	// Page declares the messages of a history in one answer; 0 declares all.
	Page int
	// Partial is set where its configuration declares partial content in snapshots whose requests don't decline it.
	Partial bool
	// Persistent is set where its configuration declares sub-agents that outlive the run that started them.
	Persistent bool
	// Without are the capabilities that its configuration leaves out.
	Without []string
	// Slow reports that a run against it takes many times longer than one against the reference.
	Slow bool
}

// Server is a server that a variant makes itself.
type Server interface {
	http.Handler
	Close() // ends every response that is open
}

// Applied returns options as the variant changes them.
func (v Variant[O]) Applied(o O) O {
	if v.Apply == nil {
		return o
	}
	return v.Apply(o)
}

// Compare orders variants by name.
func Compare[O any](a, b Variant[O]) int { return strings.Compare(a.Name, b.Name) }
