package restart

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/streamcert/streamcert/reference/store"
)

// Server is a handler whose open responses can be ended; Host starts and ends it.
type Server interface {
	http.Handler
	Close()
}

// Host serves one process of a server after the other. Make it with New.
type Host struct {
	disk  *store.Memory            // outlives processes
	begin func(store.Store) Server // starts a server over a store

	mu      sync.Mutex // guards all below
	unmet   bool       // its server is started by the first request
	process *process   // nil between two processes
}

// process is one process of a server, simulated in this one.
type process struct {
	server Server      // closed when the process ends
	over   atomic.Bool // set once, by the kill
}

// New starts the first process. Each starts with the store that it is given.
func New(begin func(streams store.Store) Server) *Host {
	h := &Host{disk: new(store.Memory), begin: begin}
	_ = h.Start(context.Background()) // it never fails
	return h
}

// NewReplica returns another server over the same disk, a replica. It is started by the first request.
func (h *Host) NewReplica() *Host { return &Host{disk: h.disk, begin: h.begin, unmet: true} }

// Start starts the next process, unless one runs. Its error is nil.
func (h *Host) Start(context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.start()
	return nil
}

// start starts the next process, unless one runs. The host is locked.
func (h *Host) start() {
	h.unmet = false
	if h.process == nil {
		l := &process{}
		l.server = h.begin(&gate{Store: h.disk, disk: h.disk, over: &l.over})
		h.process = l
	}
}

// Kill ends the process, and returns when nothing of it is left. Its error is nil.
func (h *Host) Kill() error {
	if l := h.taken(); l != nil {
		l.over.Store(true)
		l.server.Close()
	}
	return nil
}

// Close ends the last process gracefully.
func (h *Host) Close() {
	if l := h.taken(); l != nil {
		l.server.Close()
	}
}

func (h *Host) taken() *process {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.process
	h.process, h.unmet = nil, false
	return l
}

// ServeHTTP implements http.Handler. A response of an ended process breaks off.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	if h.unmet {
		h.start()
	}
	l := h.process
	h.mu.Unlock()
	if l == nil {
		panic(http.ErrAbortHandler)
	}
	l.server.ServeHTTP(w, r)
	if l.over.Load() {
		panic(http.ErrAbortHandler)
	}
}
