package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

const (
	maxComments   = 1024 // whose times are stored for one response
	frameOverhead = 512  // approximate memory for a frame in addition to its bytes
)

// Reader is one attached client with its connection.
type Reader struct {
	*Exchange
	session          *Session
	conns            *conns
	cancel           context.CancelFunc
	gate             chan struct{} // closed when the body may be read
	open             sync.Once
	done             chan struct{}
	sent             chan struct{} // closed when the request was sent
	once             sync.Once
	next             int   // index of the first frame that no step has taken yet
	disconnectAt     int64 // bytes of the body after which we close; 0 is never
	most             int   // events after which we do; 0 is never
	reusesConnection bool  // another request's connection is taken, and left to the next one
	reused           atomic.Bool
	replica          int // where it is attached

	// While only comments come, by is the deadline of the current call of Next, and since its start; else by is zero.
	// Consecutive waits with the common deadline until began at from.
	by, since, until, from time.Time
}

// Attach begins to read a stream. It returns once the request may be sent; the
// answer is waited for by Head and Next. It fails only on a request that can't be made.
func (s *Session) Attach(r ReadRequest) (*Reader, error) {
	e := s.newExchange(record.Read)
	e.Heading, e.Hidden, e.Origin, e.Stream, e.Until = r.Heading, r.Hidden, r.Origin, r.Stream, r.Until
	ctx, cancel := context.WithCancel(s.ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base()+s.target.ofStream(r.Route, r.Stream), nil)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("making the request that reads stream %q: %w", r.Stream, err)
	}
	q := make(url.Values)
	for k, v := range r.Query {
		q.Set(k, v)
	}
	// Spaces as %20: form encoding's + is read as a plus sign by some servers.
	req.URL.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Cache-Control", "no-cache")
	if r.Cursor != nil {
		req.Header.Set("Last-Event-ID", *r.Cursor)
	}
	req.Header.Set("Accept-Encoding", encoding(r.Gzip))
	for k, v := range r.Headers {
		req.Header.Set(k, v)
	}
	leave := map[string]bool{}
	for _, name := range r.LeaveOut {
		leave[name] = true
	}
	s.target.sign(req, leave)
	e.Removed, e.State = s.known(r.Stream)
	rd := s.reader(e, req, cancel)
	rd.disconnectAt, rd.most, rd.conns.buffer = r.DisconnectAfter, r.Events, r.Buffer
	rd.reusesConnection = r.ReuseConnection && r.Buffer == 0 && !r.Stalled && !s.target.opt.HTTP2 && !s.target.wary.Load()
	return rd.start(req, r.HTTP2, r.Stalled), nil
}

// follow sends a request for a stream, over a new connection unless the request states otherwise.
func (s *Session) follow(e *Exchange, req *http.Request, cancel context.CancelFunc, r StreamRequest) *Reader {
	rd := s.reader(e, req, cancel)
	rd.conns.buffer = r.Buffer
	rd.reusesConnection = r.ReuseConnection && !r.Stalled && r.Buffer == 0 && !s.target.wary.Load()
	return rd.start(req, r.HTTP2, r.Stalled)
}

func (s *Session) reader(e *Exchange, req *http.Request, cancel context.CancelFunc) *Reader {
	e.asks(req)
	return &Reader{
		Exchange: e, session: s, conns: &conns{}, cancel: cancel, replica: int(s.replica.Load()),
		gate: make(chan struct{}), done: make(chan struct{}), sent: make(chan struct{}),
	}
}

func (r *Reader) start(req *http.Request, http2, stalled bool) *Reader {
	if !stalled {
		r.open.Do(func() { close(r.gate) })
	}
	waited, err := r.session.target.admit(req.Context())
	r.session.extend(waited)
	r.session.add(r.Exchange)
	r.session.addReader(r)
	if err != nil {
		r.update(func(came *record.Response) { came.Err = err; r.over(record.Broken) })
		r.wrote()
		close(r.done)
		return r
	}
	http2 = http2 || r.session.target.opt.HTTP2
	tr := r.session.target.transportForReuse(http2)
	if !r.reusesConnection {
		tr = r.session.target.transport(r.conns, http2, 0)
	}
	go r.run(tr, r.traced(req))
	return r
}

// Resume lets a stalled reader read, as fast as any other.
func (r *Reader) Resume() {
	r.open.Do(func() {
		close(r.gate)
		r.conns.widen()
	})
}

