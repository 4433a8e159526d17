package stream

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// lifecycle lists the mutants of lifecycle.
func lifecycle() []edit.Mutant {
	return []edit.Mutant{
		// These take writers for something else.
		{Name: "creates-on-first-chunk", Requirement: "helix.lifecycle.writer-creates",
			Summary: "A stream comes to be with its first chunk, and a reader that is earlier gets 404.",
			Also:    []string{"helix.wire.head", "helix.ordering.total-order", "helix.ordering.distinct-sequences"},
			Apply:   on.Starts(func(s on.Start) bool { return s.LatestSequence == 0 && s.Status == store.Active }).Refuse(store.ErrUnknownStream)},
		{Name: "closing-writer-ends-stream", Requirement: "helix.lifecycle.writer-close", Stateful: true,
			Summary: "The close of a sub-agent's writer is taken for the end of the stream, though its parent still writes.",
			Apply:   onWriters(func(w writers, closed string) bool { return len(w.open) > 0 && closed != w.opened[0] })},
		{Name: "last-writer-ends-stream", Requirement: "helix.lifecycle.writer-close", Stateful: true,
			Summary: "Writers are counted, and the stream ends when none is left.",
			Also:    []string{"helix.lifecycle.closed-writer"},
			Apply:   onWriters(func(w writers, _ string) bool { return len(w.open) == 0 })},
		{Name: "closed-writer-writes", Requirement: "helix.lifecycle.closed-writer",
			Summary: "Closing a writer is acknowledged and forgotten.",
			Apply: on.OnStore(func(_ store.Store, s *on.Store) {
				s.OnCloseWriter = func(context.Context, string, string) error { return nil }
			})},
		{Name: "second-writer-ousts-first", Requirement: "helix.lifecycle.many-writers", Stateful: true,
			Summary: "The lease of a stream passes to whoever writes, and the writer that made the stream doesn't get it back.",
			Apply:   oustsFirst},

		// These get the end wrong for readers that wait for it.
		{Name: "end-reaches-one-reader", Requirement: "helix.lifecycle.end", Stateful: true,
			Summary: "Of several readers that wait, the end wakes the first only.",
			Apply:   on.NeverSent(on.Unfinished(), on.CameAfter(1), on.Kind(store.StreamEnded))},
		{Name: "paused-reader-never-ends", Requirement: "helix.lifecycle.end", Stateful: true,
			Summary: "A reader that came during a pause waits for the run to go on, and the end isn't that.",
			Also:    []string{"helix.lifecycle.fail"},
			Apply:   on.NeverSent(on.CameWhile(store.Paused), on.Terminal())},
		{Name: "closes-on-who-is-ahead", Requirement: "helix.lifecycle.end", Stateful: true,
			Summary: "A reader whose cursor is beyond the end finds the log read to the end, and its body closes without a word.",
			Also:    []string{"helix.lifecycle.fail"},
			Apply: on.Events(func(v on.Attached) func(store.Event) bool {
				return func(e store.Event) bool { return e.Kind.Terminal() && e.Sequence <= v.Cursor.After }
			}).Drop()},

		// Mutants that change the content of the end, or lose chunks before it.
		{Name: "stringifies-final-output", Requirement: "helix.lifecycle.final-output",
			Summary: "A final output that isn't a string is carried as a string of JSON.",
			Apply: on.Output(func(_ string, out *json.RawMessage) {
				if text := string(*out); text != "" && text[0] != '"' {
					*out = alter.Encode(text)
				}
			})},
		{Name: "fail-says-internal-error", Requirement: "helix.lifecycle.fail",
			Summary: "An error without a code counts as one that users must not see.",
			Also:    []string{"helix.security.forged-error"},
			Apply: on.Failure(func(_ string, message, code *string) {
				if *code == "" {
					*message = "internal error"
				}
			})},
		{Name: "fail-untold-by-query", Requirement: "helix.lifecycle.fail", Stateful: true,
			Summary: "Who came with a query is served by the loop of the archive, in which nothing fails.",
			Apply:   on.NeverSent(on.Unfinished(), on.ForAttached(byQuery), on.Kind(store.StreamFailed))},
		{Name: "loses-last-chunk-before-end", Requirement: "helix.lifecycle.terminal-last-chunks", Stateful: true,
			Summary: "A long array is stored in pages of sixteen, the rest with the next write, and the end forgets the rest.",
			Apply:   on.OnStore(losesLastPage)},

		// Mutants that change the terminal frame or its neighbours.
		{Name: "sends-end-twice", Requirement: "helix.lifecycle.one-terminal", Stateful: true,
			Summary: "A reader that waits for the end gets it twice: with the call that wakes it, and from the log.",
			Apply:   on.Events(on.Unfinished(), on.Terminal()).Repeat()},
		{Name: "leaves-body-open", Requirement: "helix.lifecycle.body-closes", Stateful: true,
			Summary: "The response of a reader that was there when the stream ended is left to the reader to close.",
			Also:    []string{"helix.security.forged-error"},
			Apply:   on.OnAttachment(leavesOpen)},
		{Name: "leaks-sentinel", Requirement: "helix.lifecycle.no-sentinel",
			Summary: "The fail frame is made of the marker that stands at the end of the log.",
			Apply:   on.Frames(on.Of(store.StreamFailed)).Set("__streamEnd", `true`)},
		{Name: "end-while-attaching-lost", Requirement: "helix.lifecycle.empty-stream", Stateful: true,
			Summary: "A reader is put on the list with the first frame that it is sent, and an end that comes before that " +
				"passes it by.",
			Apply: on.NeverSent(on.Unfinished(), on.Terminal(), on.All().Nth(1))},

		// These treat a finished stream as if it weren't.
		{Name: "stores-after-end", Requirement: "helix.lifecycle.no-chunk-after-end",
			Summary: "A write after the end is refused only after it was stored.",
			Apply:   storesAfterEnd},
		{Name: "accepts-write-after-end", Requirement: "helix.lifecycle.write-after-end",
			Summary: "A write after the end is answered 201 and dropped.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					sequences, err := inner.Append(ctx, stream, writer, chunks)
					if !errors.Is(err, store.ErrFinished) {
						return sequences, err
					}
					info, err := inner.Info(ctx, stream)
					return edit.NextAfter(info.LatestSequence, len(chunks)), err
				}
			})},
		{Name: "last-terminal-wins", Requirement: "helix.lifecycle.first-terminal-wins",
			Summary: "Ending and failing both write the same record, and the later one overwrites the earlier.",
			Apply:   lastTerminalWins},
		{Name: "finished-stream-forgets-chunks", Requirement: "helix.lifecycle.finished-replay", Stateful: true,
			Summary: "Of a finished stream the last three chunks are kept.",
			Also:    []string{"helix.resume.complete", "helix.wire.id-digits"},
			Apply: on.Events(func(v on.Attached) func(store.Event) bool {
				return func(e store.Event) bool { return v.Finished() && v.Stored(e) && e.Sequence <= v.LatestSequence-3 }
			}).Drop()},
	}
}

