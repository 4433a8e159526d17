package target

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/wire"
)

const (
	maxComments   = 1024 // whose times are kept of one response
	frameOverhead = 512  // what a frame costs beside its bytes, about
)

// ReadRequest says how a reader attaches.
type ReadRequest struct {
	Stream  string
	Heading string
	Hidden  bool
	Origin  Origin
	// Cursor is sent in the Last-Event-ID header, Query in the query string.
	// nil: not sent.
	Cursor *string
	Query  map[string]string
	// Headers are added to the request; LeaveOut are configured ones that are
	// not sent, in lower case.
	Headers  map[string]string
	LeaveOut []string
	// Gzip asks for compression, as browsers do, and undoes it as it arrives.
	Gzip bool
	// HTTP2 sends this request over HTTP/2 whatever the session uses.
	HTTP2 bool
	// Stalled attaches without reading the body until Resume is called.
	Stalled bool
	// CutAfter closes the connection from our side once that many bytes of the
	// body were read; 0 means never.
	CutAfter int64
}

// Reader is one attached client on a connection of its own.
type Reader struct {
	*Exchange
	session *Session
	conns   *conns
	cancel  context.CancelFunc
	gate    chan struct{} // closed when the body may be read
	open    sync.Once
	done    chan struct{}
	sent    chan struct{} // closed when the request was sent
	once    sync.Once
	next    int   // index of the first frame that no step has taken yet
	cutAt   int64 // bytes of the body after which we close; 0 is never
}

// Attach begins to read a stream. It returns at once; the answer is waited for
// by Head and Next. It fails only on a request that can't be made.
func (s *Session) Attach(r ReadRequest) (*Reader, error) {
	e := newExchange(Read)
	e.Heading, e.Hidden, e.Origin, e.Stream = r.Heading, r.Hidden, r.Origin, r.Stream
	ctx, cancel := context.WithCancel(s.ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.target.base+s.target.path(s.target.cfg.Routes.Read, r.Stream), nil)
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
	req.Header.Set("Accept-Encoding", map[bool]string{true: "gzip", false: "identity"}[r.Gzip])
	for k, v := range r.Headers {
		req.Header.Set(k, v)
	}
	leave := map[string]bool{}
	for _, name := range r.LeaveOut {
		leave[name] = true
	}
	s.target.sign(req, leave)
	s.mu.Lock()
	e.Removed = s.removed[r.Stream]
	s.mu.Unlock()
	rd := s.reader(e, req, cancel)
	rd.cutAt = r.CutAfter
	return rd.start(req, r.HTTP2, r.Stalled), nil
}

// follow sends a request whose answer is a stream, on a connection of its own.
func (s *Session) follow(e *Exchange, req *http.Request, cancel context.CancelFunc, http2, stalled bool) *Reader {
	return s.reader(e, req, cancel).start(req, http2, stalled)
}

func (s *Session) reader(e *Exchange, req *http.Request, cancel context.CancelFunc) *Reader {
	e.Method, e.Path, e.Request = req.Method, req.URL.RequestURI(), sortedHeaders(req.Header)
	return &Reader{
		Exchange: e, session: s, conns: &conns{}, cancel: cancel,
		gate: make(chan struct{}), done: make(chan struct{}), sent: make(chan struct{}),
	}
}

func (r *Reader) start(req *http.Request, http2, stalled bool) *Reader {
	if !stalled {
		r.Resume()
	}
	r.session.add(r.Exchange)
	r.session.addReader(r)
	tr := r.session.target.transport(r.conns, http2 || r.session.target.opt.HTTP2, 0)
	go r.run(tr, r.traced(req))
	return r
}

// Resume lets a stalled reader read.
func (r *Reader) Resume() { r.open.Do(func() { close(r.gate) }) }

func (r *Reader) run(tr *http.Transport, req *http.Request) {
	defer close(r.done)
	defer r.wrote()
	defer r.conns.abort()
	defer tr.CloseIdleConnections()
	res, err := tr.RoundTrip(req)
	if err != nil {
		r.update(func() { r.err = err; r.setEnd(Broken) })
		return
	}
	defer res.Body.Close()
	r.update(func() {
		r.status, r.proto, r.response = res.StatusCode, res.Proto, sortedHeaders(res.Header)
		if saysClose(res) {
			r.response = append(r.response, Header{"connection", "close"})
		}
	})
	select {
	case <-r.gate:
	case <-req.Context().Done():
		r.update(func() { r.setEnd(ClientClose) })
		return
	}
	body, err := decompressed(res)
	if err == nil {
		if r.Now().IsEventStream() || res.StatusCode == http.StatusOK {
			err = r.frames(r.cutting(body))
		} else {
			var answer []byte
			answer, err = r.session.answer(body)
			r.update(func() { r.answer = answer })
		}
	}
	r.update(func() {
		if errors.Is(err, io.EOF) || err == nil {
			r.setEnd(ServerClose)
			return
		}
		if r.end == Open {
			r.err = err
			if context.Cause(r.session.ctx) == errScenario {
				r.err = errScenario
			}
		}
		r.setEnd(Broken)
	})
}

