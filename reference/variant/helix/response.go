package helix

import (
	"net/http"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
)

// response lists the variants of response.
func response() []Variant {
	return []Variant{
		// These are other heads of the same stream.
		{Name: "header-case", Freedom: "helix.wire.content-type",
			Summary: "Names of headers are in lower case, and the media type is not.",
			Wrap:    streams().Header(alter.InLowerCase)},
		{Name: "charset", Freedom: "helix.wire.content-type",
			Summary: "The content type names the character set.",
			Wrap:    streams().Set("Content-Type", "text/event-stream;charset=UTF-8")},
		{Name: "no-store", Freedom: "helix.wire.cache-control",
			Summary: "The head forbids caches to store instead of to reuse, and other directives stand beside.",
			Wrap:    streams().Set("Cache-Control", "private, No-Store, no-transform, max-age=0")},

		// Variants whose response heads contain more, or whose requests need more.
		{Name: "more-headers", Freedom: "decision 8",
			Summary: "A response has the headers that frameworks and proxies add.",
			Wrap: alter.AnswersTo(alter.Any).Header(func(h http.Header) {
				h.Set("Connection", "keep-alive")
				h.Set("Server", "a server")
				h.Set("Vary", "Accept, Origin")
				h.Set("X-Request-Id", "7d3c")
				h.Add("Set-Cookie", "session=1; HttpOnly")
				h.Add("Set-Cookie", "route=2")
			})},
		{Name: "own-origin", Freedom: "helix.http.cors",
			Summary: "The origin of a request is named where the reference lets everybody in.",
			Wrap: streams().Edit(func(w *alter.Response, r *http.Request, status int) int {
				if origin := r.Header.Get("Origin"); origin != "" {
					w.Header().Set("Access-Control-Allow-Origin", origin)
					w.Header().Set("Vary", "Origin")
				}
				return status
			})},
		{Name: "accept-needed", Freedom: "Q-45",
			Summary: "A reader that says that it accepts something else than a stream is answered 406.",
			Wrap: alter.Answering(func(r *http.Request) bool {
				accept := r.Header.Get("Accept")
				return strings.HasSuffix(r.URL.Path, "/events") && accept != "" &&
					!strings.Contains(accept, "text/event-stream") && !strings.Contains(accept, "*/*")
			}, http.StatusNotAcceptable, "", "")},

		// These are other ways to carry the same bytes.
		{Name: "byte-by-byte", Freedom: "helix.lifecycle.live",
			Summary: "The head of each write is sent byte by byte and the rest in odd pieces, so that every line, character " +
				"and line end is cut.",
			Wrap: streams().Send(inPieces)},
		{Name: "crlf-cut", Freedom: "an event",
			Summary: "Lines end with CR and LF, and the LF of a blank line comes late.",
			Wrap:    streams().Send(splitLineEnds)},
		{Name: "body-until-close", Freedom: "decision 8",
			Summary: "A stream has no chunks of HTTP: its body ends where the connection does.",
			Wrap: alter.AnswersTo(func(r *http.Request) bool { return r.ProtoMajor == 1 }).When(alter.IsStream).Header(func(h http.Header) {
				h.Set("Connection", "close")
				h.Set("Transfer-Encoding", "identity")
			})},
		{Name: "no-keep-alive", Freedom: "decision 8",
			Summary: "The connection closes after every answer, control calls included.",
			Wrap:    alter.AnswersTo(alter.Any).Set("Connection", "close")},
		{Name: "closes-idle-connections", Freedom: "a connection that nobody uses", Idle: 250 * time.Millisecond,
			Summary: "A connection that nobody has used for a quarter of a second is closed."},
		{Name: "compressed", Freedom: "helix.wire.compression",
			Summary: "Whoever accepts gzip gets it, flushed after each frame.",
			Wrap:    alter.Compressed(true)},
		{Name: "http2", Freedom: "decision 8", HTTP2: true,
			Summary: "Every request comes over HTTP/2."},
		{Name: "slow-readers-cut", Freedom: "helix.lifecycle.slow-reader",
			Summary: "A reader that leaves a write waiting for half a second is cut.",
			Wrap:    alter.AnswersTo(alter.Any).Send(inTime)},
	}
}

// inTime writes with a deadline for slow readers. Without support for deadlines it writes without: an expired deadline
// would end a silent stream of HTTP/2.
func inTime(inner http.ResponseWriter, p []byte) error {
	control := http.NewResponseController(inner)
	_ = control.SetWriteDeadline(time.Now().Add(shortWait))
	_, err := inner.Write(p)
	_ = control.SetWriteDeadline(time.Time{})
	return err
}

// shortWait is short for a person and long for a busy machine.
const shortWait = 500 * time.Millisecond

// inPieces flushes a stream after each of the first bytes of a write and after every few of the others.
func inPieces(w http.ResponseWriter, p []byte) error {
	const single, few = 64, 7
	first := p[:min(single, len(p))]
	if err := alter.InPieces(1)(w, first); err != nil {
		return err
	}
	return alter.InPieces(max(few, len(p)/64))(w, p[len(first):]) // megabytes are for other variants
}

// splitLineEnds writes lines with CR and LF and flushes between the two at the end of every event.
func splitLineEnds(w http.ResponseWriter, p []byte) error {
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
