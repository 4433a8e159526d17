package alter

import "sync"

// PerKey stores a value for each name, such as that of a stream, a thread or a user. The zero value is ready, and requests
// may share it. A server that stores one value uses one name.
type PerKey[T any] struct {
	mu    sync.Mutex
	pages map[string]*T
}

// With reads or changes the value of a name; no other call runs meanwhile. It is at first the zero value.
func (l *PerKey[T]) With(name string, f func(*T)) {
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

// Get returns the value of a name; the zero value if there is none.
func (l *PerKey[T]) Get(name string) (v T) {
	l.With(name, func(p *T) { v = *p })
	return v
}

// Set remembers something of a name.
func (l *PerKey[T]) Set(name string, v T) { l.With(name, func(p *T) { *p = v }) }

// Swap sets the value of a name, and returns the one before.
func (l *PerKey[T]) Swap(name string, v T) (before T) {
	l.With(name, func(p *T) { before, *p = *p, v })
	return before
}

// Count adds one to a name's number and returns the new one.
func Count(l *PerKey[int], name string) (n int) {
	l.With(name, func(p *int) {
		*p++
		n = *p
	})
	return n
}

// WithState gives an alteration a state that a server has until it is closed: begin is called once for each server.
func WithState[T, O any](begin func(state *T) func(O) O) func(O) O {
	return func(o O) O { return begin(new(T))(o) }
}
