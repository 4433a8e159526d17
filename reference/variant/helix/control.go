package helix

import (
	"context"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// control are other ways to answer control calls, whose answers matter only as accepted or refused.
func control() []Variant {
	return []Variant{
		{Name: "control-answers-200", Freedom: "Q-01",
			Summary: "What is accepted is answered 200, with an empty object where there is nothing to say.",
			Wrap:    alwaysOK},
		{Name: "streams-stay", Freedom: "Q-01",
			Summary: "Streams can't be deleted.",
			Wrap: alter.Answering(func(r *http.Request) bool {
				return alter.IsControl(r) && r.Method == http.MethodDelete && strings.Count(r.URL.EscapedPath(), "/") == 3
			}, http.StatusMethodNotAllowed, "", "")},
		{Name: "odd-writer-ids", Freedom: "Q-01",
			Summary: "Ids of writers have to be escaped in a path.",
			Apply:   on.OnStore(escapedWriters)},
		{Name: "more-info", Freedom: "helix.status.info-members",
			Summary: "StreamInfo has members of a later version.",
			Wrap: others().When(alter.Status(http.StatusOK), func(status int, h http.Header) bool { return !alter.IsStream(status, h) }).
				Body(func(document []byte) []byte {
					return append([]byte(`{"createdAt":"2024-01-01T00:00:00Z","readers":[],`), document[1:]...)
				})},
	}
}

// alwaysOK answers control calls that are accepted with 200 and a document.
func alwaysOK(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !alter.IsControl(r) {
			next.ServeHTTP(w, r)
			return
		}
		empty := false
		changed := &alter.Response{ResponseWriter: w, Head: func(status int) int {
			empty = status == http.StatusNoContent
			if empty || status == http.StatusCreated {
				return http.StatusOK
			}
			return status
		}}
		next.ServeHTTP(changed, r)
		if empty {
			_, _ = w.Write([]byte("{}")) // a client that has gone needs no answer
		}
	})
}

const escapedSuffix = "/ü ?#%41"

// escapedWriters adds characters to the ids of writers that a path has to escape.
func escapedWriters(inner store.Store, s *on.Store) {
	s.OnOpenWriter = func(ctx context.Context, stream string) (string, error) {
		writer, err := inner.OpenWriter(ctx, stream)
		return writer + escapedSuffix, err
	}
	s.OnCloseWriter = func(ctx context.Context, stream, writer string) error {
		return inner.CloseWriter(ctx, stream, strings.TrimSuffix(writer, escapedSuffix))
	}
	s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
		return inner.Append(ctx, stream, strings.TrimSuffix(writer, escapedSuffix), chunks)
	}
}
