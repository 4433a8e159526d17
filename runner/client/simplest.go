package client

import "github.com/streamcert/streamcert/runner/shrink"

// Simplest searches for the simplest disconnects with which the client of a sweep fails: it tries the simpler alternatives to
// the failed ones in order, and then removes as many as possible. C is a disconnect, F the failure of a try.
type Simplest[C, F any] struct {
	Cuts []C // that were made of the client's connections, in their order
	// Simpler are shorter alternatives, the simplest first, such as to resume without a disconnect where it failed.
	Simpler []func() (found F, failed bool)
	// Play is a client with some cuts.
	Play func(cuts []C) (found F, failed bool)
	// Most bounds how many plans with fewer cuts are tried.
	Most int
}

// Find tries one after the other. again is false if not even the client's cuts fail once more.
func (s Simplest[C, F]) Find() (found F, again bool) {
	for _, try := range s.Simpler {
		if f, failed := try(); failed {
			return f, true
		}
	}
	if found, again = s.Play(s.Cuts); !again {
		return found, false
	}
	shrink.List(s.Cuts, nil, s.Most, func(fewer []C) bool {
		f, failed := s.Play(fewer)
		if failed {
			found = f
		}
		return failed
	})
	return found, true
}
