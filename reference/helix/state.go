package helix

import (
	"context"
	"errors"
	"net/http"

	"github.com/streamcert/streamcert/reference/store"
)

// setState sets the state that a stream begins with; any JSON value is one.
func (h control) setState(ctx context.Context, stream string, body []byte) (any, error) {
	if len(body) == 0 {
		return nil, invalid("the body holds no state")
	}
	err := h.o.Store.SetInitial(ctx, stream, body)
	if errors.Is(err, store.ErrStarted) {
		err = &Error{Status: http.StatusConflict, Message: err.Error()}
	}
	return nil, err
}
