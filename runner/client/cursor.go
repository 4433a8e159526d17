package client

import "github.com/streamcert/streamcert/runner/wire"

// Cursor stores the id of the last event that a client received completely. The zero value acknowledges nothing.
type Cursor struct {
	ID string // "" before the first, and after an event with an empty id
}

// Take updates the cursor by a block as EventSource does. It reports whether the block is complete: one in which the body
// ended is discarded.
func (c *Cursor) Take(f *wire.Frame) bool {
	if !f.Terminated {
		return false
	}
	if f.HasID {
		c.ID = f.ID
	}
	return true
}

// Acknowledged returns the value of Last-Event-ID, nil for no header.
func (c *Cursor) Acknowledged() *string {
	if c.ID == "" {
		return nil
	}
	id := c.ID
	return &id
}
