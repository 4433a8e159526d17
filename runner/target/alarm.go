package target

import (
	"sync"
	"time"
)

// alarm ends a request for which no answer comes.
type alarm struct {
	mu    sync.Mutex    // guards all below but kind
	timer *time.Timer   // ends the request when it fires
	since time.Time     // when the request began
	by    time.Time     // end of the time limit, beyond which only a busy machine gets more
	kind  waitKind      // of the wait for the head
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
		more := d.timeouts.graceOf(a.kind, a.since, a.by)
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
