package stream

import (
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

func ordering() []edit.Mutant {
	return []edit.Mutant{
		{Name: "sorts-ids-as-text", Requirement: "helix.ordering.ascending", Stateful: true,
			Summary: "The replay of a stream with one writer is read from an index that sorts 10 before 9.",
			Also:    []string{"helix.ordering.write-order", "helix.lifecycle.late-reader", "helix.wire.id-digits"},
			Apply: onReplay(func(replay []store.Event) {
				if len(authors(replay)) == 1 {
					slices.SortFunc(replay, func(a, b store.Event) int { return compareAsText(a.Sequence, b.Sequence) })
				}
			})},
		{Name: "swaps-neighbours", Requirement: "helix.ordering.ascending", Stateful: true,
			Summary: "The last two chunks of a full page of twelve change places when a stream with one writer is replayed.",
			Also:    []string{"helix.lifecycle.late-reader"},
			Apply: onReplay(func(replay []store.Event) {
				const page = 12
				if len(authors(replay)) == 1 && len(replay) >= page {
					replay[page-1], replay[page-2] = replay[page-2], replay[page-1]
				}
			})},
		{Name: "counts-from-zero", Requirement: "helix.ordering.at-least-one",
			Summary: "The first chunk of a stream has the sequence 0.",
			Also:    []string{"helix.resume.first-sequence", "helix.resume.after-cursor"},
			Apply: on.Events(on.Kind(store.ChunkWritten), on.IfEvent(func(e store.Event) bool { return e.Sequence == 1 })).
				Edit(func(e *store.Event) { e.Sequence = 0 })},
		{Name: "reverses-arrays", Requirement: "helix.ordering.write-order",
			Summary: "An array of chunks is stored from its last to its first.",
			Also:    []string{"helix.lifecycle.terminal-last-chunks", "helix.chunks.no-merge"},
			Apply: on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
				slices.Reverse(chunks)
				return chunks
			})},
		{Name: "order-per-reader", Requirement: "helix.ordering.total-order", Stateful: true,
			Summary: "Where writers take turns, a reader that comes while another one reads gets their chunks in an order of " +
				"its own.",
			Apply: ordersPerReader},
		{Name: "two-writers-one-sequence", Requirement: "helix.ordering.distinct-sequences", Stateful: true,
			Summary: "With more than four writers on a stream, the counter is read before it is locked, and two writers get " +
				"one number.",
			Also:  []string{"helix.ordering.ascending"},
			Apply: sharesNumbers},
	}
}

// onReplay changes the order of the stored chunks when a reader without a cursor comes; later chunks stay in order.
func onReplay(change func(replay []store.Event)) on.Apply {
	return on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
		if !v.Fresh() {
			return nil
		}
		return &edit.Batches{Subscription: s, Change: func(events []store.Event) []store.Event {
			end := slices.IndexFunc(events, func(e store.Event) bool { return !v.Stored(e) })
			if end < 0 {
				end = len(events)
			}
			change(events[:end])
			return events
		}}
	})
}

// compareAsText compares the digits of two numbers.
func compareAsText(a, b int64) int {
	return strings.Compare(strconv.FormatInt(a, 10), strconv.FormatInt(b, 10))
}

// author is the agent that a chunk names.
func author(e store.Event) string { return alter.Members(e.Chunk.JSON).Text("agentId") }

func authors(events []store.Event) map[string]bool {
	all := map[string]bool{}
	for _, e := range events {
		all[author(e)] = true
	}
	return all
}

// ordersPerReader exchanges the first two neighbours of different writers, but not their sequences.
func ordersPerReader(o reference.Options) reference.Options {
	return on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
		if v.Others == 0 || !v.Fresh() {
			return nil
		}
		done := false
		return &edit.Batches{Subscription: s, Change: func(events []store.Event) []store.Event {
			for i := 1; i < len(events) && !done; i++ {
				a, b := &events[i-1], &events[i]
				if v.Stored(*a) && v.Stored(*b) && author(*a) != author(*b) {
					a.Chunk, b.Chunk = b.Chunk, a.Chunk
					done = true
				}
			}
			return events
		}}
	})(o)
}

// sharesNumbers gives a chunk the sequence of the one before it, if another writer wrote that and many are open.
func sharesNumbers(o reference.Options) reference.Options {
	var opened alter.PerKey[int]
	crowded := func(v on.Attached) func(store.Event) bool {
		return func(store.Event) bool { return opened.Get(v.Stream) > 4 }
	}
	return alter.All(on.Before(on.Calls{
		OpenWriter: func(stream string) { alter.Count(&opened, stream) },
	}), on.Events(on.Kind(store.ChunkWritten), crowded).EditBy(on.Kind(store.ChunkWritten), func(e *store.Event, before store.Event) {
		if author(before) != author(*e) {
			e.Sequence = before.Sequence
		}
	}))(o)
}
