package runtime

import (
	"context"
	"slices"
)

// waiter is a goroutine of an executor that can't go on by itself.
type waiter struct {
	ctx     context.Context // ends the wait
	barrier string          // it waits at this barrier
	pending *pending        // it waits for the answer to this call
	paused  bool            // it waits because the run is paused
	ready   chan struct{}   // closed when it may go on
}

// Wait implements Waiter.
func (x *executor) Wait(ctx context.Context, barrier string) error {
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	if x.s.released[barrier] {
		return context.Cause(ctx)
	}
	return x.block(&waiter{ctx: ctx, barrier: barrier})
}

// block waits until the waiter is woken or its context is done. It unlocks the session while it waits.
func (x *executor) block(w *waiter) error {
	w.ready = make(chan struct{})
	x.waiters = append(x.waiters, w)
	x.idle()
	x.s.mu.Unlock()
	var err error
	select {
	case <-w.ready:
	case <-w.ctx.Done():
		err = context.Cause(w.ctx)
	}
	x.s.mu.Lock()
	if i := slices.Index(x.waiters, w); i >= 0 { // not woken
		x.waiters = slices.Delete(x.waiters, i, i+1)
		x.busy++
	}
	return err
}

// wake wakes waiters. They count as busy at once, so that the run doesn't count as settled meanwhile.
func (x *executor) wake(which func(*waiter) bool) {
	x.waiters = slices.DeleteFunc(x.waiters, func(w *waiter) bool {
		if !which(w) {
			return false
		}
		x.busy++
		close(w.ready)
		return true
	})
}

// idle counts a goroutine as one that can't go on. The last one pauses the run if a call waits for an answer.
func (x *executor) idle() {
	x.busy--
	if !x.resting() || x.s.executor != x {
		return
	}
	if len(x.pending) > 0 && !x.paused {
		x.pause()
	}
	x.s.notify()
}

// resting reports whether nothing will happen until a call comes or a timer fires.
func (x *executor) resting() bool {
	return x.busy == 0 && !slices.ContainsFunc(x.waiters, func(w *waiter) bool { return w.ctx.Err() != nil })
}
