package helix

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// limits are what the server takes, by its config or by default.
func (w *world) limits() target.Limits { return w.Session().Target().Limits().Within() }

// beyondLatest says that a scenario needs more than the server takes.
func beyondLatest(key string, most int, what string) error {
	return &steps.Unprovable{Reason: fmt.Sprintf("the scenario needs more than the %d %s that the server takes (limits.%s)", most, what, key)}
}

// envelope is more than what a chunk has beside its longest string.
const envelope = 1 << 10

// longestString is how many bytes a string may have for the server to take it in a
// chunk.
func (w *world) longestString() int {
	limits := w.limits()
	return int(min(limits.String, limits.Chunk-envelope))
}

// within checks that the server takes more events, of these sizes.
func (s *stream) within(evs []*event) error {
	limits := s.w.limits()
	if len(s.events)+s.markers > limits.Events {
		return beyondLatest("events", limits.Events, "events of a stream")
	}
	for _, e := range evs {
		if int64(len(e.body)) > limits.Chunk {
			return &steps.Unprovable{Reason: fmt.Sprintf("%s has %d bytes, and the server takes %d (limits.chunk)", e.label, len(e.body), limits.Chunk)}
		}
	}
	return nil
}

// tooLarge is what a refused write of a body of n bytes comes to. A 413 is no fault
// while the config doesn't say how much the server takes.
func (w *world) tooLarge(call *target.Exchange, what string, n int) error {
	limits := w.Session().Target().Limits()
	if call.Now().Status != 413 || limits.String > 0 || limits.Chunk > 0 {
		return steps.Refused(call, what)
	}
	return &steps.Unprovable{Reason: fmt.Sprintf("the server refused a chunk of %d bytes as too large (413), and the config doesn't say "+
		"what it takes (limits.string, limits.chunk)", n)}
}

// readers counts the connections that read the stream.
func readers(s *stream) int {
	n := 0
	for _, c := range s.w.clients {
		if c.stream == s && c.reader != nil && c.reader.Now().End == record.Open {
			n++
		}
	}
	return n
}
