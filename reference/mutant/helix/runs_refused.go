package helix

import (
	"net/http"

	"github.com/streamcert/streamcert/reference/alter"
)

// runRefusals take calls that a run is in no state for.
func runRefusals() []Mutant {
	return []Mutant{{
		Name: "takes-calls-in-any-state", Requirement: "helix.runs.call-refused",
		Summary: "A call about a run is put into a queue, and answered 202 before anybody asks what the run does.",
		Also:    []string{"helix.runs.retry-unknown"},
		Wrap: func(next http.Handler) http.Handler {
			return onRunCalls(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				changed := &alter.Response{ResponseWriter: w}
				changed.Head = func(status int) int {
					if status == http.StatusConflict {
						return changed.Replace(http.StatusAccepted, "application/json", `{"runId":"run-0"}`)
					}
					return status
				}
				next.ServeHTTP(changed, r)
			})(next)
		},
	}}
}
