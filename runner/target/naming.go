package target

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// namer coins the names of a run: no two calls return the same, nor one that a run with another prefix returns.
type namer struct {
	prefix string // begins every name of the run

	mu    sync.Mutex // guards names
	names int        // coined so far

	epochs atomic.Int64 // ranges of timestamps that were given away
}

// name coins a stream id that no other scenario of any run uses.
func (n *namer) name() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.names++
	return fmt.Sprintf("%s-%d", n.prefix, n.names)
}

// Prefix begins the id of every stream of this run.
func (n *namer) Prefix() string { return n.prefix }
