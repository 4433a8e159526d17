package merlin

import (
	"bytes"
	"compress/gzip"
	"context"
	"net/http"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// isRequest reports whether a request asks for a stream.
func isRequest(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/merlin/") }

// readers lists mutants that err with readers that leave or accept compression, and with the state after a stream.
func readers() []Mutant {
	return []Mutant{
		{Name: "who-leaves-stops-the-latest", Requirement: "merlin.wire.end-last", Also: []string{"merlin.slices.complete", "merlin.chunks.complete", "merlin.wire.live"}, Stateful: true,
			Summary: "A client that leaves ends the stream that began last.", Wrap: stopsTheLatest()},
		{Name: "compressed-without-a-flush", Requirement: "merlin.wire.live", Summary: "What is compressed for a client that takes it is sent when there is enough of it.",
			Wrap: alter.OnResponses(isRequest, func(w *alter.Response, r *http.Request) {
				if r.Header.Get("Accept-Encoding") != "gzip" {
					return
				}
				var packed bytes.Buffer
				zip := gzip.NewWriter(&packed)
				w.Head = func(status int) int {
					w.Header().Set("Content-Encoding", "gzip")
					return status
				}
				w.Body = func(written []byte) []byte {
					_, _ = zip.Write(written) // into memory
					if bytes.HasPrefix(written, []byte("event: end\n")) {
						_ = zip.Close()
					}
					defer packed.Reset()
					return bytes.Clone(packed.Bytes())
				}
			})},
		{Name: "halves-of-another-stream", Requirement: "merlin.slices.complete", Also: []string{"merlin.chunks.complete", "merlin.chunks.per-delta", "merlin.upstream.characters"}, Stateful: true,
			Summary: "The half of a character that waits for the other one waits for that of any stream.", Apply: halvesOfAll},
	}
}

// stopsTheLatest has a client that leaves end the stream that began last.
func stopsTheLatest() alter.Around {
	return func(next http.Handler) http.Handler {
		var mu sync.Mutex
		var latest context.CancelFunc
		return alter.OnRequests(isRequest, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			mu.Lock()
			latest = cancel
			mu.Unlock()
			defer context.AfterFunc(r.Context(), func() {
				mu.Lock()
				defer mu.Unlock()
				latest()
			})()
			next.ServeHTTP(w, r.WithContext(ctx))
		})(next)
	}
}

// halvesOfAll has a stream that ends with half a character leave it to the next text of any stream.
func halvesOfAll(o merlin.Options) merlin.Options {
	var mu sync.Mutex
	var left bool
	var open alter.PerKey[bool] // by stream: its model said half a character last
	o = on.Pieces().EditIn(func(c *merlin.RunState, piece *[]byte) {
		if bytes.Contains(*piece, []byte(`"content":"`)) {
			open.Set(c.Stream, bytes.Contains(*piece, []byte(`\ud83e"`)) && !bytes.Contains(*piece, []byte(`\udded`)))
		}
	})(o)
	o = on.Totals(func(c *merlin.RunState, _ *merlin.Aggregate) {
		mu.Lock()
		defer mu.Unlock()
		left = left || open.Get(c.Stream)
	})(o)
	return on.Deltas(func(d merlin.Delta) bool { return d.Content != "" }).Edit(func(d *merlin.Delta) {
		mu.Lock()
		defer mu.Unlock()
		if left {
			d.Content, left = "\ufffd"+d.Content, false
		}
	})(o)
}
