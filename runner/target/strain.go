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
	mu    sync.Mutex
	at    time.Time
	value float64
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

// Grace returns how much longer a wait from since to by may last because this machine is busy: 0 or less if it isn't, or if
// the wait had that time already. A deadline shorter than sharp isn't extended.
func (t *Target) Grace(since, by time.Time) time.Duration {
	if t.timing.Deadline < sharp {
		return time.Until(by)
	}
	return time.Until(since.Add(time.Duration(here.now() * float64(by.Sub(since)))))
}

// graceOf is [Target.Grace] of a wait of a kind, no more at a time than the wait itself: meanwhile the machine may have
// become idle, or other waits may have shown that the server never sends such a thing. Then it gets no more time.
func (t *Target) graceOf(k waitKind, since, by time.Time) time.Duration {
	if t.timeouts.isSilent(k) {
		return time.Until(by)
	}
	return min(t.Grace(since, by), max(by.Sub(since), minTimeout))
}

// Overdue reports whether something that is awaited since a time, and is looked for again and again, should have come.
func (t *Target) Overdue(since time.Time) bool {
	by := since.Add(t.timeouts.limit(forFrame))
	return time.Now().After(by) && t.Grace(since, by) <= 0
}

// alarm ends a request for which no answer comes.
type alarm struct {
	mu    sync.Mutex
	timer *time.Timer
	since time.Time
	by    time.Time
	kind  waitKind
	most  time.Duration // that the request got in the end
}

// alarm calls ring when a request, whose answer is of a kind, has taken so long, or later on a busy machine.
func (d *deadline) alarm(kind waitKind, within time.Duration, ring func()) *alarm {
	a := &alarm{since: time.Now(), kind: kind, most: within}
	a.by = a.since.Add(within)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = time.AfterFunc(within, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		more := d.target.graceOf(a.kind, a.since, a.by)
		if more <= 0 {
			ring()
			return
		}
		d.extend(more)
		a.most = time.Since(a.since) + more
		a.timer.Reset(more)
	})
	return a
}

// hold restarts the time of the request with an extension.
func (a *alarm) hold(d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	within := a.by.Sub(a.since)
	a.since = time.Now().Add(d)
	a.by = a.since.Add(within)
	a.timer.Reset(within + d)
}

// given returns the time that the request has got.
func (a *alarm) given() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.most.Round(time.Millisecond)
}

func (a *alarm) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer.Stop()
}
