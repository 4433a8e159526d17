package helix

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// errorVariants lists the variants of error.
func errorVariants() []Variant {
	failures := others().When(func(status int, _ http.Header) bool { return status >= http.StatusBadRequest })

	return []Variant{
		// These are other ways to report errors.
		{Name: "no-fail-code", Freedom: "the code of a failure",
			Summary: "A fail frame never carries the code.",
			Apply:   on.Events().Edit(func(e *store.Event) { e.Code = "" })},
		{Name: "errors-with-more", Freedom: "helix.http.error-body",
			Summary: "An HTTP error has no code, other members, and a content type that names the character set.",
			Wrap:    failures.Replace(0, "application/json; charset=utf-8", `{"details":{"at":[1,null]},"error":"näh","status":"no"}`+"\n")},
		{Name: "errors-as-text", Freedom: "helix.http.error-body", Warns: []string{"helix.http.error-body"},
			Summary: "An HTTP error is a page of text, as frameworks send it.",
			Wrap:    failures.Replace(0, "text/plain; charset=utf-8", "no\n")},

		// Other ways to keep readers without a right out.
		{Name: "forbidden", Freedom: "helix.security.credential",
			Summary: "A reader without its credential is answered 403.",
			Wrap: alter.AnswersTo(alter.Any).When(alter.Status(http.StatusUnauthorized)).Edit(func(w *alter.Response, _ *http.Request, _ int) int {
				w.Header().Del("WWW-Authenticate")
				return http.StatusForbidden
			})},
		{Name: "plain-ids-only", Freedom: "helix.security.stream-id",
			Summary: "Stream ids hold letters, digits, dots, hyphens and underscores; any other is answered 400.",
			Apply: func(o reference.Options) reference.Options {
				read := o.StreamID
				o.StreamID = func(segment string) (string, error) {
					id, err := read(segment)
					if strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") != "" {
						return "", refusal(http.StatusBadRequest, "a stream id holds letters, digits, dots, hyphens and underscores")
					}
					return id, err
				}
				return o
			}},
		{Name: "hangs-up-on-large-bodies", Freedom: "helix.security.body-limit",
			Summary: "A body that is too large is answered by closing the connection.",
			Wrap: alter.OnRequests(func(r *http.Request) bool { return r.ContentLength > 16<<20 },
				func(http.Handler, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })},
		{Name: "lower-body-limit", Freedom: "helix.security.body-limit",
			Summary: "Bodies above 1 MiB are refused.",
			Apply: func(o reference.Options) reference.Options {
				o.MaxBody = 1 << 20
				return o
			}},
		{Name: "asks-to-come-back", Freedom: "a request that is refused for now",
			Summary: "Each hundredth request is answered 429 with Retry-After, and served when it is made again.",
			Wrap:    comingBack(100)},
	}
}

// comingBack refuses each nth request for a second, and none twice.
func comingBack(nth int64) around {
	return func(next http.Handler) http.Handler {
		var asked atomic.Int64
		var refused sync.Map
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1)%nth == 0 {
				if _, before := refused.LoadOrStore(r.Method+" "+r.URL.String(), true); !before {
					w.Header().Set("Retry-After", "1")
					http.Error(w, "slow down", http.StatusTooManyRequests)
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}
