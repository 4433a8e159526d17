package aep

import (
	"encoding/json"
	"errors"
	"sync"
)

// Actions keeps what clients were asked to do. Its methods may be called at the same time.
type Actions interface {
	// Open keeps an action of a thread. The id is new.
	Open(a Open)
	// Resolve marks actions as resolved: all of them, or none and ErrUnknownAction or ErrResolvedAction. An action of
	// another owner or another thread is unknown.
	Resolve(owner, thread string, ids []string) error
}

// Open is an action that waits for its result.
type Open struct {
	ID      string
	Owner   string
	Thread  string
	Kind    string
	Payload json.RawMessage
}

// What Actions refuses with.
var (
	ErrUnknownAction  = errors.New("there is no such action in this thread")
	ErrResolvedAction = errors.New("the action is resolved already")
)

// MemoryActions are Actions in memory. The zero value is ready.
type MemoryActions struct {
	mu       sync.Mutex
	actions  map[string]Open
	resolved map[string]bool
}

// Open implements Actions.
func (s *MemoryActions) Open(a Open) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.actions == nil {
		s.actions, s.resolved = map[string]Open{}, map[string]bool{}
	}
	s.actions[a.ID] = a
	delete(s.resolved, a.ID)
}

// Resolve implements Actions.
func (s *MemoryActions) Resolve(owner, thread string, ids []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := map[string]bool{}
	for _, id := range ids {
		a, ok := s.actions[id]
		switch {
		case !ok || a.Owner != owner || a.Thread != thread:
			return ErrUnknownAction
		case s.resolved[id] || seen[id]:
			return ErrResolvedAction
		}
		seen[id] = true
	}
	for id := range seen {
		s.resolved[id] = true
	}
	return nil
}
