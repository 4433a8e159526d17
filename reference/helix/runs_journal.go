package helix

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// journal writes what a runtime says to a store, as a writer of each stream.
type journal struct {
	store store.Store

	mu      sync.Mutex
	writers map[string]string // by stream
}

// Open implements runtime.Journal. Errors: store.ErrFinished.
func (j *journal) Open(ctx context.Context, stream string) error {
	if info, err := j.store.Info(ctx, stream); err == nil && (info.Status == store.Ended || info.Status == store.Failed) {
		return store.ErrFinished
	}
	writer, err := j.store.OpenWriter(ctx, stream)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.writers == nil {
		j.writers = map[string]string{}
	}
	j.writers[stream] = writer
	return nil
}

// Append implements runtime.Journal.
func (j *journal) Append(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
	stored := make([]store.Chunk, 0, len(chunks))
	for _, c := range chunks {
		raw, err := c.JSON()
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", w.Run, err)
		}
		stored = append(stored, newChunk(raw))
	}
	j.mu.Lock()
	writer := j.writers[w.Stream]
	j.mu.Unlock()
	return j.store.Append(ctx, w.Stream, writer, stored)
}

// Cleanup implements runtime.Journal.
func (j *journal) Cleanup(ctx context.Context, w runtime.Writer, stepCount int) error {
	return j.store.Cleanup(ctx, w.Stream, int64(stepCount))
}

// SetStatus implements runtime.Journal.
func (j *journal) SetStatus(ctx context.Context, w runtime.Writer, status runtime.Status) error {
	to := store.Active
	if status == runtime.StreamPaused {
		to = store.Paused
	}
	return j.store.SetStatus(ctx, w.Stream, to)
}

// End implements runtime.Journal.
func (j *journal) End(ctx context.Context, w runtime.Writer, finalOutput json.RawMessage) error {
	return j.store.End(ctx, w.Stream, finalOutput)
}

// Fail implements runtime.Journal.
func (j *journal) Fail(ctx context.Context, w runtime.Writer, message, code string) error {
	return j.store.Fail(ctx, w.Stream, message, code)
}

// Close implements runtime.Journal.
func (j *journal) Close(stream string) {
	j.mu.Lock()
	writer, open := j.writers[stream]
	delete(j.writers, stream)
	j.mu.Unlock()
	if open {
		_ = j.store.CloseWriter(context.Background(), stream, writer) // the stream may be gone
	}
}
