package target

import (
	"net"
	"sync"
	"syscall"
)

// conns remembers the network connections of one reader, so that cutting it can
// be abrupt and leave no TIME_WAIT behind.
type conns struct {
	buffer int // bytes that the system receives in advance, about; 0: as many as it likes

	mu   sync.Mutex
	list []net.Conn
}

// dialer is one that sets the buffer before it connects: afterwards the window that the
// server was offered can't be taken back.
func (c *conns) dialer(usual *net.Dialer) *net.Dialer {
	if c.buffer == 0 {
		return usual
	}
	own := *usual
	own.Control = func(_, _ string, raw syscall.RawConn) error {
		var err error
		if failed := raw.Control(func(fd uintptr) { err = receiveBuffer(fd, c.buffer) }); failed != nil {
			return failed
		}
		return err
	}
	return &own
}

// wide is the buffer of a reader that has begun to read.
const wide = 1 << 20

// widen undoes what a small buffer does to the pace of a reader.
func (c *conns) widen() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buffer == 0 {
		return
	}
	for _, n := range c.list {
		if tcp, ok := n.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(wide)
		}
	}
}

func (c *conns) add(n net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, n)
}

// abort closes the connections at once.
func (c *conns) abort() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.list {
		if tcp, ok := n.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = n.Close()
	}
	c.list = nil
}
