package redis_test

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// proxy is between a store and its Redis, and simulates faults of networks on their connections.
type proxy struct {
	URL   string
	delay atomic.Int64 // nanoseconds that every piece takes in each direction
	// left is after how many bytes to Redis, and answers after how many from it, all connections are closed; below 0 for none.
	left, answers atomic.Int64

	listener net.Listener
	to       string
	running  sync.WaitGroup
	mu       sync.Mutex
	open     map[net.Conn]bool
	over     bool
}

// newProxy serves a Redis at another address.
func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p := &proxy{URL: "redis://" + l.Addr().String() + "/0", listener: l, to: to, open: map[net.Conn]bool{}}
	p.left.Store(-1)
	p.answers.Store(-1)
	p.running.Go(p.accept)
	t.Cleanup(func() {
		p.mu.Lock()
		p.over = true
		p.mu.Unlock()
		_ = l.Close()
		p.disconnect()
		p.running.Wait()
	})
	return p
}

func (p *proxy) accept() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = from.Close()
			continue
		}
		p.mu.Lock()
		p.open[from], p.open[to] = true, true
		over := p.over
		p.mu.Unlock()
		if over {
			p.disconnect()
		}
		p.running.Go(func() { p.copy(to, from, &p.left) })
		p.running.Go(func() { p.copy(from, to, &p.answers) })
	}
}

// disconnect closes every connection, in both directions and in the middle of whatever is on its way.
func (p *proxy) disconnect() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		_ = c.Close()
	}
	clear(p.open)
}

// copy hands bytes on until a connection ends, or all are closed because so many bytes went this way.
func (p *proxy) copy(to io.WriteCloser, from io.ReadCloser, left *atomic.Int64) {
	defer to.Close()
	defer from.Close()
	piece := make([]byte, 4096)
	for {
		n, err := from.Read(piece)
		if d := time.Duration(p.delay.Load()); d > 0 && n > 0 {
			time.Sleep(d)
		}
		if limit := left.Load(); limit >= 0 && n > 0 {
			if rest := left.Add(-int64(n)); rest <= 0 {
				left.Store(-1)
				_, _ = to.Write(piece[:min(int64(n), limit)])
				p.disconnect()
				return
			}
		}
		if n > 0 {
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
