package stream

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// replicas are wrong where several of them serve one store, and right by themselves.
func replicas() []edit.Mutant {
	return []edit.Mutant{
		// Mutants whose replicas don't notify their readers of events of other replicas.
		{Name: "replica-deaf-to-chunks", Requirement: "helix.replicas.live", Stateful: true,
			Summary: "A write wakes the readers of its own process, and those of another hear of it when they come again.",
			Also:    []string{"helix.replicas.sequences", "helix.replicas.survives"},
			Apply:   deafTo(func(e store.Event) bool { return e.Kind == store.ChunkWritten })},
		{Name: "replica-deaf-to-end", Requirement: "helix.replicas.finished", Stateful: true,
			Summary: "The end of a stream wakes the readers of its own process, and those of another are left waiting.",
			Apply:   deafTo(func(e store.Event) bool { return e.Kind.Terminal() })},
		{Name: "replica-deaf-to-cleanup", Requirement: "helix.replicas.truncated", Stateful: true,
			Summary: "A cleanup or a reset is told to the readers of its own process alone.",
			Apply:   deafTo(func(e store.Event) bool { return e.Kind == store.Truncated })},
		{Name: "replica-deaf-to-pause", Requirement: "helix.replicas.status", Stateful: true,
			Summary: "A pause and its end are told to the readers of their own process alone.",
			Apply:   deafTo(func(e store.Event) bool { return e.Kind == store.StatusChanged })},

		// Mutants whose replicas lose or undo changes of other replicas.
		{Name: "replica-loses-between", Requirement: "helix.replicas.resume", Stateful: true,
			Summary: "A reader that comes from another replica gets what this one hears from then on, and not what lies between.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				s.OnSubscribe = func(ctx context.Context, stream string, after int64) (store.Subscription, error) {
					if _, elsewhere := found(ctx, stream); elsewhere && after > 0 {
						if info, err := inner.Info(ctx, stream); err == nil && !on.Finished(info) {
							after = max(after, info.LatestSequence)
						}
					}
					return inner.Subscribe(ctx, stream, after)
				}
			})},
		{Name: "replica-keeps-for-who-lags", Requirement: "helix.replicas.removed", Stateful: true,
			Summary: "While a reader lags, a process keeps what the others got, and sends it to who resumes, removed or not.",
			Apply:   on.OnStore(keepsForWhoLags)},
		{Name: "replica-hoards", Requirement: "helix.replicas.survives",
			Summary: "A process answers a write when it has it in memory, and hands it to the store some seconds later.",
			Also:    []string{"helix.replicas.live", "helix.replicas.resume", "helix.replicas.sequences"},
			Apply:   on.OnStore(func(inner store.Store, s *on.Store) { edit.QueueWrites(inner, s, 5*time.Second) })},

		{Name: "replica-counts-own-writes", Requirement: "helix.replicas.info", Stateful: true,
			Summary: "StreamInfo of a process has the chunks that the process itself wrote.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				of := noteExecuted(inner, s)
				s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
					info, err := inner.Info(ctx, stream)
					d := of(stream)
					d.mu.Lock()
					defer d.mu.Unlock()
					info.ChunkCount = min(info.ChunkCount, int64(len(d.chunks)))
					return info, err
				}
			})},
		{Name: "replica-folds-own-patches", Requirement: "helix.replicas.snapshot", Stateful: true,
			Summary: "A snapshot of a process has the patches that the process itself wrote.",
			Also:    []string{"helix.durable.snapshot"},
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				of := noteExecuted(inner, s)
				s.OnRead = func(ctx context.Context, stream string, after store.Mark) (store.Log, error) {
					log, err := inner.Read(ctx, stream, after)
					log.Events = slices.DeleteFunc(log.Events, func(e store.Event) bool { return edit.TypeOf(e) == "state_patch" && !of(stream).did(e) })
					return log, err
				}
			})},

		// Mutants that count, lock and decide without regard to other replicas.
		{Name: "replica-numbers-alone", Requirement: "helix.replicas.sequences", Stateful: true,
			Summary: "Each process counts the chunks that it hears of, from 1.",
			Also:    []string{"helix.replicas.resume"},
			Apply: on.OnFound(func(was store.Info, e store.Event) []store.Event {
				if highest := max(was.LatestSequence, was.Terminal); e.Sequence > highest {
					e.Sequence -= highest
				}
				return []store.Event{e}
			})},
		{Name: "replica-writes-behind", Requirement: "helix.replicas.order",
			Summary: "A process answers a write when it is in its own queue, which goes to the store some milliseconds later.",
			Also:    []string{"helix.replicas.sequences", "helix.replicas.closed", "helix.replicas.survives"},
			Apply:   on.OnStore(func(inner store.Store, s *on.Store) { edit.QueueWrites(inner, s, 50*time.Millisecond) })},
		{Name: "replica-locks-alone", Requirement: "helix.replicas.whole",
			Summary: "The lock that keeps an array in one piece is one of the process, and another process writes in between.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var mu sync.Mutex
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					mu.Lock()
					defer mu.Unlock()
					return edit.OneByOne(ctx, inner, stream, writer, chunks)
				}
			})},
		{Name: "replica-leaves-executor-at-work", Requirement: "helix.replicas.fenced", Stateful: true,
			Summary: "Who takes a session over trusts that the executor in the other process is dead, and that one goes on writing.",
			Apply:   on.OnRuntime(func(p *runtime.Ports) { p.Handover = unfenced{p.Handover} })},
		{Name: "replica-writes-on", Requirement: "helix.replicas.closed", Stateful: true,
			Summary: "A process asks whether a stream has finished when it first writes to it, and takes chunks for ever after that.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var own alter.PerKey[bool]
				s.Before(on.Calls{Finish: func(stream string) { own.Swap(stream, true) }})
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					sequences, err := inner.Append(ctx, stream, writer, chunks)
					if errors.Is(err, store.ErrFinished) && !own.Get(stream) {
						return make([]int64, len(chunks)), nil
					}
					return sequences, err
				}
			})},
	}
}

