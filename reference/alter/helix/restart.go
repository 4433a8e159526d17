package helix

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/streamcert/streamcert/reference/store"
)

// Found returns the state of a stream when this process of the server first saw it; false for a stream that it made itself.
type Found func(ctx context.Context, stream string) (store.Info, bool)

// AfterRestart replaces methods of the store for streams that an earlier process of the server has left.
func AfterRestart(replace func(inner store.Store, s *Store, found Found)) Apply {
	return OnStore(func(inner store.Store, s *Store) {
		l := &left{inner: inner, streams: map[string]*store.Info{}}
		s.OnOpenWriter = func(ctx context.Context, stream string) (string, error) {
			l.found(ctx, stream)
			return inner.OpenWriter(ctx, stream)
		}
		s.OnSetInitial = func(ctx context.Context, stream string, state json.RawMessage) error {
			l.found(ctx, stream)
			return inner.SetInitial(ctx, stream, state)
		}
		replace(inner, s, l.found)
	})
}

// left remembers which streams were there.
type left struct {
	inner store.Store

	mu      sync.Mutex
	streams map[string]*store.Info // nil: made since the restart
}

func (l *left) found(ctx context.Context, stream string) (store.Info, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	was, known := l.streams[stream]
	if !known {
		info, err := l.inner.Info(ctx, stream)
		switch {
		case err == nil:
			was = &info
		case !errors.Is(err, store.ErrUnknownStream):
			return info, false
		}
		l.streams[stream] = was
	}
	if was == nil {
		return store.Info{}, false
	}
	return *was, true
}

// OnFound changes the events that readers of a stream from an earlier process receive.
func OnFound(change func(was store.Info, e store.Event) []store.Event) Apply {
	return AfterRestart(func(inner store.Store, s *Store, found Found) {
		s.OnSubscribe = func(ctx context.Context, stream string, after int64) (store.Subscription, error) {
			was, before := found(ctx, stream)
			sub, err := inner.Subscribe(ctx, stream, after)
			if err != nil || !before {
				return sub, err
			}
			return store.Map(sub, func(e store.Event) []store.Event { return change(was, e) }), nil
		}
	})
}

// OnFoundStart changes the position at which readers of a stream from an earlier process begin.
func OnFoundStart(start func(was store.Info, after int64) int64) Apply {
	return AfterRestart(func(inner store.Store, s *Store, found Found) {
		s.OnSubscribe = func(ctx context.Context, stream string, after int64) (store.Subscription, error) {
			if was, before := found(ctx, stream); before {
				after = start(was, after)
			}
			return inner.Subscribe(ctx, stream, after)
		}
	})
}
