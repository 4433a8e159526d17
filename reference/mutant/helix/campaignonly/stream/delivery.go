package stream

import (
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// loses leaves out events for some readers.
func loses(hit func(v on.Attached, e store.Event) bool) on.Apply {
	return edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
		if hit(v, e) {
			return nil
		}
		return []store.Event{e}
	})
}

// rewrites changes the chunks that some readers get.
func rewrites(hit func(v on.Attached, e store.Event) bool, change func(any) any) on.Apply {
	return edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
		if e.Kind == store.ChunkWritten && hit(v, e) {
			e.Chunk.JSON = edit.EveryValue(e.Chunk.JSON, change)
		}
		return []store.Event{e}
	})
}

// onResume matches chunks that are replayed to a reader that came with a cursor.
func onResume(v on.Attached, e store.Event) bool { return v.Stored(e) && v.Cursor.After > 0 }

// swaps replaces a part of every string.
func swaps(old, new string) func(any) any {
	return edit.OnText(func(s string) any { return strings.ReplaceAll(s, old, new) })
}

// isNotice matches a notice of a kind.
func isNotice(e store.Event, k store.Kind) bool { return e.Kind == k }
