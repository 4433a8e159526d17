package stream

import (
	"net/http"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// onBlocks changes the blocks of a response. The function is called once for each response and makes the function that
// changes its blocks. It may read the store.
func onBlocks(begin func(o reference.Options, r helix.Reader) func(b *alter.Block, e store.Event)) on.Apply {
	return on.OnBytes(func(o reference.Options, r helix.Reader) func([]byte, store.Event) []byte {
		change := begin(o, r)
		return func(whole []byte, e store.Event) []byte {
			b := alter.ParseBlock(whole)
			change(&b, e)
			return b.Append(nil)
		}
	})
}

// stored returns the highest sequence of a stream's chunks: later ones are live.
func stored(s store.Store, r helix.Reader) int64 {
	info, err := s.Info(r.Request.Context(), r.Stream)
	if err != nil { // it was deleted a moment ago: there is nothing to tell apart
		return 0
	}
	return info.LatestSequence
}

// reads are the answers to readers, and streams those that are streams.
func reads() alter.Answers { return alter.AnswersTo(edit.IsRead) }

func streams() alter.Answers { return reads().When(alter.IsStream) }

// readsFrom matches requests of readers that have a cursor in a header.
func readsFrom(r *http.Request) bool { return edit.IsRead(r) && r.Header.Get("Last-Event-ID") != "" }

// readsAll matches requests of readers without a cursor.
func readsAll(r *http.Request) bool {
	return edit.IsRead(r) && r.Header.Get("Last-Event-ID") == "" && r.URL.RawQuery == ""
}
