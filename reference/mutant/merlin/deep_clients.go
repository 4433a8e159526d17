package merlin

import (
	"net/http"

	"github.com/streamcert/streamcert/reference/alter"
)

// deepClients err with what some clients say of themselves, and others don't.
func deepClients() []Mutant {
	return []Mutant{
		{Name: "any-type-is-none", Requirement: "merlin.wire.content-type",
			Summary: "Who takes anything is told that there is nothing to take.",
			Wrap:    alter.Refuses(http.StatusNotAcceptable, func(r *http.Request) bool { return r.Header.Get("Accept") == "*/*" })},
		{Name: "types-without-parameters", Requirement: "merlin.wire.content-type",
			Summary: "A body whose type has a charset is taken for one of another type.",
			Wrap: alter.Refuses(http.StatusUnsupportedMediaType, func(r *http.Request) bool {
				return r.Method == http.MethodPost && r.Header.Get("Content-Type") != "application/json"
			})},
		{Name: "headers-of-1-kib", Requirement: "merlin.wire.content-type",
			Summary: "A header of more than 1 KiB is refused, and a page has cookies.",
			Wrap:    alter.Refuses(http.StatusRequestHeaderFieldsTooLarge, func(r *http.Request) bool { return len(r.Header.Get("Cookie")) > 1<<10 })},
	}
}