// writers lists the writers of one stream, in the order of their opening.
type writers struct{ opened, open []string }

// onWriters ends a stream when a writer closes, if ends matches the remaining writers and the one that closed.
func onWriters(ends func(left writers, closed string) bool) on.Apply {
	return on.OnStore(func(inner store.Store, s *on.Store) {
		var known alter.PerKey[writers]
		s.OnOpenWriter = func(ctx context.Context, stream string) (string, error) {
			writer, err := inner.OpenWriter(ctx, stream)
			known.With(stream, func(w *writers) { w.opened, w.open = append(w.opened, writer), append(w.open, writer) })
			return writer, err
		}
		s.OnCloseWriter = func(ctx context.Context, stream, writer string) error {
			if err := inner.CloseWriter(ctx, stream, writer); err != nil {
				return err
			}
			over := false
			known.With(stream, func(w *writers) {
				w.open = slices.DeleteFunc(w.open, func(other string) bool { return other == writer })
				over = ends(*w, writer)
			})
			if over {
				return inner.End(ctx, stream, nil)
			}
			return nil
		}
	})
}

func oustsFirst(o reference.Options) reference.Options {
	return on.OnStore(func(inner store.Store, s *on.Store) {
		var first alter.PerKey[string]
		s.OnOpenWriter = func(ctx context.Context, stream string) (string, error) {
			writer, err := inner.OpenWriter(ctx, stream)
			first.With(stream, func(w *string) {
				if *w == "" {
					*w = writer
				}
			})
			return writer, err
		}
		s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			sequences, err := inner.Append(ctx, stream, writer, chunks)
			if parent := first.Get(stream); err == nil && writer != parent {
				err = inner.CloseWriter(ctx, stream, parent)
			}
			return sequences, err
		}
	})(o)
}