// saysClose reports whether the response announced that its connection will be
// closed; the library takes the header away. A body that only the end of the
// connection can end announces nothing.
func saysClose(res *http.Response) bool {
	return res.Close && res.ProtoAtLeast(1, 1) && res.Header.Get("Connection") == "" && (res.ContentLength >= 0 || len(res.TransferEncoding) > 0)
}

// setEnd keeps the first end: when we cut, the error that follows is ours.
func (e *Exchange) setEnd(end End) {
	if e.end == Open {
		e.end, e.over = end, time.Now()
	}
}

// decompressed undoes a gzip encoding as the bytes arrive. Nothing is read from
// the body here, so that a silent stream has a head.
func decompressed(res *http.Response) (io.Reader, error) {
	if !strings.EqualFold(res.Header.Get("Content-Encoding"), "gzip") {
		return res.Body, nil
	}
	return &lazyGzip{src: res.Body}, nil
}

type lazyGzip struct {
	src io.Reader
	z   *gzip.Reader
}

func (l *lazyGzip) Read(p []byte) (int, error) {
	if l.z == nil {
		z, err := gzip.NewReader(l.src)
		if err != nil {
			return 0, err
		}
		l.z = z
	}
	return l.z.Read(p)
}

func (r *Reader) frames(body io.Reader) error {
	sse := wire.NewReader(body, wire.Options{
		MaxFrame: r.session.target.cfg.Limits.Frame,
		OnComment: func(_ string, at time.Time) {
			r.update(func() {
				if len(r.comments) < maxComments {
					r.comments = append(r.comments, at)
				}
			})
		},
	})
	for {
		f, err := sse.Next()
		if f != nil {
			if spent := r.session.keep(cost(f)); spent != nil {
				return spent
			}
			r.update(func() {
				if r.end == Open {
					r.Exchange.frames = append(r.Exchange.frames, f)
				}
			})
		}
		if err != nil {
			return err
		}
	}
}

// cost is what keeping a frame takes, in bytes.
func cost(f *wire.Frame) int {
	n := frameOverhead + len(f.Raw) + 32*(len(f.Comments)+len(f.Unknown))
	if f.DataLines > 1 {
		n += len(f.Data) // else they share their memory
	}
	return n
}

// Head waits for the response head and returns the view that holds it.
func (r *Reader) Head() (View, error) {
	return r.wait("the response head", func(v View) bool { return v.Status != 0 })
}

// Next waits for the next frame that no call has taken yet. It returns nil and
// no error when the body ended instead. by bounds the wait: who passes over
// frames that are not the awaited one, comments for instance, gives the same time
// again, or a server that keeps sending would never be late.
func (r *Reader) Next(awaited string, by time.Time) (*wire.Frame, error) {
	v, err := r.waitUntil(r.session, awaited, by, func(v View) bool { return len(v.Frames) > r.next || v.End != Open })
	if err != nil || len(v.Frames) <= r.next {
		return nil, err
	}
	r.next++
	return v.Frames[r.next-1], nil
}

// Unread puts the frame that Next returned last back.
func (r *Reader) Unread() { r.next-- }

// Taken is the number of frames that Next has returned.
func (r *Reader) Taken() int { return r.next }

// Wait waits until the view satisfies a condition or the deadline has passed.
func (r *Reader) Wait(awaited string, until func(View) bool) (View, error) {
	return r.wait(awaited, until)
}

func (e *Exchange) wait(s *Session, awaited string, until func(View) bool) (View, error) {
	return e.waitUntil(s, awaited, s.target.By(), until)
}

func (e *Exchange) waitUntil(s *Session, awaited string, by time.Time, until func(View) bool) (View, error) {
	began := time.Now()
	timer := time.NewTimer(time.Until(by))
	defer timer.Stop()
	for {
		v, changed := e.watch()
		if until(v) {
			s.waited(time.Since(began))
			return v, nil
		}
		if v.End == Broken && v.Status == 0 {
			return v, fmt.Errorf("no response came: %w", v.Err)
		}
		if v.End != Open {
			return v, nil
		}
		select {
		case <-changed:
		case <-timer.C:
			return v, &TimeoutError{awaited, s.target.timing.Deadline}
		case <-s.ctx.Done():
			return v, s.ended(awaited)
		}
	}
}

func (r *Reader) wait(awaited string, until func(View) bool) (View, error) {
	return r.Exchange.wait(r.session, awaited, until)
}

// Ended waits for the end of the body.
func (r *Reader) Ended() (View, error) {
	return r.wait("the end of the response", func(v View) bool { return v.End != Open })
}

// Silent watches for d and reports whether the response stayed open meanwhile.
func (r *Reader) Silent(d time.Duration) (View, bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		v, changed := r.watch()
		if v.End != Open {
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
		if len(v.Comments) > 0 || v.End != Open {
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

// Cut closes the reader's connection from our side, at once.
func (r *Reader) Cut() {
	r.update(func() { r.setEnd(ClientClose) })
	r.cancel()
	r.conns.abort()
	<-r.done
}

// DropAfter forgets what came after the first n frames and b bytes of the one
// that follows: what a client has that was cut there. The reader must have been
// cut before.
func (r *Reader) DropAfter(n int) {
	r.update(func() {
		if len(r.Exchange.frames) > n {
			r.Exchange.frames = r.Exchange.frames[:n]
		}
	})
}
