package target

import (
	"context"
)

// Program is a server that the suite has started and may kill.
type Program interface {
	// Kill ends it at once, with everything that it started, and returns when it is gone.
	Kill() error
	// Start starts it again at the same address, and returns when it answers.
	Start(ctx context.Context) error
}

// Replica is a server that runs several times over one store, at one of its addresses.
type Replica struct {
	URL     string  // base of every route, as target.url
	Program Program // nil where the suite may not kill it
}
