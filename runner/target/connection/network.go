package connection

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/runner/httpclient"
)

// Network makes the connections of a run. It is safe for concurrent use; its exported fields don't change.
type Network struct {
	Deadline time.Duration // of connecting, and of a TLS handshake
	TLS      *tls.Config   // of https; nil is the system's
	Secure   bool          // the server is reached by https

	refused atomic.Int64 // when a connection was refused last, in nanoseconds of Unix time; 0 is never
	killed  atomic.Int64 // programs that the suite has killed and not yet started again; never negative
}

// Killed counts programs of the server that the suite has killed. It is called with a negative number once so many were
// started again.
func (n *Network) Killed(programs int) { n.killed.Add(int64(programs)) }

// Kills reports whether a program of the server is dead because the suite has killed it.
func (n *Network) Kills() bool { return n.killed.Load() > 0 }

// redials are the pauses before a connection that was refused is tried again: a server whose backlog is full refuses some.
var redials = []time.Duration{20 * time.Millisecond, 60 * time.Millisecond, 120 * time.Millisecond}

// dial connects. It retries a refused connection, unless the suite has killed the server.
func (n *Network) dial(ctx context.Context, d *net.Dialer, network, address string) (net.Conn, error) {
	for _, pause := range redials {
		conn, err := connected(ctx, d, network, address)
		var slow net.Error
		if err == nil || errors.As(err, &slow) && slow.Timeout() || errors.As(err, new(*net.DNSError)) || ctx.Err() != nil || n.Kills() {
			return conn, err
		}
		n.refused.Store(time.Now().UnixNano())
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

// Refused returns the time at which a connection was refused last, even if a later one succeeded; zero if none was.
func (n *Network) Refused() time.Time {
	if at := n.refused.Load(); at > 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// longestIdle limits the time that an unused connection for unary calls stays open.
const longestIdle = 100 * time.Millisecond

// Transport returns a transport for requests over HTTP/1.1, or over HTTP/2, which keeps at most so many idle connections. Its
// connections enter c; nil enters them nowhere.
func (n *Network) Transport(c *Set, h2 bool, idle int) *http.Transport {
	dialer := &net.Dialer{Timeout: n.Deadline}
	protocols := new(http.Protocols)
	switch {
	case !h2:
		protocols.SetHTTP1(true)
	case n.Secure:
		protocols.SetHTTP2(true)
	default:
		protocols.SetUnencryptedHTTP2(true)
	}
	return httpclient.Transport(httpclient.Connections{
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if c == nil {
				return n.dial(ctx, dialer, network, addr)
			}
			conn, err := n.dial(ctx, c.dialer(dialer), network, addr)
			if err != nil {
				return conn, err
			}
			c.add(conn)
			return &early{Conn: conn}, nil
		},
		TLS: n.TLS.Clone(), Handshake: n.Deadline, MaxIdle: idle, Protocols: protocols,
		// A server may close an idle connection, and a request that is sent at that moment is lost without a refusal.
		Idle: longestIdle,
	})
}

// Reach connects once to the address of a base URL. A URL that can't be read is no error here: each request fails in the
// same way.
func (n *Network) Reach(ctx context.Context, base string) error {
	u, err := url.Parse(base)
	if err != nil {
		return nil
	}
	port := u.Port()
	if port == "" {
		port = u.Scheme // which names one
	}
	conn, err := n.dial(ctx, &net.Dialer{Timeout: n.Deadline}, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return err
	}
	return conn.Close()
}
