package target

import (
	"sync"
	"time"
)

const (
	// leastStrain is the factor of slowdown from which a machine counts as busy. The concurrent runs of one process cause
	// less.
	leastStrain = 3
	// mostStrain limits the extension of a wait, as a factor.
	mostStrain = 8
	// sharp is the least deadline that is extended on a busy machine. A caller with a shorter one doesn't want to wait.
	sharp = time.Second
	// strainValidity is the validity of a measurement.
	strainValidity = time.Second
	// strainPieces of strainTurns turns are one measurement: a fiftieth of a second on an idle machine, which is longer
	// than a scheduler's time slice.
	strainPieces = 128
	strainTurns  = 100_000
)

// strain measures how much slower than on an idle machine this process works, because of other load. Server and suite may
// run on one machine, so that the server's answers are delayed by the same factor, which isn't its fault. It is safe for
// concurrent use.
type strain struct {
	mu    sync.Mutex // guards all below
	at    time.Time  // when value was measured; zero before the first time
	value float64    // at least 1: 2 is half the speed
}

// here is the strain of this machine.
var here strain

// now returns the strain, 1 on a machine that isn't busy.
func (s *strain) now() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at.IsZero() || time.Since(s.at) > strainValidity {
		s.value = strainOf(work, time.Now)
		s.at = time.Now()
	}
	return s.value
}

// strainOf returns the ratio of the time that equal pieces of work take to that of the quickest one, which nothing
// interrupted.
func strainOf(work func(), now func() time.Time) float64 {
	began := now()
	last, quickest := began, time.Duration(1<<63-1)
	for range strainPieces {
		work()
		at := now()
		quickest = min(quickest, at.Sub(last))
		last = at
	}
	if quickest <= 0 {
		return 1
	}
	value := float64(last.Sub(began)) / float64(strainPieces*quickest)
	if value < leastStrain {
		return 1
	}
	return min(value, mostStrain)
}

var worked uint64

// work keeps a processor busy for a moment.
func work() {
	x := worked | 1
	for range strainTurns {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	worked = x
}
