package aep

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"github.com/streamcert/streamcert/reference/aep/agent"
)

// Threads remembers conversations. Its methods may be called at the same time.
type Threads interface {
	// Begin makes a thread that belongs to owner, or returns ErrThreadsFull. The id is new.
	Begin(owner, id string) error
	// Check returns ErrUnknownThread, ErrForeignThread, ErrThreadFull, ErrThreadsFull, or nil if owner may go on with the
	// thread.
	Check(owner, id string) error
	// Say adds messages of one side, and returns the messages before them, oldest first.
	Say(id string, messages []agent.Message) []agent.Message
}

// The errors of Threads.
var (
	ErrUnknownThread       = errors.New("there is no such thread")
	ErrThreadOfAnotherUser = errors.New("the thread belongs to somebody else")
	ErrThreadFull          = errors.New("the thread holds as much as it may")
	ErrThreadsFull         = errors.New("all threads hold as much as they may")
)

// MemoryThreads are Threads in memory, which refuse further messages above their limits. The zero value is ready.
type MemoryThreads struct {
	// MaxThread and MaxTotal limit the memory of one thread and all threads, in bytes; 64 MiB and 512 MiB by default. The
	// request that reaches a limit is still stored.
	MaxThread, MaxTotal int64

	mu      sync.Mutex         // guards all below
	threads map[string]*thread // by id; nil before the first
	used    int64              // bytes of threads, about; never falls
}

// Approximate memory of a thread and a text in addition to their bytes.
const (
	threadCost = 256
	textCost   = 32
)

// The limits of MemoryThreads by default.
const (
	maxThread       = 64 << 20
	maxThreadsTotal = 512 << 20
)

type thread struct {
	owner    string          // principal who may continue it
	messages []agent.Message // in their order; only appended
	size     int64           // bytes of messages, about
}

// full reports whether the sum of all threads has reached its limit.
func (t *MemoryThreads) full() bool { return t.used >= cmp.Or(t.MaxTotal, maxThreadsTotal) }

// Begin implements Threads.
func (t *MemoryThreads) Begin(owner, id string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.full() {
		return ErrThreadsFull
	}
	if t.threads == nil {
		t.threads = map[string]*thread{}
	}
	t.threads[id] = &thread{owner: owner}
	t.used += threadCost + int64(len(owner)+len(id))
	return nil
}

// Check implements Threads.
func (t *MemoryThreads) Check(owner, id string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch found := t.threads[id]; {
	// aep.threads.unknown: no thread has this id.
	case found == nil:
		return ErrUnknownThread
	// aep.threads.foreign: only the user who began a thread may continue it.
	case found.owner != owner:
		return ErrThreadOfAnotherUser
	case found.size >= cmp.Or(t.MaxThread, maxThread):
		return ErrThreadFull
	case t.full():
		return ErrThreadsFull
	}
	return nil
}

// Say implements Threads.
func (t *MemoryThreads) Say(id string, messages []agent.Message) []agent.Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	found := t.threads[id]
	if found == nil {
		return nil
	}
	// aep.threads.isolation: the history contains the messages of this thread only.
	before := slices.Clone(found.messages)
	found.messages = append(found.messages, messages...)
	for _, one := range messages {
		found.size += textCost + int64(len(one.Text))
		t.used += textCost + int64(len(one.Text))
	}
	return before
}
