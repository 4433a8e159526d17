package helix

import (
	"context"
	"encoding/json"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// Store is a store with some methods replaced: each function that is set replaces the method of its name. All others call
// the inner store, which is also available to the functions.
type Store struct {
	store.Store
	OnOpenWriter  func(ctx context.Context, stream string) (string, error)
	OnCloseWriter func(ctx context.Context, stream, writer string) error
	OnAppend      func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error)
	OnEnd         func(ctx context.Context, stream string, finalOutput json.RawMessage) error
	OnFail        func(ctx context.Context, stream, message, code string) error
	OnSetStatus   func(ctx context.Context, stream string, status store.Status) error
	OnCleanup     func(ctx context.Context, stream string, step int64) error
	OnReset       func(ctx context.Context, stream string) error
	OnInfo        func(ctx context.Context, stream string) (store.Info, error)
	OnRead        func(ctx context.Context, stream string, after store.Mark) (store.Log, error)
	OnSetInitial  func(ctx context.Context, stream string, state json.RawMessage) error
	OnSubscribe   func(ctx context.Context, stream string, after int64) (store.Subscription, error)
}

// OnStore brings a store that does some things differently. The function is called once for each server.
func OnStore(replace func(inner store.Store, s *Store)) Apply {
	return func(o helix.Options) helix.Options {
		s := &Store{Store: o.Store}
		replace(o.Store, s)
		o.Store = s
		return o
	}
}

// OnMemory brings a store in memory, for alterations that number chunks or send notices by themselves.
func OnMemory(replace func(inner *store.Memory, s *Store)) Apply {
	return func(o helix.Options) helix.Options {
		inner := new(store.Memory)
		if outlives, ok := o.Store.(interface{ Disk() *store.Memory }); ok {
			inner = outlives.Disk()
		}
		s := &Store{Store: inner}
		replace(inner, s)
		o.Store = s
		return o
	}
}

// Numbering installs a store in memory that numbers chunks differently.
func Numbering(number func(p store.Position) int64) Apply {
	return OnMemory(func(m *store.Memory, _ *Store) { m.Number = number })
}

// OpenWriter implements store.Store.
func (s *Store) OpenWriter(ctx context.Context, stream string) (string, error) {
	if s.OnOpenWriter == nil {
		return s.Store.OpenWriter(ctx, stream)
	}
	return s.OnOpenWriter(ctx, stream)
}

// CloseWriter implements store.Store.
func (s *Store) CloseWriter(ctx context.Context, stream, writer string) error {
	if s.OnCloseWriter == nil {
		return s.Store.CloseWriter(ctx, stream, writer)
	}
	return s.OnCloseWriter(ctx, stream, writer)
}

// Append implements store.Store.
func (s *Store) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	if s.OnAppend == nil {
		return s.Store.Append(ctx, stream, writer, chunks)
	}
	return s.OnAppend(ctx, stream, writer, chunks)
}

// End implements store.Store.
func (s *Store) End(ctx context.Context, stream string, finalOutput json.RawMessage) error {
	if s.OnEnd == nil {
		return s.Store.End(ctx, stream, finalOutput)
	}
	return s.OnEnd(ctx, stream, finalOutput)
}

// Fail implements store.Store.
func (s *Store) Fail(ctx context.Context, stream, message, code string) error {
	if s.OnFail == nil {
		return s.Store.Fail(ctx, stream, message, code)
	}
	return s.OnFail(ctx, stream, message, code)
}

// SetStatus implements store.Store.
func (s *Store) SetStatus(ctx context.Context, stream string, status store.Status) error {
	if s.OnSetStatus == nil {
		return s.Store.SetStatus(ctx, stream, status)
	}
	return s.OnSetStatus(ctx, stream, status)
}

// Cleanup implements store.Store.
func (s *Store) Cleanup(ctx context.Context, stream string, step int64) error {
	if s.OnCleanup == nil {
		return s.Store.Cleanup(ctx, stream, step)
	}
	return s.OnCleanup(ctx, stream, step)
}

// Reset implements store.Store.
func (s *Store) Reset(ctx context.Context, stream string) error {
	if s.OnReset == nil {
		return s.Store.Reset(ctx, stream)
	}
	return s.OnReset(ctx, stream)
}

// Info implements store.Store.
func (s *Store) Info(ctx context.Context, stream string) (store.Info, error) {
	if s.OnInfo == nil {
		return s.Store.Info(ctx, stream)
	}
	return s.OnInfo(ctx, stream)
}

// Subscribe implements store.Store.
func (s *Store) Subscribe(ctx context.Context, stream string, after int64) (store.Subscription, error) {
	if s.OnSubscribe == nil {
		return s.Store.Subscribe(ctx, stream, after)
	}
	return s.OnSubscribe(ctx, stream, after)
}

// Read implements store.Store.
func (s *Store) Read(ctx context.Context, stream string, after store.Mark) (store.Log, error) {
	if s.OnRead == nil {
		return s.Store.Read(ctx, stream, after)
	}
	return s.OnRead(ctx, stream, after)
}

// SetInitial implements store.Store.
func (s *Store) SetInitial(ctx context.Context, stream string, state json.RawMessage) error {
	if s.OnSetInitial == nil {
		return s.Store.SetInitial(ctx, stream, state)
	}
	return s.OnSetInitial(ctx, stream, state)
}

// Log changes the logs that snapshots are made of. The events must be replaced, not changed.
func Log(change func(after store.Mark, log *store.Log)) Apply {
	return OnStore(func(inner store.Store, s *Store) {
		s.OnRead = func(ctx context.Context, stream string, after store.Mark) (store.Log, error) {
			log, err := inner.Read(ctx, stream, after)
			if err == nil {
				change(after, &log)
			}
			return log, err
		}
	})
}

// CompleteLog has every log read from its beginning before it is changed.
func CompleteLog(change func(log *store.Log)) Apply {
	return OnStore(func(inner store.Store, s *Store) {
		s.OnRead = func(ctx context.Context, stream string, _ store.Mark) (store.Log, error) {
			log, err := inner.Read(ctx, stream, store.Mark{})
			if err == nil {
				change(&log)
			}
			return log, err
		}
	})
}

// Info changes the info of a stream.
func Info(change func(stream string, info *store.Info)) Apply {
	return OnStore(func(inner store.Store, s *Store) {
		s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
			info, err := inner.Info(ctx, stream)
			if err == nil {
				change(stream, &info)
			}
			return info, err
		}
	})
}

// Finished reports whether a stream has its terminal frame.
func Finished(i store.Info) bool { return i.Status == store.Ended || i.Status == store.Failed }
