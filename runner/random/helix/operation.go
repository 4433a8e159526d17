package helix

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Kind is the action of an operation.
type Kind string

// The kinds of operation.
const (
	Write       Kind = "write"
	CloseWriter Kind = "close writer"
	Cleanup     Kind = "cleanup"
	Reset       Kind = "reset"
	Pause       Kind = "pause"
	Activate    Kind = "activate"
	Attach      Kind = "attach"
	Cut         Kind = "cut"
	Resume      Kind = "resume"
	Receive     Kind = "receive"
	End         Kind = "end"
	Fail        Kind = "fail"
	Info        Kind = "info"
)

const (
	slots   = 3  // readers of a stream at a time
	writers = 2  // writers of a stream at a time
	steps   = 4  // steps of a run, from 0
	pageful = 16 // chunks more in an array that is long
	none    = -1 // a chunk without a step; the cursor where a reader was cut
)

// Operation is one thing that is done to the server. It makes sense in every
// state, so that others can be left out before it: what it names and isn't there
// is made first, and what can't be done is passed over.
type Operation struct {
	Kind   Kind
	Stream int
	Writer int   // Write, CloseWriter
	Steps  []int // Write: one chunk for each, an array if there are several; -1 is a chunk without a step
	Step   int   // Cleanup: the last step that stays
	Reader int   // Attach, Cut, Resume, Receive
	First  bool  // Cut, Resume: the reader that is cut receives what is due before
	Cursor int   // Resume: which of the ids known by then, the start first; -1: where the reader was
	Query  bool  // Resume: the cursor is in the query; after a cut it is in the header, and the query is from before
}

// String is a line of a script.
func (o Operation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "stream %d: %s", o.Stream, o.Kind)
	switch o.Kind {
	case Write:
		fmt.Fprintf(&b, ", writer %d", o.Writer)
		for _, step := range o.Steps {
			if step == none {
				b.WriteString(", a chunk")
			} else {
				fmt.Fprintf(&b, ", a chunk of step %d", step)
			}
		}
	case CloseWriter:
		fmt.Fprintf(&b, " %d", o.Writer)
	case Cleanup:
		fmt.Fprintf(&b, " to step %d", o.Step)
	case Attach, Cut, Receive:
		fmt.Fprintf(&b, ", reader %d", o.Reader)
	case Resume:
		where, how := fmt.Sprintf("known id %d", o.Cursor), "header"
		switch {
		case o.Cursor == none && o.Query:
			where, how = "where it was", "header, with a query of 0"
		case o.Cursor == none:
			where = "where it was"
		case o.Query:
			how = "query"
		}
		fmt.Fprintf(&b, ", reader %d after %s (%s)", o.Reader, where, how)
	}
	if o.First && (o.Kind == Cut || o.Kind == Resume) {
		b.WriteString(", having received what was due")
	}
	return b.String()
}

// likely is how often each kind is drawn, and the capability that it needs.
var likely = [...]struct {
	kind       Kind
	weight     int
	capability string
}{
	{Write, 12, ""}, {CloseWriter, 1, ""}, {Cleanup, 3, "truncation"}, {Reset, 1, "reset"}, {Pause, 1, "status"}, {Activate, 2, "status"},
	{Attach, 4, ""}, {Cut, 2, ""}, {Resume, 4, "resume"}, {Receive, 6, ""}, {End, 1, ""}, {Fail, 1, ""}, {Info, 2, "info"},
}

// generate draws n operations on a number of streams. The same seed gives the
// same operations for the same claims.
func generate(seed int64, n, streams int, claims func(capability string) bool) []Operation {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	var kinds []Kind
	for _, l := range likely {
		for range l.weight {
			if l.capability == "" || claims(l.capability) {
				kinds = append(kinds, l.kind)
			}
		}
	}
	out := make([]Operation, n)
	for i := range out {
		o := Operation{
			Kind: kinds[r.IntN(len(kinds))], Stream: r.IntN(streams), Writer: r.IntN(writers),
			Step: r.IntN(steps), Reader: r.IntN(slots), Query: r.IntN(3) == 0, First: r.IntN(3) > 0,
		}
		if r.IntN(2) == 0 {
			o.Cursor = none
		} else {
			o.Cursor = r.IntN(64)
		}
		size := 1 + max(0, r.IntN(7)-3)
		if r.IntN(16) == 0 {
			size += pageful
		}
		for range size {
			o.Steps = append(o.Steps, r.IntN(steps+1)-1)
		}
		out[i] = o
	}
	return out
}
