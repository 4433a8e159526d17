package lab

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/store"
)

// behind stores records in memory, and writes them a moment later, or at once in another form.
type behind struct {
	store.Store
	written func(text []byte) []byte // the form; nil for later

	mu      sync.Mutex
	records map[string]storedRecord
}

type storedRecord struct {
	text    []byte
	version int64
}

// Record implements store.Store.
func (b *behind) Record(ctx context.Context, name string) ([]byte, int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r, known := b.records[name]; known {
		return r.text, r.version, nil
	}
	return b.Store.Record(ctx, name)
}

// SetRecord implements store.Store.
func (b *behind) SetRecord(ctx context.Context, key store.Key, version int64, text []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r, known := b.records[key.Name]; known && r.version != version {
		return store.ErrOutdated
	}
	if b.written != nil {
		if err := b.Store.SetRecord(ctx, key, version, b.written(text)); err != nil {
			return err
		}
	} else {
		time.AfterFunc(later, func() { _ = b.Store.SetRecord(context.Background(), key, version, text) })
	}
	b.records[key.Name] = storedRecord{text, version + 1}
	return nil
}

// repeating is a broken store: it records each write to a conversation, and repeats the last one when it starts.
type repeating struct{ store.Store }

// SetRecord implements store.Store.
func (r repeating) SetRecord(ctx context.Context, key store.Key, version int64, text []byte) error {
	if !strings.HasPrefix(key.Name, "thread:") {
		return r.Store.SetRecord(ctx, key, version, text)
	}
	_, last, err := r.Record(ctx, noted)
	if err == nil {
		err = r.Store.SetRecord(ctx, store.Key{Name: noted}, last, []byte(key.Name))
	}
	if err != nil {
		return err
	}
	return errors.Join(r.Store.SetRecord(ctx, key, version, text), r.Store.SetRecord(ctx, store.Key{Name: noted}, last+1, nil))
}

// repeat stores once more the last message of the conversation that was noted.
func (r repeating) repeat(ctx context.Context) error {
	name, _, err := r.Record(ctx, noted)
	if err != nil || name == nil {
		return err
	}
	text, version, err := r.Record(ctx, string(name))
	if err != nil || version == 0 {
		return err
	}
	var thread struct {
		Owner    string
		Started  bool
		Messages []json.RawMessage
	}
	if err := json.Unmarshal(text, &thread); err != nil || len(thread.Messages) == 0 {
		return err
	}
	thread.Messages = append(thread.Messages, thread.Messages[len(thread.Messages)-1])
	if text, err = json.Marshal(thread); err != nil {
		return err
	}
	return r.Store.SetRecord(ctx, store.Key{Name: string(name)}, version, text)
}
