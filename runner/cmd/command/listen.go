package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/streamcert/streamcert/runner/httpserver"
)

const (
	// idle is longer than clients keep connections, so that no request meets one
	// that is just being closed.
	idle = 3 * time.Minute
	// mostBodies limits the memory for incomplete bodies, in bytes.
	mostBodies = 256 << 20
)

// served is a handler on a socket.
type served struct {
	URL     string       // without a slash at its end
	address net.Addr     // where it listens, with the port that it got
	http    *http.Server // closed by the caller
	done    chan error   // receives the error that ended the server
}

// listen serves a handler over HTTP/1.1 and, to clients with prior knowledge, HTTP/2. Internal errors are logged to logs.
func listen(address string, h http.Handler, logs io.Writer) (*served, error) {
	return listenIdle(address, h, idle, logs)
}

// listenIdle is listen for a server that closes connections that are unused for some time.
func listenIdle(address string, h http.Handler, unused time.Duration, logs io.Writer) (*served, error) {
	l, err := net.Listen("tcp", address)
	var bad *net.AddrError
	if errors.As(err, &bad) {
		return nil, Usage("--listen %q: expected host:port such as 127.0.0.1:0: %w", address, err)
	}
	if err != nil {
		return nil, fmt.Errorf("listening on %s: %w", address, err)
	}
	s := &served{
		URL: "http://" + l.Addr().String(), address: l.Addr(),
		http: httpserver.Server(h, httpserver.Limits{
			Header: 10 * time.Second, Idle: unused, Bodies: httpserver.Bodies{All: mostBodies}, // handlers bound each
		}, logs),
		done: make(chan error, 1),
	}
	go func() { s.done <- s.http.Serve(l) }()
	return s, nil
}

// grace is the time for requests to end once the server stops.
const grace = time.Second

// stop ends the server. End the open streams before.
func (s *served) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close() // the remaining requests have had their time
	}
}
