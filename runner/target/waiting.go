package target

import (
	"fmt"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

// waiting is one wait, or a series of waits for the same thing.
type waiting struct {
	kind      waitKind  // selects the time limit
	awaited   string    // for the message of a TimeoutError
	since, by time.Time // by only moves later
}

const (
	// slowestLine is the minimum rate of a connection, in bytes of a frame a second.
	slowestLine = 4 << 10
	// mostForLine limits the extension of a wait while a frame is arriving, in deadlines.
	mostForLine = 4
)

// by returns the deadline of a wait for the exchange, extended by the time that the received part of a frame takes on the
// slowest line: a frame of megabytes doesn't time out while it is arriving.
func (e *Exchange) by(w waiting, deadline time.Duration) time.Time {
	if w.kind != forFrame {
		return w.by
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return w.by.Add(min(time.Duration(e.coming)*time.Second/slowestLine, mostForLine*deadline))
}

func (s *Session) waitUntil(e *Exchange, w waiting, until func(record.Response) bool) (record.Response, error) {
	v := e.Now()
	if until(v) { // neither a timer nor a channel is needed
		return v, nil
	}
	by, headless := w.by, v.Status == 0 && w.kind != forHead // it waits for the head, too, for as long as heads take
	if head := w.since.Add(s.target.limit(forHead)); headless && head.Before(by) {
		w.by = head
	}
	timer := time.NewTimer(time.Until(w.by))
	defer timer.Stop()
	granted, most := time.Duration(0), w.by.Sub(w.since)
	for {
		v, changed := e.watch()
		if until(v) {
			return v, nil
		}
		if v.End == record.Broken && v.Status == 0 {
			return v, fmt.Errorf("no response came: %w", v.Err)
		}
		if v.End != record.Open {
			return v, nil
		}
		if headless && v.Status != 0 {
			headless, w.by, most, granted = false, by, by.Sub(w.since), e.waitedFor()
			timer.Reset(time.Until(by) + granted)
		}
		select {
		case <-changed:
		case <-timer.C:
			if onWait := e.waitedFor(); onWait > granted { // the server requested this delay
				timer.Reset(onWait - granted)
				granted = onWait
				continue
			}
			if more := max(s.behindRefused(w.since, w.by), s.target.graceOf(w.kind, w.since, e.by(w, s.target.timing.Deadline))); more > 0 {
				timer.Reset(more)
				s.extend(more)
				most = time.Since(w.since) + more
				continue
			}
			s.target.exhausted(w.kind)
			if headless {
				s.target.exhausted(forHead)
			}
			late := &TimeoutError{Awaited: w.awaited, After: most.Round(time.Millisecond)}
			if v.Status == 0 {
				late.OpenRequests = s.target.concurrentRequests()
			}
			return v, late
		case <-s.ctx.Done():
			return v, s.ended(w.awaited)
		}
	}
}
