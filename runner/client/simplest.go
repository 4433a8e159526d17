package client

import "github.com/streamcert/streamcert/runner/shrink"

// Simplest looks for the simplest way to what made a client of a sweep fail: one of those that are simpler than its own cuts,
// in their order, and then as few of these as it takes. C is a cut, F what a try finds if it fails.
type Simplest[C, F any] struct {
	Cuts []C // that were made of the client's connections, in their order
	// Simpler are ways that take less to say, the simplest first, such as to resume without a cut where it failed.
	Simpler []func() (found F, failed bool)
	// Play is a client with some cuts.
	Play func(cuts []C) (found F, failed bool)
	// Most bounds how many plans with fewer cuts are tried.
	Most int
}

// Find tries one after the other. again is false if not even the client's own cuts fail once more.
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
