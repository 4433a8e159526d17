package target

import (
	"errors"
	"net"
	"syscall"
)

// early is a connection to a server that may answer, and hang up, while a body is
// still being sent. What can't be sent any more is dropped, so that the answer is
// read if it came; else the end of the connection is.
type early struct {
	net.Conn
	begun, broken bool
}

// Write is called by one goroutine at a time.
func (c *early) Write(p []byte) (int, error) {
	if c.broken {
		return len(p), nil
	}
	n, err := c.Conn.Write(p)
	if err != nil && c.begun && (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)) {
		c.broken = true
		return len(p), nil
	}
	c.begun = c.begun || n > 0
	return n, err
}
