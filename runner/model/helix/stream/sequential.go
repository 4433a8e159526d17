package stream

import (
	"slices"

	"github.com/anishathalye/porcupine"
)

// Answered is a write or an end that a client called for while others did, and its answer.
type Answered struct {
	Client            int      // number of the client, whose calls don't overlap
	Started, Returned int64    // in any unit that grows: only their order counts
	Accepted          bool     // a refused call changed nothing
	Chunks            []string // by which the chunks of a write are known in the log, in order; nil for an end
}

// Sequential reports whether calls to one stream could have been carried out one after the other, each at some moment
// between its beginning and its answer, so that they result in the log and each was answered as it was. log lists the keys
// of the chunks, in the order of their sequences; keys that no call wrote are ignored. At most one call for an end is
// accepted or any number, of which the first decides.
func Sequential(log []string, calls []Answered) bool {
	written, stored := map[string]bool{}, 0
	for _, c := range calls {
		for _, name := range c.Chunks {
			written[name] = true
		}
		if c.Accepted {
			stored += len(c.Chunks)
		}
	}
	log = slices.DeleteFunc(slices.Clone(log), func(name string) bool { return !written[name] })
	if len(log) != stored { // something is lost, came twice, or came though it was refused
		return false
	}
	operations := make([]porcupine.Operation, 0, len(calls))
	for _, c := range calls {
		operations = append(operations, porcupine.Operation{ClientId: c.Client, Input: c, Call: c.Started, Return: c.Returned})
	}
	return porcupine.CheckOperationsTimeout(sequentialLog(log), operations, longest) != porcupine.Illegal
}

// reached is a state of the stream: how many chunks of the log are written.
type reached struct {
	chunks   int  // index in the log of the next one
	finished bool // nothing can be written any more
}

// sequentialLog returns a stream to which calls are made one by one as a model for the checker.
func sequentialLog(log []string) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return reached{} },
		Step: func(state, input, _ any) (bool, any) {
			at, c := state.(reached), input.(Answered)
			switch {
			case c.Chunks == nil && c.Accepted:
				at.finished = true
				return true, at
			case c.Chunks == nil || !c.Accepted: // what is refused was refused because the stream had finished
				return at.finished, at
			}
			end := at.chunks + len(c.Chunks)
			if at.finished || end > len(log) || !slices.Equal(log[at.chunks:end], c.Chunks) {
				return false, at
			}
			at.chunks = end
			return true, at
		},
	}
}
