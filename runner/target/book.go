package target

import (
	"slices"
	"sync"
)

// attachment is a [Reader], whose connection the session can close.
type attachment interface {
	Disconnect()
	attachedTo() (replica int) // counted from 0
}

// book is the record of a session: its exchanges, and the readers among them.
type book struct {
	mu        sync.Mutex   // guards all below
	exchanges []*Exchange  // in the order of their requests
	readers   []attachment // attached and not yet forgotten
}

// Exchanges returns the record so far, in the order in which the exchanges began.
func (b *book) Exchanges() []*Exchange {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.exchanges)
}

// Snapshots returns the snapshot requests so far, in the order in which they were sent.
func (b *book) Snapshots() []*Exchange {
	return slices.DeleteFunc(b.Exchanges(), func(e *Exchange) bool { return !e.IsSnapshot() })
}

// ForgetCall drops an exchange that is over from the record.
func (b *book) ForgetCall(e *Exchange) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.exchanges = slices.DeleteFunc(b.exchanges, func(other *Exchange) bool { return other == e })
}

func (b *book) enter(e *Exchange) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.exchanges = append(b.exchanges, e)
}

func (b *book) addReader(r attachment) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readers = append(b.readers, r)
}

func (b *book) dropReader(r attachment) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readers = slices.DeleteFunc(b.readers, func(other attachment) bool { return other == r })
}

// attached returns the readers that weren't dropped.
func (b *book) attached() []attachment {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.readers)
}
