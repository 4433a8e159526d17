package helix

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// apply changes the options of a server.
type apply = on.Apply

// around stands around the handler of a server.
type around = alter.Around

// edited returns a chunk with its members changed; a chunk that the function reports unchanged keeps its bytes.
func edited(chunk json.RawMessage, change func(kind string, members alter.Object) bool) json.RawMessage {
	members := alter.Members(chunk)
	if members == nil || !change(members.Text("type"), members) {
		return chunk
	}
	return alter.Encode(members)
}

// onChunks changes the chunks that are stored. The function gets the type and the members, and reports whether it
// changed them.
func onChunks(change func(kind string, members alter.Object) bool) apply {
	return on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
		for i := range chunks {
			chunks[i].JSON = edited(chunks[i].JSON, change)
		}
		return chunks
	})
}

// onBlocks changes the blocks of a response. The function is called once for each response and makes the function that
// changes its blocks. The store is there to look things up.
func onBlocks(begin func(o reference.Options, r helix.Reader) func(b *alter.Block, e store.Event)) apply {
	return on.OnBytes(func(o reference.Options, r helix.Reader) func([]byte, store.Event) []byte {
		change := begin(o, r)
		return func(whole []byte, e store.Event) []byte {
			b := alter.ParseBlock(whole)
			change(&b, e)
			return b.Append(nil)
		}
	})
}

// stored is the highest sequence that a stream has given to a chunk: what comes later is live.
func stored(s store.Store, r helix.Reader) int64 {
	info, err := s.Info(r.Request.Context(), r.Stream)
	if err != nil { // it was deleted a moment ago: there is nothing to tell apart
		return 0
	}
	return info.LatestSequence
}

// reads are the answers to readers, and streams those that are streams.
func reads() alter.Answers { return alter.AnswersTo(isRead) }

func streams() alter.Answers { return reads().When(alter.IsStream) }

// readsFrom holds for requests of readers that have a cursor in a header.
func readsFrom(r *http.Request) bool { return isRead(r) && r.Header.Get("Last-Event-ID") != "" }

// readsAll holds for requests of readers without a cursor.
func readsAll(r *http.Request) bool {
	return isRead(r) && r.Header.Get("Last-Event-ID") == "" && r.URL.RawQuery == ""
}

// onRequest handles the requests of readers; other calls pass untouched.
func onRequest(serve func(next http.Handler, w http.ResponseWriter, r *http.Request)) around {
	return alter.OnRequests(isRead, serve)
}

// isRead reports whether a request is one of a reader.
func isRead(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/streams/") }
