package store

import (
	"context"
	"encoding/json"
)

// SetInitial implements Store.
func (m *Memory) SetInitial(_ context.Context, name string, state json.RawMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.open(name)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.terminal() != nil:
		return ErrFinished
	case len(s.log) > 0:
		return ErrStarted
	}
	if err := m.take(s, int64(len(state)-len(s.initial))); err != nil {
		return err
	}
	s.initial, s.edition = state, m.editions.Add(1)
	return nil
}

// Read implements Store. It copies nothing, however long the log is.
func (m *Memory) Read(_ context.Context, name string, after Mark) (Log, error) {
	var log Log
	err := m.with(name, func(s *stream) error {
		from := 0
		if after.Edition == s.edition {
			from = s.after(after.Sequence)
		}
		log = Log{
			Info: s.info(), Initial: s.initial, Edition: s.edition, FromStart: after.Edition != s.edition,
			Events: s.log[from:len(s.log):len(s.log)],
		}
		return nil
	})
	return log, err
}
