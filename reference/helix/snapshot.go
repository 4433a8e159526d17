package helix

import (
	"context"
	"net/http"
)

// snapshot answers the state and the messages of a stream.
func (h *Handler) snapshot(w http.ResponseWriter, r *http.Request, stream string) error {
	request := SnapshotRequest{Stream: stream, Request: r}
	switch r.URL.Query().Get("includePartialContent") {
	case "", "false":
	case "true":
		request.Partial = true
	default:
		return invalid("includePartialContent is true or false")
	}
	taken, err := h.o.Snapshot(r.Context(), func(ctx context.Context, partial bool) (Snapshot, error) {
		s, err := h.projections.take(ctx, h.o.Store, stream, partial)
		// helix.snapshot.timestamp: the clock is read right after the log.
		s.Timestamp = h.o.Now().UnixMilli()
		return s, err
	}, request)
	if err != nil {
		return err
	}
	// helix.snapshot.document: Snapshot has all members, and a fold's messages are never nil.
	answer(w, http.StatusOK, taken)
	return nil
}
