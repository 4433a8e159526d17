package campaigntest

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/streamcert/streamcert/runner/target"
)

// Requests plays against a server and returns the requests that the server received, in their order: method, path, query
// and body. Ids that match generated, which servers choose, are numbered. Requests that keep refuses are left out: those of
// which a client doesn't await the answer have no order.
func Requests(t testing.TB, h http.Handler, generated *regexp.Regexp, keep func(r *http.Request, text string) bool, play func(*target.Target)) (out []string) {
	t.Helper()
	var mu sync.Mutex
	names := map[string]string{}
	tg, stop := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body strings.Builder
		if _, err := io.Copy(&body, r.Body); err != nil {
			return // the client has gone
		}
		r.Body = io.NopCloser(strings.NewReader(body.String()))
		mu.Lock()
		if text := fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), body.String()); keep(r, text) {
			out = append(out, generated.ReplaceAllStringFunc(text, func(id string) string {
				if names[id] == "" {
					names[id] = fmt.Sprintf("#%d", len(names))
				}
				return names[id]
			}))
		}
		mu.Unlock()
		h.ServeHTTP(w, r)
	}), target.Config{}, target.Options{Prefix: "replay"})
	play(tg)
	stop()
	mu.Lock()
	defer mu.Unlock()
	return out
}