func losesLastPage(inner store.Store, s *on.Store) {
	const page = 16
	var mu sync.Mutex
	rest := map[string][]store.Chunk{}
	s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
		mu.Lock()
		defer mu.Unlock()
		delayed := len(rest[stream])
		due := slices.Concat(rest[stream], chunks)
		whole := len(due)
		if len(chunks) > page {
			whole -= whole % page
		}
		sequences, err := inner.Append(ctx, stream, writer, due[:whole])
		if err != nil {
			return nil, err
		}
		rest[stream] = due[whole:]
		sequences = append(sequences, edit.NextAfter(sequences[whole-1], len(due)-whole)...)
		return sequences[delayed:], nil
	}
}

func leavesOpen(ctx context.Context, s store.Store, r helix.Reader, attach on.Attachment) (store.Subscription, error) {
	info, err := s.Info(ctx, r.Stream)
	if err != nil {
		return nil, err
	}
	sub, err := attach(ctx, s, r)
	if err != nil || info.Terminal > 0 {
		return sub, err
	}
	over := false
	watched := store.Map(sub, func(e store.Event) []store.Event {
		over = over || e.Kind.Terminal()
		return []store.Event{e}
	})
	return &on.Leaving{Subscription: watched, OnClose: func() {
		if over {
			<-ctx.Done()
		}
	}}, nil
}

func storesAfterEnd(o reference.Options) reference.Options {
	var delayed alter.PerKey[[]store.Chunk]
	return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			sequences, err := inner.Append(ctx, stream, writer, chunks)
			if errors.Is(err, store.ErrFinished) {
				delayed.With(stream, func(l *[]store.Chunk) { *l = append(*l, chunks...) })
			}
			return sequences, err
		}
	}), on.Events(on.Terminal()).Map(func(v on.Attached) func(store.Event) []store.Event {
		added := slices.Clone(delayed.Get(v.Stream))
		return func(e store.Event) (out []store.Event) {
			for _, c := range added {
				out = append(out, store.Event{Kind: store.ChunkWritten, Sequence: e.Sequence, Chunk: c})
				e.Sequence++
			}
			return append(out, e)
		}
	}))(o)
}

func lastTerminalWins(o reference.Options) reference.Options {
	var last alter.PerKey[store.Event]
	return alter.All(on.Before(on.Calls{
		End: func(stream string, out json.RawMessage) {
			last.Set(stream, store.Event{Kind: store.StreamEnded, FinalOutput: out})
		},
		Fail: func(stream, message, code string) {
			last.Set(stream, store.Event{Kind: store.StreamFailed, Error: message, Code: code})
		},
	}), on.Events(on.Terminal()).EditIn(func(v on.Attached, e *store.Event) {
		sequence := e.Sequence
		*e = last.Get(v.Stream)
		e.Sequence = sequence
	}))(o)
}
