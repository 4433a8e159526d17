package aep

import (
	"cmp"
	"encoding/json"
	"errors"
	"sync"
)

// Actions stores the actions that agents requested from clients. Its methods may be called concurrently.
type Actions interface {
	// Open stores an action of a thread. The id is new.
	Open(a Open)
	// Resolve marks actions as resolved: all of them, or none and ErrUnknownAction or ErrResolvedAction. An action of
	// another owner or another thread is unknown, and so is one that was forgotten.
	Resolve(owner, thread string, ids []string) error
	// Reopen makes actions open again whose results came to nothing. Others stay as they are.
	Reopen(ids []string)
}

// Open is an action that waits for its result.
type Open struct {
	ID      string          // unique in the server
	Owner   string          // principal who may resolve it
	Thread  string          // in which it may be resolved
	Kind    string          // of the agent's choice
	Payload json.RawMessage // an object, as the agent made it
}

// The errors of Actions.
var (
	ErrUnknownAction  = errors.New("there is no such action in this thread")
	ErrResolvedAction = errors.New("the action is resolved already")
)

// MemoryActions are Actions in memory, which forget the oldest where their limit is reached. The zero value is ready.
type MemoryActions struct {
	// MaxTotal limits the memory of all actions, in bytes; 256 MiB by default.
	MaxTotal int64

	mu       sync.Mutex      // guards all below
	actions  map[string]Open // by id; nil before the first
	resolved map[string]bool // ids of those whose result was taken
	order    []string        // ids, from the oldest
	used     int64           // bytes of actions, about
}

// actionCost is the approximate memory of an action in addition to its bytes, and maxActionsTotal the default limit.
const (
	actionCost      = 512
	maxActionsTotal = 256 << 20
)

func (o Open) size() int64 {
	return actionCost + int64(len(o.ID)+len(o.Owner)+len(o.Thread)+len(o.Kind)+len(o.Payload))
}

// Open implements Actions.
func (s *MemoryActions) Open(a Open) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.actions == nil {
		s.actions, s.resolved = map[string]Open{}, map[string]bool{}
	}
	if old, again := s.actions[a.ID]; again {
		s.used -= old.size()
	} else {
		s.order = append(s.order, a.ID)
	}
	s.actions[a.ID] = a
	delete(s.resolved, a.ID)
	s.used += a.size()
	for s.used > cmp.Or(s.MaxTotal, maxActionsTotal) && len(s.order) > 0 {
		oldest := s.order[0]
		s.order = s.order[1:]
		s.used -= s.actions[oldest].size()
		delete(s.actions, oldest)
		delete(s.resolved, oldest)
	}
}

// Resolve implements Actions.
func (s *MemoryActions) Resolve(owner, thread string, ids []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := map[string]bool{}
	for _, id := range ids {
		a, ok := s.actions[id]
		switch {
		// aep.actions.unknown, aep.actions.foreign, aep.actions.other-thread: an action of another user or another thread is
		// refused like one that doesn't exist.
		case !ok || a.Owner != owner || a.Thread != thread:
			return ErrUnknownAction
		// aep.actions.resolved, aep.actions.twice: an id that occurs twice in one request is refused too.
		case s.resolved[id] || seen[id]:
			return ErrResolvedAction
		}
		seen[id] = true
	}
	// aep.actions.all-or-none, aep.actions.others-open: only now, and only the named ones.
	for id := range seen {
		s.resolved[id] = true
	}
	return nil
}

// Reopen implements Actions.
func (s *MemoryActions) Reopen(ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		delete(s.resolved, id)
	}
}