// unfenced is a handover that leaves the executor before as it is.
type unfenced struct{ runtime.Handover }

// Fence implements runtime.Handover.
func (unfenced) Fence(context.Context, runtime.StoredSession) error { return nil }

// executedSteps records the calls to a stream that one process executed.
type executedSteps struct {
	mu     sync.Mutex
	chunks map[int64]bool
	others map[store.Kind]bool
}

// did reports whether this process made an event.
func (d *executedSteps) did(e store.Event) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e.Kind == store.ChunkWritten {
		return d.chunks[e.Sequence]
	}
	return d.others[e.Kind]
}

// noted records events of some kinds as made by this process, before they are made.
func (d *executedSteps) noted(kinds ...store.Kind) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, k := range kinds {
		d.others[k] = true
	}
}

// deafTo keeps events from readers that were attached when another process made them.
func deafTo(hit func(store.Event) bool) on.Apply {
	return on.OnStore(func(inner store.Store, s *on.Store) {
		of := noteExecuted(inner, s)
		s.OnSubscribe = func(ctx context.Context, stream string, after int64) (store.Subscription, error) {
			info, _ := inner.Info(ctx, stream) // where there is none, there is nothing to subscribe to either
			sub, err := inner.Subscribe(ctx, stream, after)
			if err != nil || on.Finished(info) {
				return sub, err
			}
			d := of(stream)
			return &deaf{Subscription: sub, to: func(e store.Event) bool {
				stored := e.Kind == store.ChunkWritten && e.Sequence <= info.LatestSequence
				return hit(e) && !stored && !d.did(e)
			}}, nil
		}
	})
}

