package helix

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// finishes returns variants that handle the calls that finish or reset a stream differently.
func finishes() []Variant {
	return []Variant{
		{Name: "second-end-refused", Freedom: "a second end",
			Summary: "Ending or failing what is finished is answered 409.",
			Apply:   on.OnStore(strict)},
		{Name: "late-calls-accepted", Freedom: "helix.status.final",
			Summary: "A pause of what is finished is accepted and changes nothing.",
			Apply:   on.OnStore(acceptsUnavailable)},
		{Name: "closed-writer-forgotten", Freedom: "helix.lifecycle.closed-writer",
			Summary: "A writer that is closed is unknown from then on: 404 for a write and for closing it again.",
			Apply:   on.OnStore(forgetful)},
		{Name: "no-final-output", Freedom: "the output of an end",
			Summary: "An end frame never carries the output.",
			Apply:   on.Events().Edit(func(e *store.Event) { e.FinalOutput = nil })},
		{Name: "finished-reset-refused", Freedom: "helix.truncation.reset-reopens",
			Summary: "A reset of what is finished is answered 409.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnReset = func(ctx context.Context, stream string) error {
					if err := unfinished(ctx, inner, stream); err != nil {
						return err
					}
					return inner.Reset(ctx, stream)
				}
			})},
		{Name: "latest-zero-after-reset", Freedom: "`latestSequence` after a reset",
			Summary: "StreamInfo counts what was assigned since the last reset.",
			Apply:   on.OnStore(anew)},
		{Name: "writers-close-with-their-stream", Freedom: "writers at an end, a failure or a reset",
			Summary: "An end, a failure and a reset close every writer of the stream.",
			Apply: func(o reference.Options) reference.Options {
				o.Store = &handles{Store: o.Store, writers: map[string][]string{}}
				return o
			}},
	}
}

// anew forgets the assigned ids with each reset.
func anew(inner store.Store, s *on.Store) {
	var fresh alter.PerKey[bool] // nothing was written since a reset
	s.OnReset = func(ctx context.Context, stream string) (err error) {
		fresh.With(stream, func(b *bool) { *b, err = true, inner.Reset(ctx, stream) })
		return err
	}
	s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) (sequences []int64, err error) {
		fresh.With(stream, func(b *bool) {
			*b = false
			sequences, err = inner.Append(ctx, stream, writer, chunks)
		})
		return sequences, err
	}
	s.OnInfo = func(ctx context.Context, stream string) (info store.Info, err error) {
		fresh.With(stream, func(b *bool) {
			if info, err = inner.Info(ctx, stream); *b {
				info.LatestSequence = 0
			}
		})
		return info, err
	}
}

// unfinished is an error for a stream that is over.
func unfinished(ctx context.Context, s store.Store, stream string) error {
	info, err := s.Info(ctx, stream)
	if err == nil && on.Finished(info) {
		err = refusal(http.StatusConflict, "the stream is finished")
	}
	return err
}

// strict refuses to finish a finished stream or to write to it.
func strict(inner store.Store, s *on.Store) {
	s.OnOpenWriter = func(ctx context.Context, stream string) (string, error) {
		if info, err := inner.Info(ctx, stream); err == nil && on.Finished(info) {
			return "", store.ErrFinished
		}
		return inner.OpenWriter(ctx, stream)
	}
	s.OnEnd = func(ctx context.Context, stream string, finalOutput json.RawMessage) error {
		if err := unfinished(ctx, inner, stream); err != nil {
			return err
		}
		return inner.End(ctx, stream, finalOutput)
	}
	s.OnFail = func(ctx context.Context, stream, message, code string) error {
		if err := unfinished(ctx, inner, stream); err != nil {
			return err
		}
		return inner.Fail(ctx, stream, message, code)
	}
}

// acceptsUnavailable accepts a status that can't be had any more.
func acceptsUnavailable(inner store.Store, s *on.Store) {
	s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
		if err := inner.SetStatus(ctx, stream, status); err != store.ErrFinished {
			return err
		}
		return nil
	}
}

// forgetful knows open writers only.
func forgetful(inner store.Store, s *on.Store) {
	s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
		sequences, err := inner.Append(ctx, stream, writer, chunks)
		if err == store.ErrWriterClosed {
			err = store.ErrUnknownWriter
		}
		return sequences, err
	}
	s.OnCloseWriter = func(ctx context.Context, stream, writer string) error {
		// An empty write finds out whether the writer is open; of a finished stream it can't be known.
		if _, err := s.OnAppend(ctx, stream, writer, nil); err == store.ErrUnknownWriter {
			return err
		}
		return inner.CloseWriter(ctx, stream, writer)
	}
}

// closingAt closes connections at the events that when matches, after them if behind is set, else before them.
func closingAt(when on.Reading, behind bool) apply {
	return on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
		return &closing{Subscription: s, last: when(v), behind: behind}
	})
}

// closing ends at an event.
type closing struct {
	store.Subscription
	last   func(store.Event) bool
	behind bool // whether that is still sent
	done   bool
}

func (s *closing) Next(ctx context.Context) ([]store.Event, error) {
	if s.done {
		return nil, io.EOF
	}
	events, err := s.Subscription.Next(ctx)
	for i, e := range events {
		if s.last(e) {
			s.done = true
			if s.behind {
				i++
			}
			return events[:i], err
		}
	}
	return events, err
}

// handles remembers the writers of each stream, and closes them when the stream ends, fails or is reset.
type handles struct {
	store.Store
	mu      sync.Mutex
	writers map[string][]string
}

func (s *handles) OpenWriter(ctx context.Context, stream string) (string, error) {
	writer, err := s.Store.OpenWriter(ctx, stream)
	if err == nil {
		s.mu.Lock()
		s.writers[stream] = append(s.writers[stream], writer)
		s.mu.Unlock()
	}
	return writer, err
}

// Delete forgets the writers of the stream with it.
func (s *handles) Delete(ctx context.Context, stream string) error {
	s.mu.Lock()
	delete(s.writers, stream)
	s.mu.Unlock()
	return s.Store.Delete(ctx, stream)
}

// closeAll closes the writers of a stream once a call has succeeded.
func (s *handles) closeAll(ctx context.Context, stream string, err error) error {
	if err != nil {
		return err
	}
	s.mu.Lock()
	writers := s.writers[stream]
	delete(s.writers, stream)
	s.mu.Unlock()
	for _, writer := range writers {
		if err := s.Store.CloseWriter(ctx, stream, writer); err != nil {
			return err
		}
	}
	return nil
}

func (s *handles) End(ctx context.Context, stream string, finalOutput json.RawMessage) error {
	return s.closeAll(ctx, stream, s.Store.End(ctx, stream, finalOutput))
}

func (s *handles) Fail(ctx context.Context, stream, message, code string) error {
	return s.closeAll(ctx, stream, s.Store.Fail(ctx, stream, message, code))
}

func (s *handles) Reset(ctx context.Context, stream string) error {
	return s.closeAll(ctx, stream, s.Store.Reset(ctx, stream))
}
