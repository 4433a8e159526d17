package helix

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// journal writes the output of a runtime to a store, as a writer of each stream.
type journal struct {
	store store.Store // that readers are served from

	mu      sync.Mutex        // guards writers
	writers map[string]writer // by stream
}

// writer is the open writer of a stream, with the record ids that it has stored.
type writer struct {
	id     string    // of the store
	stored storedIDs // ids of the latest records; empty before the first save
}

// Open implements runtime.Journal. Errors: store.ErrFinished.
func (j *journal) Open(ctx context.Context, stream string) error {
	if info, err := j.store.Info(ctx, stream); err == nil && (info.Status == store.Ended || info.Status == store.Failed) {
		return store.ErrFinished
	}
	id, err := j.store.OpenWriter(ctx, stream)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.writers == nil {
		j.writers = map[string]writer{}
	}
	j.writers[stream] = writer{id: id}
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
	sequences, err := j.store.Append(ctx, w.Stream, j.writer(w.Stream), stored)
	return sequences, fenced(err)
}

// writer returns the id of a stream's open writer, "" for none.
func (j *journal) writer(stream string) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.writers[stream].id
}

// stored returns the record ids that a stream's writer has stored. keep replaces them.
func (j *journal) stored(stream string) storedIDs {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.writers[stream].stored
}

func (j *journal) keep(stream string, k storedIDs) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if w, open := j.writers[stream]; open {
		j.writers[stream] = writer{w.id, k}
	}
}

// by returns a context that identifies a stream's open writer to the store.
func (j *journal) by(ctx context.Context, stream string) context.Context {
	return store.By(ctx, j.writer(stream))
}

// fenced translates the error of a closed writer for a runtime: another executor has taken the session over.
func fenced(err error) error {
	if errors.Is(err, store.ErrWriterClosed) {
		return runtime.ErrFenced
	}
	return err
}

// Cleanup implements runtime.Journal.
func (j *journal) Cleanup(ctx context.Context, w runtime.Writer, stepCount int) error {
	return fenced(j.store.Cleanup(j.by(ctx, w.Stream), w.Stream, int64(stepCount)))
}

// SetStatus implements runtime.Journal.
func (j *journal) SetStatus(ctx context.Context, w runtime.Writer, status runtime.Status) error {
	to := store.Active
	if status == runtime.StreamPaused {
		to = store.Paused
	}
	return fenced(j.store.SetStatus(j.by(ctx, w.Stream), w.Stream, to))
}

// End implements runtime.Journal.
func (j *journal) End(ctx context.Context, w runtime.Writer, finalOutput json.RawMessage) error {
	return fenced(j.store.End(j.by(ctx, w.Stream), w.Stream, finalOutput))
}

// Fail implements runtime.Journal.
func (j *journal) Fail(ctx context.Context, w runtime.Writer, message, code string) error {
	return fenced(j.store.Fail(j.by(ctx, w.Stream), w.Stream, message, code))
}

// Close implements runtime.Journal.
func (j *journal) Close(stream string) {
	j.mu.Lock()
	w, open := j.writers[stream]
	delete(j.writers, stream)
	j.mu.Unlock()
	if open {
		_ = j.store.CloseWriter(context.Background(), stream, w.id) // the stream may be gone
	}
}

// storedIDs contains the ids of the last stored records of each kind.
type storedIDs struct{ session, run, checkpoint string }
