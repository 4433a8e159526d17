package target

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/streamcert/streamcert/runner/httpclient"
)

// redials are the pauses before a connection that was refused is tried again: a server whose backlog is full refuses some.
var redials = []time.Duration{20 * time.Millisecond, 60 * time.Millisecond, 120 * time.Millisecond}

// dial connects. It retries a refused connection, unless the suite has killed the server.
func (t *Target) dial(ctx context.Context, d *net.Dialer, network, address string) (net.Conn, error) {
	for _, pause := range redials {
		conn, err := connected(ctx, d, network, address)
		var slow net.Error
		if err == nil || errors.As(err, &slow) && slow.Timeout() || errors.As(err, new(*net.DNSError)) || ctx.Err() != nil || t.killed.Load() > 0 {
			return conn, err
		}
		t.refused.Store(time.Now().UnixNano())
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, err
		}
	}
	return connected(ctx, d, network, address)
}

// connected dials once. A local port without a listener may be assigned to the dialing socket, which then connects to
// itself; that counts as a refused connection.
func connected(ctx context.Context, d *net.Dialer, network, address string) (net.Conn, error) {
	conn, err := d.DialContext(ctx, network, address)
	if err == nil && conn.LocalAddr().String() == conn.RemoteAddr().String() {
		_ = conn.Close()
		return nil, &net.OpError{Op: "dial", Net: network, Addr: conn.RemoteAddr(), Err: errors.New("nothing listens there")}
	}
	return conn, err
}

// Refused is when a connection was refused last, even if it came about later; the zero time if none was.
func (t *Target) Refused() time.Time {
	if at := t.refused.Load(); at > 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// whenBroken is the context key of a callback for broken connections of a session.
type whenBroken struct{}

// WhenBroken returns a context in which sessions call f each time that the server breaks a connection off, or, with unreached,
// takes none. The call may come from several goroutines, and with a delay: f has to call [Target.Reach] to see whether it is still so.
func WhenBroken(ctx context.Context, f func(unreached bool)) context.Context {
	return context.WithValue(ctx, whenBroken{}, f)
}

// broken reports the error of a request to the callback of [WhenBroken].
func (s *Session) broken(err error) {
	f, asked := s.ctx.Value(whenBroken{}).(func(bool))
	if asked && s.ctx.Err() == nil && s.target.killed.Load() == 0 && !s.killed.Load() && (Unreached(err) || HungUp(err)) {
		f(Unreached(err))
	}
}

// Reach connects to each address of the target, and returns nil if each takes the connection. With answers it asks each for
// anything, too, and one that closes every connection without an answer counts as one that takes none. The error names the
// address. Of a server that the suite has killed it returns nil.
func (t *Target) Reach(ctx context.Context, answers bool) error {
	for _, r := range t.replicas {
		err := t.connect(ctx, r.base)
		if err == nil && answers {
			err = t.answers(ctx, r.base)
		}
		if err != nil && ctx.Err() == nil && t.killed.Load() == 0 {
			return fmt.Errorf("%s: %w", t.Redact(r.base), err)
		}
	}
	return nil
}

func (t *Target) connect(ctx context.Context, base string) error {
	u, err := url.Parse(base)
	if err != nil {
		return nil // every request fails in the same way
	}
	port := u.Port()
	if port == "" {
		port = u.Scheme // which names one
	}
	conn, err := t.dial(ctx, &net.Dialer{Timeout: t.timing.Deadline}, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return err
	}
	return conn.Close()
}

// longestAnswer bounds one question whether a server answers. One that takes longer is slow.
const longestAnswer = time.Second

// hangUps is the number of consecutive connections closed without an answer after which a server counts as gone.
const hangUps = 3

func (t *Target) answers(ctx context.Context, base string) error {
	var last error
	for range hangUps {
		c := &conns{}
		client := httpclient.New(t.transport(c, t.opt.HTTP2, 0), httpclient.Options{Within: min(longestAnswer, t.timing.Deadline)})
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/", nil)
		if err != nil {
			return nil // every request fails in the same way
		}
		t.sign(req, nil)
		res, err := client.Do(req)
		if err == nil {
			_ = res.Body.Close()
		}
		c.abort()
		if err == nil || !HungUp(err) {
			return nil
		}
		last = err
	}
	return fmt.Errorf("it closes every connection without an answer: %w", below(last))
}

// below returns the error that net/http wrapped, without its description of the request.
func below(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
