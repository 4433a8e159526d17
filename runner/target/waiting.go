package target

import (
	"fmt"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

// waiting is one wait, or a series of waits for the same thing.
type waiting struct {
	kind      waitKind
	awaited   string
	since, by time.Time
}

func (e *Exchange) waitUntil(s *Session, w waiting, until func(record.Response) bool) (record.Response, error) {
	if v := e.Now(); until(v) { // neither a timer nor a channel is needed
		return v, nil
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
		select {
		case <-changed:
		case <-timer.C:
			if held := e.heldFor(); held > granted { // the server asked for this time
				timer.Reset(held - granted)
				granted = held
				continue
			}
			if more := s.target.Grace(w.since, w.by); more > 0 {
				timer.Reset(more)
				s.extend(more)
				most = time.Since(w.since) + more
				continue
			}
			s.target.patience.exhausted(w.kind)
			if v.Status == 0 && w.kind != forHead { // it waited for the head, too
				s.target.patience.exhausted(forHead)
			}
			return v, &TimeoutError{w.awaited, most.Round(time.Millisecond)}
		case <-s.ctx.Done():
			return v, s.ended(w.awaited)
		}
	}
}