// noteExecuted records the calls to streams through one process, and returns what reads the record of a stream.
func noteExecuted(inner store.Store, s *on.Store) func(stream string) *executedSteps {
	var own alter.PerKey[*executedSteps]
	of := func(stream string) (d *executedSteps) {
		own.With(stream, func(at **executedSteps) {
			if *at == nil {
				*at = &executedSteps{chunks: map[int64]bool{}, others: map[store.Kind]bool{}}
			}
			d = *at
		})
		return d
	}
	s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
		d := of(stream)
		d.mu.Lock() // until it is known which sequences are our own
		defer d.mu.Unlock()
		sequences, err := inner.Append(ctx, stream, writer, chunks)
		for _, n := range sequences {
			d.chunks[n] = true
		}
		return sequences, err
	}
	s.Before(on.Calls{
		End:       func(stream string, _ json.RawMessage) { of(stream).noted(store.StreamEnded) },
		Fail:      func(stream, _, _ string) { of(stream).noted(store.StreamFailed) },
		SetStatus: func(stream string, _ store.Status) { of(stream).noted(store.StatusChanged) },
		Cleanup:   func(stream string, _ int64) { of(stream).noted(store.Truncated) },
		Reset:     func(stream string) { of(stream).noted(store.Truncated, store.StatusChanged) },
	})
	return of
}

// deaf is a subscription that never delivers some events.
type deaf struct {
	store.Subscription
	to func(store.Event) bool
}

// Next implements store.Subscription. Who is deaf to the end waits for ever.
func (d *deaf) Next(ctx context.Context) ([]store.Event, error) {
	batch, err := d.Subscription.Next(ctx)
	if err == io.EOF {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return slices.DeleteFunc(batch, d.to), err
}

// keepsForWhoLags keeps chunks while a reader has got less than another, for those who come with a cursor.
func keepsForWhoLags(inner store.Store, s *on.Store) {
	var got alter.PerKey[[]*int64] // the last sequence of each subscription
	cachesLog(inner, s, func(stream string, after int64) (lags bool) {
		got.With(stream, func(each *[]*int64) {
			lags = after > 0 && slices.ContainsFunc(*each, func(last *int64) bool { return *last < after })
		})
		return lags
	})
	subscribe := s.OnSubscribe
	s.OnSubscribe = func(ctx context.Context, stream string, after int64) (store.Subscription, error) {
		sub, err := subscribe(ctx, stream, after)
		if err != nil {
			return nil, err
		}
		last := &after
		got.With(stream, func(each *[]*int64) { *each = append(*each, last) })
		return store.Map(sub, func(e store.Event) []store.Event {
			got.With(stream, func(*[]*int64) { *last = max(*last, e.Sequence) })
			return []store.Event{e}
		}), nil
	}
}

// cachesLog keeps the chunks that readers of this process got, and sends them first to others that a function names.
func cachesLog(inner store.Store, s *on.Store, to func(stream string, after int64) bool) {
	var kept alter.PerKey[[]store.Event]
	s.Before(on.Calls{
		Cleanup: func(stream string, _ int64) {
			kept.Swap(stream, nil) // what this process removes it knows
		},
		Reset: func(stream string) { kept.Swap(stream, nil) },
	})
	s.OnSubscribe = func(ctx context.Context, stream string, after int64) (store.Subscription, error) {
		sub, err := inner.Subscribe(ctx, stream, after)
		if err != nil {
			return nil, err
		}
		cached := slices.DeleteFunc(slices.Clone(kept.Get(stream)), func(e store.Event) bool { return e.Sequence <= after })
		if !to(stream, after) {
			cached = nil
		}
		known := after
		if n := len(cached); n > 0 {
			known = cached[n-1].Sequence
		}
		return on.Preceded(store.Map(sub, func(e store.Event) []store.Event {
			if e.Kind != store.ChunkWritten {
				return []store.Event{e}
			}
			if e.Sequence <= known {
				return nil
			}
			kept.With(stream, func(all *[]store.Event) {
				if n := len(*all); n == 0 || (*all)[n-1].Sequence < e.Sequence {
					*all = append(*all, e)
				}
			})
			return []store.Event{e}
		}), cached...), nil
	}
}
