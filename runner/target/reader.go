package target

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target/connection"
	"github.com/streamcert/streamcert/runner/wire"
)

// maxComments limits the comments of one response whose times are stored.
const maxComments = 1024

// Reader is one attached client with its connection.
type Reader struct {
	*Exchange
	dispatch
	session          *Session           // that attached it; its end disconnects the reader
	conns            *connection.Set    // empty where it reuses a connection
	cancel           context.CancelFunc // of the request
	gate             chan struct{}      // closed when the body may be read
	open             sync.Once          // of closing gate
	done             chan struct{}      // closed when nothing more is read; afterwards the exchange doesn't grow
	next             int                // index of the first frame that no step has taken yet, at most the number of frames
	disconnectAt     int64              // bytes of the body after which we close; 0 is never
	most             int                // events after which we do; 0 is never
	reusesConnection bool               // another request's connection is taken, and left to the next one
	replica          int                // where it is attached

	// While only comments come, by is the deadline of the current call of Next, and since its start; else by is zero.
	// Consecutive waits with the common deadline until began at from.
	by, since, until, from time.Time
}

func (s *Session) reader(e *Exchange, req *http.Request, cancel context.CancelFunc) *Reader {
	e.asks(req)
	return &Reader{
		Exchange: e, session: s, conns: &connection.Set{}, cancel: cancel, replica: int(s.replica.Load()),
		gate: make(chan struct{}), done: make(chan struct{}), dispatch: dispatch{sent: make(chan struct{})},
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
	http2 = http2 || r.session.target.overHTTP2
	tr := r.session.target.transportForReuse(http2)
	if !r.reusesConnection {
		tr = r.session.target.network.Transport(r.conns, http2, 0)
	}
	go r.run(tr, r.traced(req))
	return r
}

// attachedTo returns the replica where the reader is attached, counted from 0.
func (r *Reader) attachedTo() int { return r.replica }

// Resume lets a stalled reader read, as fast as any other.
func (r *Reader) Resume() {
	r.open.Do(func() {
		close(r.gate)
		r.conns.Widen()
	})
}

func (r *Reader) run(tr *http.Transport, req *http.Request) {
	defer close(r.done)
	defer r.wrote()
	defer r.conns.Abort()
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
		if r.Reused() && HungUp(err) { // the server may have closed the idle connection just before the request
			r.session.target.wary.Store(true)
		}
		r.session.broken(err)
		r.update(func(came *record.Response) { came.Err = err; r.over(record.Broken) })
		return
	}
	defer res.Body.Close()
	r.update(func(came *record.Response) {
		came.Status, came.Proto, came.Reused, came.Header = res.StatusCode, res.Proto, r.Reused(), r.session.target.storedHeaders(res.Header)
		if closesConnection(res) {
			came.Header = append(came.Header, record.Header{Name: "connection", Value: "close"})
		}
	})
	select {
	case <-r.gate: // a stalled reader takes the head only
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
		if came.End == record.Open { // the first end counts: a disconnect of the reader also breaks the body
			came.Err = err
			defer r.session.broken(err)
			if context.Cause(r.session.ctx) == ErrScenario { // the scenario's time ended, which isn't the server's fault
				came.Err = ErrScenario
			}
		}
		r.over(record.Broken)
	})
}

// cutting returns the body up to the requested disconnect. The connection is closed there, and the incomplete
// frame is dropped, as a client drops it.
func (r *Reader) cutting(body io.Reader) io.Reader {
	if r.disconnectAt <= 0 {
		return body
	}
	return &cutter{src: body, left: r.disconnectAt, disconnect: func() { r.update(func(*record.Response) { r.over(record.ClientClose) }) }}
}

// closesConnection reports whether the response announced that its connection will be
// closed; the library takes the header away. A body that only the end of the
// connection can end announces nothing.
func closesConnection(res *http.Response) bool {
	return res.Close && res.ProtoAtLeast(1, 1) && res.Header.Get("Connection") == "" && (res.ContentLength >= 0 || len(res.TransferEncoding) > 0)
}

func (r *Reader) frames(ctx context.Context, body io.Reader) error {
	weigh := func(bytes int64) error { return r.session.weigh(ctx, r.Exchange, bytes) }
	onWait := &weighed{
		Reader: body, weigh: weigh, enlarge: func() error { return r.session.enlarge(ctx, r.Exchange) }, shrink: func() { <-r.session.target.large },
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
			onWait.complete() // before the frame is weighed, which may wait for a turn
			if spent := r.session.keep(cost(f)); spent != nil {
				return spent
			}
			if err := weigh(r.session.stored()); err != nil {
				return err
			}
			r.update(func(came *record.Response) {
				if came.End == record.Open { // nothing comes after a disconnect
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

// Disconnect closes the reader's connection from our side, at once.
func (r *Reader) Disconnect() {
	r.update(func(*record.Response) { r.over(record.ClientClose) })
	r.cancel()
	r.conns.Abort()
	<-r.done
}
