package store

import (
	"context"
	"slices"
)

// recordCost is the approximate memory of a record in bytes, without its text and name.
const recordCost = 128

// record is the text stored under a name, with its version.
type record struct {
	text    []byte // never changed, only replaced
	version int64  // from 1; 0 is none
}

func (r record) size(name string) int64 {
	if r.version == 0 {
		return 0
	}
	return recordCost + int64(len(name)+len(r.text))
}

// Record implements Store.
func (m *Memory) Record(_ context.Context, name string) ([]byte, int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.records[name]
	return r.text, r.version, nil
}

// SetRecord implements Store.
func (m *Memory) SetRecord(_ context.Context, key Key, version int64, text []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	name := key.Name
	before := m.records[name]
	if before.version != version {
		return ErrOutdated
	}
	after := record{}
	if text != nil {
		if _, ok := m.streams[key.Stream]; !ok && key.Stream != "" {
			return ErrUnknownStream
		}
		after = record{slices.Clone(text), version + 1}
	}
	if err := m.charge(after.size(name) - before.size(name)); err != nil { // before anything changes
		return err
	}
	if text == nil {
		delete(m.records, name)
		delete(m.recordsOf[key.Stream], name)
		return nil
	}
	if m.records == nil {
		m.records, m.recordsOf = map[string]record{}, map[string]map[string]struct{}{}
	}
	m.records[name] = after
	if key.Stream != "" {
		if m.recordsOf[key.Stream] == nil {
			m.recordsOf[key.Stream] = map[string]struct{}{}
		}
		m.recordsOf[key.Stream][name] = struct{}{}
	}
	return nil
}

// ForgetRecords implements Store.
func (m *Memory) ForgetRecords(_ context.Context, stream string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgetRecords(stream)
	return nil
}

// forgetRecords removes the records of a stream. The store is locked.
func (m *Memory) forgetRecords(stream string) {
	for name := range m.recordsOf[stream] {
		m.used.Add(-m.records[name].size(name))
		delete(m.records, name)
	}
	delete(m.recordsOf, stream)
}
