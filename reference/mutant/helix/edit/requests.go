package edit

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
)

// IsRead reports whether a request is one of a reader.
func IsRead(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/streams/") }

// OnReads handles the requests of readers; other requests pass unchanged.
func OnReads(serve func(next http.Handler, w http.ResponseWriter, r *http.Request)) alter.Around {
	return alter.OnRequests(IsRead, serve)
}

// IsRunCall reports whether a request is a control call about runs.
func IsRunCall(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/control/runs") }

// OnRunCalls handles the control calls about runs; other requests pass unchanged.
func OnRunCalls(serve func(next http.Handler, w http.ResponseWriter, r *http.Request)) alter.Around {
	return alter.OnRequests(IsRunCall, serve)
}

// OnOutputSchema changes the schema that a run is started with; nil leaves it out.
func OnOutputSchema(change func(schema json.RawMessage) json.RawMessage) alter.Around {
	return alter.OnBodies(IsRunCall, func(body []byte) []byte {
		members := alter.Members(body)
		if members["outputSchema"] == nil {
			return body
		}
		schema := change(members["outputSchema"])
		delete(members, "outputSchema")
		if schema != nil {
			members["outputSchema"] = schema
		}
		return alter.Encode(members)
	})
}
