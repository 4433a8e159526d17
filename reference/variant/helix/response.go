package helix

import (
	"compress/gzip"
	"net/http"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
)

// responses are other heads of the same stream.
func responses() []Variant {
	return []Variant{
		{Name: "header-case", Freedom: "helix.wire.content-type",
			Summary: "Names of headers are in lower case, and the media type is not.",
			Wrap: onHead(func(h http.Header, _ *http.Request) {
				h.Set("Content-Type", "Text/Event-Stream")
				for name, values := range h.Clone() {
					h[name] = nil // so that the server doesn't fill it in
					h[strings.ToLower(name)] = values
				}
			})},
		{Name: "charset", Freedom: "helix.wire.content-type",
			Summary: "The content type names the character set.",
			Wrap:    onHead(func(h http.Header, _ *http.Request) { h.Set("Content-Type", "text/event-stream;charset=UTF-8") })},
		{Name: "no-store", Freedom: "helix.wire.cache-control",
			Summary: "The head forbids caches to store instead of to reuse, and other directives stand beside.",
			Wrap: onHead(func(h http.Header, _ *http.Request) {
				h.Set("Cache-Control", "private, No-Store, no-transform, max-age=0")
			})},
	}
}

// heads are what else a head may hold, and what it may ask for.
func heads() []Variant {
	return []Variant{
		{Name: "more-headers", Freedom: "decision 8",
			Summary: "A response has the headers that frameworks and proxies add.",
			Wrap: alter.OnResponses(alter.Any, func(w *alter.Response, _ *http.Request) {
				w.Head = func(status int) int {
					h := w.Header()
					h.Set("Connection", "keep-alive")
					h.Set("Server", "a server")
					h.Set("Vary", "Accept, Origin")
					h.Set("X-Request-Id", "7d3c")
					h.Add("Set-Cookie", "session=1; HttpOnly")
					h.Add("Set-Cookie", "route=2")
					return status
				}
			})},
		{Name: "own-origin", Freedom: "helix.http.cors",
			Summary: "The origin of a request is named where the reference lets everybody in.",
			Wrap: onHead(func(h http.Header, r *http.Request) {
				if origin := r.Header.Get("Origin"); origin != "" {
					h.Set("Access-Control-Allow-Origin", origin)
					h.Set("Vary", "Origin")
				}
			})},
		{Name: "accept-needed", Freedom: "Q-45",
			Summary: "A reader that says that it accepts something else than a stream is answered 406.",
			Wrap: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					accept := r.Header.Get("Accept")
					if strings.HasSuffix(r.URL.Path, "/events") && accept != "" &&
						!strings.Contains(accept, "text/event-stream") && !strings.Contains(accept, "*/*") {
						w.WriteHeader(http.StatusNotAcceptable)
						return
					}
					next.ServeHTTP(w, r)
				})
			}},
	}
}

