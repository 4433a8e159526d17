package client

import "github.com/streamcert/streamcert/runner/wire"

// Cursor is what a client remembers of a stream: the id of the last event that came whole. The zero value acknowledges
// nothing.
type Cursor struct {
	ID string // "" before the first, and after an event with an empty id
}

// Take does with a block what EventSource does, and reports whether it counts: one that the body ended in is discarded.
func (c *Cursor) Take(f *wire.Frame) bool {
	if !f.Terminated {
		return false
	}
	if f.HasID {
		c.ID = f.ID
	}
	return true
}

// Acknowledged is what goes into Last-Event-ID, nil for no header.
func (c *Cursor) Acknowledged() *string {
	if c.ID == "" {
		return nil
	}
	id := c.ID
	return &id
}
