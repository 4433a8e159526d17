package connection

import (
	"errors"
	"net"
	"syscall"
)

// early is a connection on which the server may answer and close while the request's body is still being sent. It drops the
// remaining body, so that the answer is read if it came, and otherwise the end of the connection.
type early struct {
	net.Conn
	started, broken bool // some of the request was sent; broken: what follows is dropped
}

// Write is called by one goroutine at a time.
func (c *early) Write(p []byte) (int, error) {
	if c.broken {
		return len(p), nil
	}
	n, err := c.Conn.Write(p)
	if err != nil && c.started && (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)) {
		c.broken = true
		return len(p), nil
	}
	c.started = c.started || n > 0
	return n, err
}
