package campaignonly

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// recordedBody is a body that can be read again.
func recordedBody(r *http.Request) []byte {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body
}

// stopping are mutants that a cancellation confuses.
func stopping() []edit.Mutant {
	return []edit.Mutant{
		{Name: "cancelled-for-a-reason", Requirement: "aep.cancel.aborted",
			Summary: "A cancellation that gives a reason is accepted, and kept for the statistics.",
			Wrap:    cancellations(http.StatusNoContent, func(body []byte) bool { return bytes.Contains(body, []byte("reason")) })},
		{Name: "reasons-of-100-bytes", Requirement: "aep.cancel.aborted",
			Summary: "A reason of more than 100 bytes breaks the cancellation off after it was accepted.",
			Wrap:    cancellations(http.StatusAccepted, func(body []byte) bool { return len(body) > 113 })},
		{Name: "long-reasons-are-refused", Requirement: "aep.cancel.aborted",
			Summary: "A cancellation whose reason is longer than 1,000 characters is refused, and its request goes on.",
			Wrap:    cancellations(http.StatusBadRequest, func(body []byte) bool { return utf8.RuneCount(body) > 1013 })},
		{Name: "long-reasons-are-dropped", Requirement: "aep.cancel.aborted",
			Summary: "A cancellation is accepted and queued for those who keep its reason, and the queue takes 1,000 characters.",
			Wrap:    cancellations(http.StatusAccepted, func(body []byte) bool { return utf8.RuneCount(body) > 1013 })},
	}
}

// cancellations answers those whose body is such with a status, and forgets them.
func cancellations(status int, such func(body []byte) bool) alter.Around {
	return on.Requests(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/cancel") && such(recordedBody(r)) {
			w.WriteHeader(status)
			return
		}
		next.ServeHTTP(w, r)
	})
}
