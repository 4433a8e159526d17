package stream

import (
	"context"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// clients lists mutants that err with headers of some clients.
func clients() []edit.Mutant {
	return []edit.Mutant{
		{Name: "any-type-is-none", Requirement: "helix.lifecycle.live",
			Summary: "Who takes anything is told that there is nothing to take.",
			Wrap:    alter.RefusesAnyType()},
		{Name: "headers-of-1-kib", Requirement: "helix.lifecycle.live",
			Summary: "A header of more than 1 KiB is refused, and a page has cookies.",
			Wrap:    alter.RefusesCookies()},
		{Name: "one-reader-on-a-connection", Requirement: "helix.wire.stays-open", Also: []string{"helix.lifecycle.independent-readers"},
			Summary: "Who reads a stream a second time over a connection ends the response that is there.",
			Wrap:    oneOnAConnection},
	}
}

// oneOnAConnection ends a response when its stream is read again over its connection.
func oneOnAConnection(next http.Handler) http.Handler {
	var open alter.PerKey[context.CancelFunc]
	return alter.OnRequests(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/events") }, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		if before := open.Swap(r.RemoteAddr+" "+r.URL.Path, cancel); before != nil {
			before()
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})(next)
}
