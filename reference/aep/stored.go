package aep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/store"
)

// Records store data that isn't a stream. A store.Store implements it.
type Records interface {
	Record(ctx context.Context, name string) (text []byte, version int64, err error)
	SetRecord(ctx context.Context, key store.Key, version int64, text []byte) error
}

// change replaces the value of a record by the result of a function, atomically with respect to other processes. The
// function may be called repeatedly, each time with the current value, the zero value if there is none. Its error is
// returned.
func change[T any](records Records, name string, f func(*T) error) error {
	ctx := context.Background() // the client's connection may end before
	for {
		var value T
		text, version, err := records.Record(ctx, name)
		if err != nil {
			return err
		}
		if version > 0 {
			if err := json.Unmarshal(text, &value); err != nil {
				return fmt.Errorf("reading %s: %w", name, err)
			}
		}
		if err := f(&value); err != nil {
			return err
		}
		if text, err = json.Marshal(value); err != nil {
			return fmt.Errorf("keeping %s: %w", name, err)
		}
		if err := records.SetRecord(ctx, store.Key{Name: name}, version, text); !errors.Is(err, store.ErrOutdated) {
			return err
		}
	}
}

// StoredThreads are Threads that outlive the process, as records of a store.
type StoredThreads struct{ Records Records }

// storedThread is the record of a thread.
type storedThread struct {
	Owner    string          // principal who may continue it
	Started  bool            // false only in a record that was never written
	Messages []storedMessage // in their order; only appended
}

// storedMessage is agent.Message without the form in which agents repeat it.
type storedMessage agent.Message

func threadRecord(id string) string { return "thread:" + id }

// Begin implements Threads.
func (t StoredThreads) Begin(owner, id string) error {
	return change(t.Records, threadRecord(id), func(kept *storedThread) error {
		// aep.durable.threads, aep.replicas.threads, aep.replicas.survives: it is stored before its id is sent to a client.
		*kept = storedThread{Owner: owner, Started: true}
		return nil
	})
}

// Check implements Threads.
func (t StoredThreads) Check(owner, id string) error {
	text, version, err := t.Records.Record(context.Background(), threadRecord(id))
	if err != nil {
		return err
	}
	var kept storedThread
	if version == 0 {
		return ErrUnknownThread
	}
	if err := json.Unmarshal(text, &kept); err != nil {
		return fmt.Errorf("reading a thread: %w", err)
	}
	switch {
	// aep.replicas.foreign: whose it is lies in the store.
	case kept.Owner != owner:
		return ErrThreadOfAnotherUser
	case len(text) >= maxThread:
		return ErrThreadFull
	}
	return nil
}

var errNotStarted = errors.New("nothing is said on a thread that was not begun")

// Say implements Threads. If the store can't be reached, it returns no earlier messages.
func (t StoredThreads) Say(id string, messages []agent.Message) (before []agent.Message) {
	_ = change(t.Records, threadRecord(id), func(kept *storedThread) error {
		if before = nil; !kept.Started {
			return errNotStarted
		}
		for _, one := range kept.Messages {
			before = append(before, agent.Message(one))
		}
		// aep.durable.history, aep.replicas.history: a message is stored before the response that it belongs to ends.
		for _, one := range messages {
			kept.Messages = append(kept.Messages, storedMessage(one))
		}
		return nil
	})
	return before
}

// StoredActions are Actions that outlive the process, as one record of a store for each thread, so that the results of one
// request are taken at once. Make them with NewStoredActions.
type StoredActions struct {
	records Records // of a store that replicas share

	mu      sync.Mutex        // guards threads
	threads map[string]string // of the actions whose results this process works on
}

// NewStoredActions returns actions in a store.
func NewStoredActions(records Records) *StoredActions {
	return &StoredActions{records: records, threads: map[string]string{}}
}

// storedAction is an action in the record of its thread.
type storedAction struct {
	Open
	Resolved bool // its result was taken
}

func actionsRecord(thread string) string { return "actions:" + thread }

// Open implements Actions.
func (s *StoredActions) Open(a Open) {
	_ = change(s.records, actionsRecord(a.Thread), func(kept *map[string]storedAction) error {
		if *kept == nil {
			*kept = map[string]storedAction{}
		}
		// aep.durable.open, aep.replicas.open: it is stored before the client is asked.
		(*kept)[a.ID] = storedAction{Open: a}
		return nil
	})
}

// Resolve implements Actions.
func (s *StoredActions) Resolve(owner, thread string, ids []string) error {
	err := change(s.records, actionsRecord(thread), func(kept *map[string]storedAction) error {
		seen := map[string]bool{}
		for _, id := range ids {
			a, ok := (*kept)[id]
			switch {
			case !ok || a.Owner != owner:
				return ErrUnknownAction
			// aep.durable.resolved, aep.replicas.resolved: its resolution is stored with it.
			case a.Resolved || seen[id]:
				return ErrResolvedAction
			}
			seen[id] = true
		}
		for id := range seen {
			a := (*kept)[id]
			a.Resolved = true
			(*kept)[id] = a
		}
		return nil
	})
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, id := range ids {
			s.threads[id] = thread
		}
	}
	return err
}

// Reopen implements Actions.
func (s *StoredActions) Reopen(ids []string) {
	for _, id := range ids {
		s.mu.Lock()
		thread, ours := s.threads[id]
		delete(s.threads, id)
		s.mu.Unlock()
		if !ours {
			continue
		}
		_ = change(s.records, actionsRecord(thread), func(kept *map[string]storedAction) error {
			if a, ok := (*kept)[id]; ok {
				a.Resolved = false
				(*kept)[id] = a
			}
			return nil
		})
	}
}
