package target

import (
	"slices"
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// Head waits for the response head and returns the response with it.
func (r *Reader) Head() (record.Response, error) {
	return r.wait(forHead, "the response head", func(v record.Response) bool { return v.Status != 0 })
}

// Next waits for the next frame that no call has returned yet. It returns nil and no error if the body ended. by bounds the
// wait: a caller that skips frames passes the same time again, or a server that keeps sending would never time out. A
// comment doesn't extend the wait.
func (r *Reader) Next(awaited string, by time.Time) (*wire.Frame, error) {
	if r.by.IsZero() {
		r.by, r.since = by, time.Now()
		if !by.Equal(r.until) {
			r.until, r.from = by, r.since
		}
	} else if by.Before(r.by) {
		r.by = by
	}
	w := waiting{kind: forFrame, awaited: awaited, since: r.from, by: r.by}
	v, err := r.session.waitUntil(r.Exchange, w, func(v record.Response) bool { return len(v.Frames) > r.next || v.End != record.Open })
	if err != nil || len(v.Frames) <= r.next {
		r.by = time.Time{}
		return nil, err
	}
	r.next++
	f := v.Frames[r.next-1]
	if f.DataLines > 0 {
		r.session.target.succeeded(forFrame, time.Since(r.since))
		r.by = time.Time{}
	}
	return f, nil
}

// Unread makes Next return the frame again that it returned last.
func (r *Reader) Unread() {
	r.next--
	r.by = time.Time{}
}

// Taken returns the number of frames that Next has returned.
func (r *Reader) Taken() int { return r.next }

// Wait waits until the view satisfies a condition or the deadline has passed.
func (r *Reader) Wait(awaited string, until func(record.Response) bool) (record.Response, error) {
	return r.wait(forFrame, awaited, until)
}

func (r *Reader) wait(kind waitKind, awaited string, until func(record.Response) bool) (record.Response, error) {
	now := time.Now()
	w := waiting{kind: kind, awaited: awaited, since: now, by: now.Add(r.session.target.limit(kind))}
	v, err := r.session.waitUntil(r.Exchange, w, until)
	if err == nil && until(v) {
		r.session.target.succeeded(kind, time.Since(now))
	}
	return v, err
}

// Ended waits for the end of the body.
func (r *Reader) Ended() (record.Response, error) {
	return r.wait(forEnd, "the end of the response", func(v record.Response) bool { return v.End != record.Open })
}

// Silent watches for d and reports whether the response stayed open meanwhile.
func (r *Reader) Silent(d time.Duration) (record.Response, bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		v, changed := r.watch()
		if v.End != record.Open {
			return v, false
		}
		select {
		case <-changed:
		case <-timer.C:
			return v, true
		case <-r.session.ctx.Done():
			return v, true
		}
	}
}

// Silence reports whether nothing comes within d: neither an event nor the end of the response.
func (r *Reader) Silence(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		v, changed := r.watch()
		if len(v.Frames) > 0 || v.End != record.Open {
			return false
		}
		select {
		case <-changed:
		case <-timer.C:
			return true
		case <-r.session.ctx.Done():
			return true
		}
	}
}

// EndedWithin waits up to d for the end of the body and reports whether it came.
// It doesn't count among the waits that bound others: the server sets d.
func (r *Reader) EndedWithin(d time.Duration) (record.Response, bool) {
	v, open := r.Silent(d)
	return v, !open
}

// Comment reports whether a comment comes within d, or came before.
func (r *Reader) Comment(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		v, changed := r.watch()
		if len(v.Comments) > 0 || v.End != record.Open {
			return len(v.Comments) > 0
		}
		select {
		case <-changed:
		case <-timer.C:
			return false
		case <-r.session.ctx.Done():
			return false
		}
	}
}

// CommentsWithin waits up to d for n comments and returns how many came.
func (r *Reader) CommentsWithin(n int, d time.Duration) int {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		v, changed := r.watch()
		if len(v.Comments) >= n || v.End != record.Open {
			return len(v.Comments)
		}
		select {
		case <-changed:
		case <-timer.C:
			return len(v.Comments)
		case <-r.session.ctx.Done():
			return len(v.Comments)
		}
	}
}

// ForgetTaken removes the frames that Next has returned from the reader's record, except the last few: a response may be
// longer than the memory for it.
func (r *Reader) ForgetTaken() {
	const few = 4
	n := r.next - few
	if n <= 0 {
		return
	}
	r.next = few
	r.update(func(came *record.Response) {
		r.session.credit(came.Frames[:n])
		came.Frames = slices.Clone(came.Frames[n:])
	})
}

// DropAfter removes the frames after the first n from the exchange, and the end of the body if the server ended it, so that
// the exchange contains only the frames that the client took. The times of comments stay. Call it after Disconnect, which returns
// when nothing more can arrive.
func (r *Reader) DropAfter(n int) {
	r.update(func(came *record.Response) {
		if len(came.Frames) > n {
			came.Frames, came.End = came.Frames[:n], record.ClientClose
		}
	})
}
