package aep

import (
	"net/http"

	"github.com/streamcert/streamcert/reference/alter"
)

// deepClients err with what some clients say of themselves, and others don't.
func deepClients() []Mutant {
	return []Mutant{
		{Name: "headers-of-1-kib", Requirement: "aep.request.post",
			Summary: "A header of more than 1 KiB is refused, and a page has cookies.",
			Wrap:    alter.Refuses(http.StatusRequestHeaderFieldsTooLarge, func(r *http.Request) bool { return len(r.Header.Get("Cookie")) > 1<<10 })},
	}
}
