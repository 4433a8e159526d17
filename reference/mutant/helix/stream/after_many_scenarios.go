package stream

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// afterManyScenarios are mutants that only a run of many scenarios shows.
func afterManyScenarios() []edit.Mutant {
	return []edit.Mutant{
		{Name: "chunk-of-another-stream-once", Requirement: "helix.security.isolation", Stateful: true, AcrossScenarios: true,
			Summary: "Every 200th chunk is sent from a buffer that another stream has filled.",
			Apply:   buffersCross(200)},
		{Name: "forgets-quiet-readers", Requirement: "helix.lifecycle.live", Stateful: true, AcrossScenarios: true,
			Summary: "A reader that was sent nothing while 300 others came is taken for dead.",
			Apply:   quietAreDead(300)},
		{Name: "evicts-oldest-stream", Requirement: "helix.resume.complete", Stateful: true, AcrossScenarios: true,
			Summary: "The store holds 200 streams, and the oldest makes room without a word.",
			Also:    []string{"helix.resume.paused", "helix.status.transitions", "helix.lifecycle.live"},
			Apply:   limitsStreams(200)},
		{Name: "pause-wears-off", Requirement: "helix.status.transitions", Stateful: true, AcrossScenarios: true,
			Summary: "The last 100 status calls are remembered, and a stream without one is active.",
			Apply:   remembersCalls(100)},
	}
}

// quietAreDead sends nothing more to a reader that got nothing while others came.
func quietAreDead(most int64) on.Apply {
	return func(o reference.Options) reference.Options {
		var came atomic.Int64
		return on.Events().Map(func(on.Attached) func(store.Event) []store.Event {
			last := came.Add(1)
			return func(e store.Event) []store.Event {
				now := came.Load()
				if now-last > most {
					return nil
				}
				last = now
				return []store.Event{e}
			}
		})(o)
	}
}

// limitsStreams forgets the oldest stream when there is one too many.
func limitsStreams(most int) on.Apply {
	return on.OnStore(func(inner store.Store, s *on.Store) {
		var mu sync.Mutex
		var withheld []string
		s.OnOpenWriter = func(ctx context.Context, stream string) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			if !slices.Contains(withheld, stream) {
				withheld = append(withheld, stream)
			}
			if len(withheld) > most {
				_ = inner.Delete(ctx, withheld[0]) // it may be gone already
				withheld = withheld[1:]
			}
			return inner.OpenWriter(ctx, stream)
		}
	})
}

// remembersCalls knows the pauses of the last status calls.
func remembersCalls(most int) on.Apply {
	return on.OnStore(func(inner store.Store, s *on.Store) {
		var mu sync.Mutex
		var calls []string
		s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
			mu.Lock()
			defer mu.Unlock()
			calls = append(calls, stream)
			return inner.SetStatus(ctx, stream, status)
		}
		s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
			info, err := inner.Info(ctx, stream)
			mu.Lock()
			defer mu.Unlock()
			if info.Status == store.Paused && !slices.Contains(calls[max(0, len(calls)-most):], stream) {
				info.Status = store.Active
			}
			return info, err
		}
	})
}

// buffersCross gives a reader a chunk of another stream once in a number of chunks.
func buffersCross(each int) on.Apply {
	return func(o reference.Options) reference.Options { return buffers(each)(o) }
}

// buffers is buffersCross for one server: each has separate buffers.
func buffers(each int) on.Apply {
	var mu sync.Mutex
	n, buffer, of := 0, store.Chunk{}, ""
	return edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
		if e.Kind != store.ChunkWritten {
			return []store.Event{e}
		}
		mu.Lock()
		defer mu.Unlock()
		n++
		own := e.Chunk
		if n >= each && of != "" && of != v.Stream {
			n, e.Chunk = 0, buffer
		}
		buffer, of = own, v.Stream
		return []store.Event{e}
	})
}
