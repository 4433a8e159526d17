package target

import (
	"context"
	"errors"
	"sync"
	"time"
)

// deadline is the end of a scenario's time. It moves by the time that the scenario waits for its turn.
type deadline struct {
	timeouts *adaptiveTimeout // of the target
	ctx      context.Context  // of the scenario
	total    time.Duration    // that a scenario may take
	silence  time.Duration    // the longest that the config declares, 0 for none

	mu    sync.Mutex  // guards all below
	timer *time.Timer // fires at until; stopped while time is lent
	began time.Time   // when the scenario began
	until time.Time   // it only moves forward
}

// ErrScenario ends a scenario in which something always came just in time.
var ErrScenario = errors.New("the scenario took too long")

// start begins the time of the scenario; end is called with ErrScenario when it is over.
func (d *deadline) start(end context.CancelCauseFunc) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.began = time.Now()
	d.until = d.began.Add(d.total)
	d.timer = time.AfterFunc(d.total, func() {
		if !d.goesOn() {
			end(ErrScenario)
		}
	})
}

// stop lets the time of the scenario run out without an end.
func (d *deadline) stop() { d.timer.Stop() }

// OutOfTime reports whether the time of the scenario is over. A missing response may then have been on its way.
func (d *deadline) OutOfTime() bool { return context.Cause(d.ctx) == ErrScenario }

// ended returns the error for a done context of the session.
func (d *deadline) ended(awaited string) error {
	if d.OutOfTime() {
		return &TimeoutError{Awaited: awaited, After: d.total}
	}
	return d.ctx.Err()
}

// Await waits until a channel is closed, or for the longest silence that the config declares, and returns for how long.
// The scenario gets that time back. The error explains why it ended meanwhile.
func (d *deadline) Await(over <-chan struct{}) (time.Duration, error) {
	waited := d.Lend(func() {
		var limit <-chan time.Time
		if most := d.silence; most > 0 {
			timer := time.NewTimer(most)
			defer timer.Stop()
			limit = timer.C
		}
		select {
		case <-over:
		case <-limit:
		case <-d.ctx.Done():
		}
	})
	return waited, d.ctx.Err()
}

// Lend runs work that has its time limit, such as one that uses other sessions. It extends the scenario's time by the
// duration of the work, and returns that.
func (d *deadline) Lend(work func()) time.Duration {
	d.mu.Lock()
	running := d.timer.Stop()
	d.mu.Unlock()
	began := time.Now()
	work()
	took := time.Since(began)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.until = d.until.Add(took); running {
		d.timer.Reset(time.Until(d.until))
	}
	return took
}

// goesOn gives a scenario whose time is over some more, if this machine is busy, and reports whether it did.
func (d *deadline) goesOn() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	more := d.timeouts.Grace(d.began, d.until)
	if more > 0 {
		d.timer.Reset(more)
	}
	return more > 0
}

// extend gives the scenario back the time that it spent waiting for its turn.
func (d *deadline) extend(by time.Duration) {
	if by < time.Millisecond {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer.Stop() {
		d.until = d.until.Add(by)
		d.timer.Reset(time.Until(d.until))
	}
}