func (r *Reader) run(tr *http.Transport, req *http.Request) {
	defer close(r.done)
	defer r.wrote()
	defer r.conns.abort()
	if !r.reusesConnection {
		defer tr.CloseIdleConnections()
	}
	r.session.target.open.Add(1)
	defer r.session.target.open.Add(-1)
	res, err := tr.RoundTrip(req)
	if err == nil {
		onWait := func(d time.Duration) { r.update(func(*record.Response) { r.waited += d }) }
		res, err = r.session.again(r.Exchange, res, req, onWait, tr.RoundTrip)
	}
	if err != nil {
		if r.Reused() && HungUp(err) {
			r.session.target.wary.Store(true)
		}
		r.session.broken(err)
		r.update(func(came *record.Response) { came.Err = err; r.over(record.Broken) })
		return
	}
	defer res.Body.Close()
	r.update(func(came *record.Response) {
		came.Status, came.Proto, came.Header = res.StatusCode, res.Proto, r.session.target.storedHeaders(res.Header)
		if closesConnection(res) {
			came.Header = append(came.Header, record.Header{Name: "connection", Value: "close"})
		}
	})
	select {
	case <-r.gate:
	case <-req.Context().Done():
		r.update(func(*record.Response) { r.over(record.ClientClose) })
		return
	}
	body, err := decompressed(res)
	if err == nil {
		if r.Now().IsEventStream() || res.StatusCode == http.StatusOK {
			err = r.frames(req.Context(), r.cutting(body))
		} else {
			var answer []byte
			answer, err = r.session.answer(body)
			r.update(func(came *record.Response) { came.Answer = answer })
		}
	}
	r.update(func(came *record.Response) {
		if errors.Is(err, io.EOF) || err == nil {
			r.over(record.ServerClose)
			return
		}
		if came.End == record.Open {
			came.Err = err
			defer r.session.broken(err)
			if context.Cause(r.session.ctx) == ErrScenario {
				came.Err = ErrScenario
			}
		}
		r.over(record.Broken)
	})
}

// closesConnection reports whether the response announced that its connection will be
// closed; the library takes the header away. A body that only the end of the
// connection can end announces nothing.
func closesConnection(res *http.Response) bool {
	return res.Close && res.ProtoAtLeast(1, 1) && res.Header.Get("Connection") == "" && (res.ContentLength >= 0 || len(res.TransferEncoding) > 0)
}

func (r *Reader) frames(ctx context.Context, body io.Reader) error {
	weigh := func(bytes int64) error { return r.weigh(ctx, bytes) }
	onWait := &weighed{
		Reader: body, weigh: weigh, enlarge: func() error { return r.enlarge(ctx) }, shrink: func() { <-r.session.target.large },
	}
	defer onWait.complete()
	var sse *wire.Reader
	onWait.waits = func() { r.comes(sse.Coming()) }
	sse = wire.NewReader(onWait, wire.Options{
		MaxFrame: r.session.target.cfg.Limits.Frame,
		OnComment: func(_ string, at time.Time) {
			r.update(func(came *record.Response) {
				if len(came.Comments) < maxComments {
					came.Comments = append(came.Comments, at)
				}
			})
		},
	})
	for {
		f, err := sse.Next()
		if f != nil {
			onWait.complete()
			if spent := r.session.keep(cost(f)); spent != nil {
				return spent
			}
			if err := weigh(r.session.stored()); err != nil {
				return err
			}
			r.update(func(came *record.Response) {
				if came.End == record.Open {
					came.Frames = append(came.Frames, f)
				}
			})
			if r.most > 0 && f.Dispatched() {
				if r.most--; r.most == 0 {
					r.update(func(*record.Response) { r.over(record.ClientClose) })
					return ErrDisconnected
				}
			}
		}
		if err != nil {
			return err
		}
	}
}

// cost returns the approximate memory that storing a frame takes, in bytes.
func cost(f *wire.Frame) int {
	n := frameOverhead + len(f.Raw) + 32*(len(f.Comments)+len(f.Unknown))
	if f.DataLines > 1 {
		n += len(f.Data) // otherwise Data is part of Raw
	}
	return n
}

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
	v, err := r.waitUntil(r.session, w, func(v record.Response) bool { return len(v.Frames) > r.next || v.End != record.Open })
	if err != nil || len(v.Frames) <= r.next {
		r.by = time.Time{}
		return nil, err
	}
	r.next++
	f := v.Frames[r.next-1]
	if f.DataLines > 0 {
		r.session.target.timeouts.succeeded(forFrame, time.Since(r.since))
		r.by = time.Time{}
	}
	return f, nil
}

// Unread puts the frame that Next returned last back.
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
	w := waiting{kind: kind, awaited: awaited, since: now, by: now.Add(r.session.target.timeouts.limit(kind))}
	v, err := r.waitUntil(r.session, w, until)
	if err == nil && until(v) {
		r.session.target.timeouts.succeeded(kind, time.Since(now))
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

// Disconnect closes the reader's connection from our side, at once.
func (r *Reader) Disconnect() {
	r.update(func(*record.Response) { r.over(record.ClientClose) })
	r.cancel()
	r.conns.abort()
	<-r.done
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
