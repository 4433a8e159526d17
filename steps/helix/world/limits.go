package world

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// limits returns how much the server accepts, by its config or by default.
func (w *World) limits() target.Limits { return w.Session().Target().Limits().Within() }

// beyondLatest returns the *steps.Unprovable of a scenario that exceeds a limit of the server.
func beyondLatest(key string, most int, what string) error {
	return &steps.Unprovable{Reason: fmt.Sprintf("the scenario needs more than the %d %s that the server takes (limits.%s)", most, what, key)}
}

// envelope is an upper bound of the bytes of a chunk without its longest string.
const envelope = 1 << 10

// LongestString returns how many bytes a string of a chunk may have.
func (w *World) LongestString() int {
	limits := w.limits()
	return int(min(limits.String, limits.Chunk-envelope))
}

// tooLarge returns the error of a refused write of a body of n bytes. A 413 is no fault
// while the config doesn't say how much the server takes.
func (w *World) tooLarge(call *target.Exchange, what string, n int) error {
	limits := w.Session().Target().Limits()
	if call.Now().Status != 413 || limits.String > 0 || limits.Chunk > 0 {
		return steps.Refused(call, what)
	}
	return &steps.Unprovable{Reason: fmt.Sprintf("the server refused a chunk of %d bytes as too large (413), and the config doesn't say "+
		"what it takes (limits.string, limits.chunk)", n)}
}
