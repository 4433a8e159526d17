package connection

import (
	"net"
	"sync"
	"syscall"
)

// Set contains the network connections of one reader, so that a disconnect can be abrupt and leave no socket in
// TIME_WAIT.
type Set struct {
	Buffer int // approximate size of the receive buffer in bytes; 0: the system's default

	mu   sync.Mutex // guards list
	list []net.Conn // those that Abort has to close
}

// dialer returns a dialer that sets the buffer before it connects: afterwards the window that the
// server was offered can't be taken back.
func (c *Set) dialer(usual *net.Dialer) *net.Dialer {
	if c.Buffer == 0 {
		return usual
	}
	own := *usual
	own.Control = func(_, _ string, raw syscall.RawConn) error {
		var err error
		if failed := raw.Control(func(fd uintptr) { err = receiveBuffer(fd, c.Buffer) }); failed != nil {
			return failed
		}
		return err
	}
	return &own
}

// wide is the buffer of a reader that has started to read.
const wide = 1 << 20

// Widen restores the receive buffers, whose small size slows a reader down.
func (c *Set) Widen() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Buffer == 0 {
		return
	}
	for _, n := range c.list {
		if tcp, ok := n.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(wide)
		}
	}
}

func (c *Set) add(n net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, n)
}

// Abort closes the connections at once.
func (c *Set) Abort() {
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
