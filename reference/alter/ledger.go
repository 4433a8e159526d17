package alter

import "sync"

// Ledger remembers something of each of many: of a stream, a thread, a user, by its name. The zero value is ready, and
// requests may share it. A server of which one thing is remembered uses one name.
type Ledger[T any] struct {
	mu    sync.Mutex
	pages map[string]*T
}

// With looks at what is remembered of a name, or changes it; no other call comes in between. At first it is the zero
// value.
func (l *Ledger[T]) With(name string, f func(*T)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pages == nil {
		l.pages = map[string]*T{}
	}
	if l.pages[name] == nil {
		l.pages[name] = new(T)
	}
	f(l.pages[name])
}

// Get returns what is remembered of a name; the zero value if nothing is.
func (l *Ledger[T]) Get(name string) (v T) {
	l.With(name, func(p *T) { v = *p })
	return v
}

// Set remembers something of a name.
func (l *Ledger[T]) Set(name string, v T) { l.With(name, func(p *T) { *p = v }) }

// Swap remembers something of a name, and returns what was remembered before.
func (l *Ledger[T]) Swap(name string, v T) (before T) {
	l.With(name, func(p *T) { before, *p = *p, v })
	return before
}

// Count adds one to a name's number and returns the new one.
func Count(l *Ledger[int], name string) (n int) {
	l.With(name, func(p *int) {
		*p++
		n = *p
	})
	return n
}

// WithState lets an alteration remember something for the life of a server: begin is called once for each server.
func WithState[T, O any](begin func(state *T) func(O) O) func(O) O {
	return func(o O) O { return begin(new(T))(o) }
}
