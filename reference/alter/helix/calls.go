package helix

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/reference/store"
)

// Calls are callbacks before calls of the store. Each one that is set runs before the method of its name, Finish before
// both methods that finish a stream.
type Calls struct {
	OpenWriter func(stream string)
	SetStatus  func(stream string, status store.Status)
	Cleanup    func(stream string, step int64)
	Reset      func(stream string)
	End        func(stream string, output json.RawMessage)
	Fail       func(stream, message, code string)
	Finish     func(stream string)
}

// Before adds callbacks before calls of the store. They don't change the calls.
func Before(c Calls) Apply { return OnStore(func(_ store.Store, s *Store) { s.Before(c) }) }

// Before adds callbacks before calls of the inner store.
func (s *Store) Before(c Calls) {
	inner := s.Store
	if c.OpenWriter != nil {
		s.OnOpenWriter = func(ctx context.Context, stream string) (string, error) {
			c.OpenWriter(stream)
			return inner.OpenWriter(ctx, stream)
		}
	}
	if c.SetStatus != nil {
		s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
			c.SetStatus(stream, status)
			return inner.SetStatus(ctx, stream, status)
		}
	}
	if c.Cleanup != nil {
		s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
			c.Cleanup(stream, step)
			return inner.Cleanup(ctx, stream, step)
		}
	}
	if c.Reset != nil {
		s.OnReset = func(ctx context.Context, stream string) error {
			c.Reset(stream)
			return inner.Reset(ctx, stream)
		}
	}
	if finish := c.Finish; finish != nil {
		c.End = func(stream string, _ json.RawMessage) { finish(stream) }
		c.Fail = func(stream, _, _ string) { finish(stream) }
	}
	if end := c.End; end != nil {
		s.OnEnd = ending(inner, func(stream string, output *json.RawMessage) { end(stream, *output) })
	}
	if fail := c.Fail; fail != nil {
		s.OnFail = failing(inner, func(stream string, message, code *string) { fail(stream, *message, *code) })
	}
}

// Output changes the final output with which streams end.
func Output(change func(stream string, output *json.RawMessage)) Apply {
	return OnStore(func(inner store.Store, s *Store) { s.OnEnd = ending(inner, change) })
}

func ending(inner store.Store, change func(stream string, output *json.RawMessage)) func(context.Context, string, json.RawMessage) error {
	return func(ctx context.Context, stream string, output json.RawMessage) error {
		change(stream, &output)
		return inner.End(ctx, stream, output)
	}
}

// Failure changes the error with which streams fail.
func Failure(change func(stream string, message, code *string)) Apply {
	return OnStore(func(inner store.Store, s *Store) { s.OnFail = failing(inner, change) })
}

func failing(inner store.Store, change func(stream string, message, code *string)) func(ctx context.Context, stream, message, code string) error {
	return func(ctx context.Context, stream, message, code string) error {
		change(stream, &message, &code)
		return inner.Fail(ctx, stream, message, code)
	}
}

// Batches changes the chunks that one call stores; change gets a copy of them.
func Batches(change func(stream string, chunks []store.Chunk) []store.Chunk) Apply {
	return OnStore(func(inner store.Store, s *Store) {
		s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			return inner.Append(ctx, stream, writer, change(stream, slices.Clone(chunks)))
		}
	})
}
