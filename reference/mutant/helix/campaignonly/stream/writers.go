package stream

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// writers lists the mutants that several writers, or writes at once, show.
func writers() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that err with some writers, or with some of their chunks.
		{Name: "writer-of-five-closes-the-first", Requirement: "helix.lifecycle.many-writers",
			Summary: "A stream has room for four writers: a fifth takes the place of the first.",
			Apply:   capacityForWriters(4)},
		{Name: "cleanup-opens-closed-writers", Requirement: "helix.lifecycle.closed-writer",
			Summary: "A cleanup loads the stream anew, and its writers with it, all of them open.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var cleanups alter.PerKey[int]
				s.Before(on.Calls{Cleanup: func(stream string, _ int64) { alter.Count(&cleanups, stream) }})
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					sequences, err := inner.Append(ctx, stream, writer, chunks)
					if errors.Is(err, store.ErrWriterClosed) && cleanups.Get(stream) > 0 {
						if writer, err = inner.OpenWriter(ctx, stream); err == nil {
							return inner.Append(ctx, stream, writer, chunks)
						}
					}
					return sequences, err
				}
			})},

		// Mutants that store some chunks wrongly.
		{Name: "steps-of-31-bits", Requirement: "helix.truncation.removes",
			Summary: "The column of steps holds 31 bits, and a step beyond counts as none.",
			Apply: on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
				for i := range chunks {
					chunks[i].HasStep = chunks[i].HasStep && chunks[i].Step < 1<<31
				}
				return chunks
			})},

		// These tell some readers too little, or others too much.
		{Name: "lowest-step-so-far", Requirement: "helix.truncation.step",
			Summary: "A notice of a cleanup names the lowest step that a cleanup of the stream has named so far.",
			Apply: on.Events().Map(func(on.Attached) func(store.Event) []store.Event {
				lowest := int64(-1)
				return func(e store.Event) []store.Event {
					if isNotice(e, store.Truncated) && e.AtStep > 0 {
						if lowest < 0 || e.AtStep < lowest {
							lowest = e.AtStep
						}
						e.AtStep = lowest
					}
					return []store.Event{e}
				}
			})},
		{Name: "pause-after-a-reset-is-no-news", Requirement: "helix.status.frames",
			Summary: "A connection keeps in mind that it told of a pause, also where a reset has ended it, and tells of no other.",
			Apply: on.Events(func(on.Attached) func(store.Event) bool {
				var last store.Status
				reset := false
				return func(e store.Event) bool {
					again := isNotice(e, store.StatusChanged) && e.Status == last
					switch {
					case isNotice(e, store.Truncated):
						reset = e.AtStep == 0
					case isNotice(e, store.StatusChanged) && reset && e.Status == store.Active:
						reset = false // and last stays what it was
					case isNotice(e, store.StatusChanged):
						last = e.Status
					}
					return again
				}
			}).Drop()},
		{Name: "pauses-all-before-the-colon", Requirement: "helix.status.transitions",
			Summary: "What stands before a colon in an id names a tenant, and a pause reaches all of its streams.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var tenants alter.PerKey[[]string]
				s.Before(on.Calls{
					OpenWriter: func(stream string) {
						if tenant, _, ok := strings.Cut(stream, ":"); ok {
							tenants.With(tenant, func(all *[]string) { *all = append(*all, stream) })
						}
					},
				})
				s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
					if tenant, _, ok := strings.Cut(stream, ":"); ok {
						for _, other := range tenants.Get(tenant) {
							_ = inner.SetStatus(ctx, other, status) // it may be over
						}
					}
					return inner.SetStatus(ctx, stream, status)
				}
			})},

		// These finish a stream wrongly, for some ends.
		{Name: "third-terminal-call-wins", Requirement: "helix.lifecycle.first-terminal-wins",
			Summary: "A stream that is finished refuses to be finished once: the next call writes its end anew.",
			Apply: func(o reference.Options) reference.Options {
				type finish struct {
					calls int
					end   store.Event
				}
				var finished alter.PerKey[finish]
				note := func(stream string, end store.Event) {
					finished.With(stream, func(f *finish) { f.calls, f.end = f.calls+1, end })
				}
				return alter.All(on.Before(on.Calls{
					End: func(stream string, output json.RawMessage) {
						note(stream, store.Event{Kind: store.StreamEnded, FinalOutput: output})
					},
					Fail: func(stream, message, code string) {
						note(stream, store.Event{Kind: store.StreamFailed, Error: message, Code: code})
					},
					Reset: func(stream string) { finished.Set(stream, finish{}) },
				}), edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
					if f := finished.Get(v.Stream); e.Kind.Terminal() && f.calls > 2 {
						f.end.Sequence = e.Sequence
						e = f.end
					}
					return []store.Event{e}
				}))(o)
			}},
		{Name: "later-end-gives-the-output", Requirement: "helix.lifecycle.final-output", Also: []string{"helix.lifecycle.first-terminal-wins"},
			Summary: "A stream that ended without an output gets that of the next call that ends it.",
			Apply:   filledLater},
		{Name: "output-texts-of-4000-characters", Requirement: "helix.lifecycle.final-output",
			Summary: "A text in the output of a stream is kept with 4,000 characters.",
			Apply: on.Output(func(_ string, output *json.RawMessage) {
				if *output != nil {
					*output = edit.EveryValue(*output, edit.OnText(func(s string) any {
						text := []rune(s)
						return string(text[:min(len(text), 4000)])
					}))
				}
			})},
		{Name: "failures-of-255-characters", Requirement: "helix.lifecycle.fail",
			Summary: "Who comes after a failure gets the first 255 characters of its text.",
			Apply: edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
				if text := []rune(e.Error); isNotice(e, store.StreamFailed) && v.Finished() && len(text) > 255 {
					e.Error = string(text[:255])
				}
				return []store.Event{e}
			})},

		// These take concurrent calls for one.
		{Name: "cleanups-at-once-are-one", Requirement: "helix.truncation.removes", Summary: "A cleanup that comes while another one is at work is answered with it.",
			Also: []string{"helix.truncation.count-after", "helix.status.count"},
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var working sync.Map // streams
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					if _, busy := working.LoadOrStore(stream, true); busy {
						return nil
					}
					defer working.Delete(stream)
					time.Sleep(removing)
					return inner.Cleanup(ctx, stream, step)
				}
			})},
	}
}

// filledLater gives a stream that ended without an output that of the next call that ends it.
func filledLater(o reference.Options) reference.Options {
	var ended alter.PerKey[bool]
	var delayed alter.PerKey[json.RawMessage]
	return alter.All(on.Before(on.Calls{
		End: func(stream string, output json.RawMessage) {
			if ended.Swap(stream, true) && delayed.Get(stream) == nil {
				delayed.Set(stream, output)
			}
		},
		Reset: func(stream string) { ended.Set(stream, false); delayed.Set(stream, nil) },
	}), edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
		if e.Kind == store.StreamEnded && e.FinalOutput == nil {
			e.FinalOutput = delayed.Get(v.Stream)
		}
		return []store.Event{e}
	}))(o)
}

// The times for which concurrent calls are taken for one: a removal takes longer than a read.
const (
	removing = 20 * time.Millisecond
	looking  = 3 * time.Millisecond
)