// connections are other ways to carry the same bytes.
func connections() []Variant {
	return []Variant{
		{Name: "byte-by-byte", Freedom: "helix.lifecycle.live",
			Summary: "The head of each write is sent byte by byte and the rest in odd pieces, so that every line, character " +
				"and line end is cut.",
			Wrap: alter.OnResponses(alter.Any, func(w *alter.Response, _ *http.Request) { pieces(w, 64, 7) })},
		{Name: "crlf-cut", Freedom: "an event",
			Summary: "Lines end with CR and LF, and the LF of a blank line comes late.",
			Wrap: alter.OnResponses(alter.Any, func(w *alter.Response, _ *http.Request) {
				w.Head = func(status int) int {
					if alter.IsStream(status, w.Header()) {
						w.Send = cutLineEnds
					}
					return status
				}
			})},
		{Name: "body-until-close", Freedom: "decision 8",
			Summary: "A stream has no chunks of HTTP: its body ends where the connection does.",
			Wrap: onHead(func(h http.Header, r *http.Request) {
				if r.ProtoMajor == 1 {
					h.Set("Connection", "close")
					h.Set("Transfer-Encoding", "identity")
				}
			})},
		{Name: "no-keep-alive", Freedom: "decision 8",
			Summary: "The connection closes after every answer, control calls included.",
			Wrap: alter.OnResponses(alter.Any, func(w *alter.Response, _ *http.Request) {
				w.Head = func(status int) int {
					w.Header().Set("Connection", "close")
					return status
				}
			})},
		{Name: "closes-idle-connections", Freedom: "a connection that nobody uses", Idle: 250 * time.Millisecond,
			Summary: "A connection that nobody has used for a quarter of a second is closed."},
		{Name: "compressed", Freedom: "helix.wire.compression",
			Summary: "Whoever accepts gzip gets it, flushed after each frame.",
			Wrap:    compressed},
		{Name: "http2", Freedom: "decision 8", HTTP2: true,
			Summary: "Every request comes over HTTP/2."},
		{Name: "slow-readers-cut", Freedom: "helix.lifecycle.slow-reader",
			Summary: "A reader that leaves a write waiting for half a second is cut.",
			Wrap:    alter.OnResponses(alter.Any, func(w *alter.Response, _ *http.Request) { w.Send = inTime })},
	}
}

// inTime writes what a reader takes soon enough. Where deadlines aren't supported, it is served in its time; one that
// outlives its write would end a silent stream of HTTP/2.
func inTime(inner http.ResponseWriter, p []byte) error {
	control := http.NewResponseController(inner)
	_ = control.SetWriteDeadline(time.Now().Add(patience))
	_, err := inner.Write(p)
	_ = control.SetWriteDeadline(time.Time{})
	return err
}

// patience is short for a person and long for a busy machine.
const patience = 500 * time.Millisecond

// pieces flushes a stream after each of the first bytes of a write and after every few of the others.
func pieces(w *alter.Response, single, few int) {
	flush := http.NewResponseController(w.ResponseWriter).Flush
	w.Head = func(status int) int {
		if alter.IsStream(status, w.Header()) {
			w.Send = func(inner http.ResponseWriter, p []byte) error {
				size := max(few, len(p)/64) // megabytes are for other variants
				for i := 0; i < len(p); {
					n := min(size, len(p)-i)
					if i < single {
						n = 1
					}
					if _, err := inner.Write(p[i : i+n]); err != nil {
						return err
					}
					if err := flush(); err != nil {
						return err
					}
					i += n
				}
				return nil
			}
		}
		return status
	}
}

// cutLineEnds writes lines with CR and LF and flushes between the two at the end of every event.
func cutLineEnds(w http.ResponseWriter, p []byte) error {
	for _, block := range strings.SplitAfter(string(p), "\n\n") {
		text, blank := strings.CutSuffix(strings.ReplaceAll(block, "\n", "\r\n"), "\n")
		if _, err := w.Write([]byte(text)); err != nil {
			return err
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return err
		}
		if !blank {
			continue
		}
		if _, err := w.Write([]byte("\n")); err != nil {
			return err
		}
	}
	return nil
}

// compressed compresses streams and flushes the compressor with them.
func compressed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			next.ServeHTTP(w, r)
			return
		}
		changed := &alter.Response{ResponseWriter: w}
		var z *gzip.Writer
		changed.Head = func(status int) int {
			if alter.IsStream(status, w.Header()) {
				z = gzip.NewWriter(w)
				w.Header().Set("Content-Encoding", "gzip")
				changed.Send = func(_ http.ResponseWriter, p []byte) error {
					_, err := z.Write(p)
					return err
				}
				changed.OnFlush = func(flush func() error) error {
					if err := z.Flush(); err != nil {
						return err
					}
					return flush()
				}
			}
			return status
		}
		next.ServeHTTP(changed, r)
		if z != nil {
			_ = z.Close() // a reader that has gone needs no trailer
		}
	})
}
