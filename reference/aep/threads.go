package aep

import (
	"errors"
	"slices"
	"sync"
)

// Threads remembers conversations. Its methods may be called at the same time.
type Threads interface {
	// Begin makes a thread that belongs to owner. The id is new.
	Begin(owner, id string)
	// Check returns ErrUnknownThread, ErrForeignThread, or nil if owner may go on with the thread.
	Check(owner, id string) error
	// Say adds what the user says, and returns what was said before, oldest first.
	Say(id string, texts []string) []string
}

// What Threads refuses with.
var (
	ErrUnknownThread = errors.New("there is no such thread")
	ErrForeignThread = errors.New("the thread belongs to somebody else")
)

// MemoryThreads are Threads in memory. The zero value is ready.
type MemoryThreads struct {
	mu      sync.Mutex
	threads map[string]*thread
}

type thread struct {
	owner string
	said  []string
}

// Begin implements Threads.
func (t *MemoryThreads) Begin(owner, id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.threads == nil {
		t.threads = map[string]*thread{}
	}
	t.threads[id] = &thread{owner: owner}
}

// Check implements Threads.
func (t *MemoryThreads) Check(owner, id string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch found := t.threads[id]; {
	case found == nil:
		return ErrUnknownThread
	case found.owner != owner:
		return ErrForeignThread
	}
	return nil
}

// Say implements Threads.
func (t *MemoryThreads) Say(id string, texts []string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	found := t.threads[id]
	if found == nil {
		return nil
	}
	before := slices.Clone(found.said)
	found.said = append(found.said, texts...)
	return before
}
