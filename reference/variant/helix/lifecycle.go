package helix

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// finishes are other ways to take calls about the life of a stream.
func finishes() []Variant {
	return []Variant{{
		Name: "second-end-refused", Freedom: "a second end",
		Summary: "Ending or failing what is finished is answered 409.",
		Apply:   onStore(func(inner store.Store) store.Store { return &strict{Store: inner} }),
	}, {
		Name: "late-calls-accepted", Freedom: "helix.status.final",
		Summary: "A pause of what is finished is accepted and changes nothing.",
		Apply:   onStore(func(inner store.Store) store.Store { return &lenient{Store: inner} }),
	}, {
		Name: "closed-writer-forgotten", Freedom: "helix.lifecycle.closed-writer",
		Summary: "A writer that is closed is unknown from then on: 404 for a write and for closing it again.",
		Apply:   onStore(func(inner store.Store) store.Store { return &forgetful{Store: inner} }),
	}, {
		Name: "no-final-output", Freedom: "helix.lifecycle.final-output",
		Summary: "An end frame never carries the output.",
		Apply: onEvents(func(e store.Event) []store.Event {
			e.FinalOutput = nil
			return []store.Event{e}
		}),
	}, {
		Name: "finished-reset-refused", Freedom: "helix.truncation.reset-reopens",
		Summary: "A reset of what is finished is answered 409.",
		Apply:   onStore(func(inner store.Store) store.Store { return &final{Store: inner} }),
	}, {
		Name: "latest-zero-after-reset", Freedom: "`latestSequence` after a reset",
		Summary: "StreamInfo counts what was assigned since the last reset.",
		Apply:   onStore(func(inner store.Store) store.Store { return &anew{Store: inner, begun: map[string]bool{}} }),
	}, {
		Name: "writers-close-with-their-stream", Freedom: "writers at an end, a failure or a reset",
		Summary: "An end, a failure and a reset close every writer of the stream.",
		Apply: onStore(func(inner store.Store) store.Store {
			return &handles{Store: inner, writers: map[string][]string{}}
		}),
	}}
}

// anew forgets with each reset what was assigned before.
type anew struct {
	store.Store
	mu    sync.Mutex
	begun map[string]bool // false: nothing was written since a reset
}

func (s *anew) Reset(ctx context.Context, stream string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun[stream] = false
	return s.Store.Reset(ctx, stream)
}

func (s *anew) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun[stream] = true
	return s.Store.Append(ctx, stream, writer, chunks)
}

func (s *anew) Info(ctx context.Context, stream string) (store.Info, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := s.Store.Info(ctx, stream)
	if !s.begun[stream] {
		info.LatestSequence = 0
	}
	return info, err
}

// onEvents changes what readers receive, without remembering anything.
func onEvents(change func(store.Event) []store.Event) apply {
	return onAttach(func(_ helix.Reader, s store.Subscription) store.Subscription { return store.Map(s, change) })
}

// unfinished is an error for a stream that is over.
func unfinished(ctx context.Context, s store.Store, stream string) error {
	info, err := s.Info(ctx, stream)
	if err == nil && isFinished(info) {
		err = refusal(http.StatusConflict, "the stream is finished")
	}
	return err
}

// strict refuses to finish or to write to what is finished.
type strict struct{ store.Store }

func (s *strict) OpenWriter(ctx context.Context, stream string) (string, error) {
	if info, err := s.Store.Info(ctx, stream); err == nil && isFinished(info) {
		return "", store.ErrFinished
	}
	return s.Store.OpenWriter(ctx, stream)
}

func (s *strict) End(ctx context.Context, stream string, finalOutput json.RawMessage) error {
	if err := unfinished(ctx, s.Store, stream); err != nil {
		return err
	}
	return s.Store.End(ctx, stream, finalOutput)
}

func (s *strict) Fail(ctx context.Context, stream, message, code string) error {
	if err := unfinished(ctx, s.Store, stream); err != nil {
		return err
	}
	return s.Store.Fail(ctx, stream, message, code)
}

// lenient accepts a status that can't be had any more.
type lenient struct{ store.Store }

func (s *lenient) SetStatus(ctx context.Context, stream string, status store.Status) error {
	if err := s.Store.SetStatus(ctx, stream, status); err != store.ErrFinished {
		return err
	}
	return nil
}

// forgetful knows open writers only.
type forgetful struct{ store.Store }

func (s *forgetful) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	sequences, err := s.Store.Append(ctx, stream, writer, chunks)
	if err == store.ErrWriterClosed {
		err = store.ErrUnknownWriter
	}
	return sequences, err
}

func (s *forgetful) CloseWriter(ctx context.Context, stream, writer string) error {
	// An empty write finds out whether the writer is open; of a finished stream it can't be known.
	if _, err := s.Append(ctx, stream, writer, nil); err == store.ErrUnknownWriter {
		return err
	}
	return s.Store.CloseWriter(ctx, stream, writer)
}

// final refuses to reset what is finished.
type final struct{ store.Store }

func (s *final) Reset(ctx context.Context, stream string) error {
	if err := unfinished(ctx, s.Store, stream); err != nil {
		return err
	}
	return s.Store.Reset(ctx, stream)
}

// closing ends a connection with the events for which a function holds.
type closing struct {
	store.Subscription
	last func(store.Event) (closes, with bool) // whether the connection closes at an event, and whether that is still sent
	done bool
}

func (s *closing) Next(ctx context.Context) ([]store.Event, error) {
	if s.done {
		return nil, io.EOF
	}
	events, err := s.Subscription.Next(ctx)
	for i, e := range events {
		if closes, with := s.last(e); closes {
			s.done = true
			if with {
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
