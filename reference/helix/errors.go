package helix

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/streamcert/streamcert/reference/request"
	"github.com/streamcert/streamcert/reference/store"
)

// Error is an error with the HTTP answer that it deserves. Any function of Options may return one.
type Error struct {
	Status  int    // of HTTP, 4xx or 5xx
	Code    string // one of the protocol's error codes, or empty
	Message string // never anything that came in a header
}

func (e *Error) Error() string { return e.Message }

// deserved returns the HTTP answer for an error. An unknown error is the server's fault, and its text isn't sent.
func deserved(err error) *Error {
	var e *Error
	var tooLarge *http.MaxBytesError
	var refused *request.Error
	// helix.errors.known-code, helix.errors.code-status: the codes come from the list, each with the status of the list.
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &refused):
		return &Error{Status: refused.Status, Message: refused.Message}
	case errors.As(err, &tooLarge):
		return &Error{Status: http.StatusRequestEntityTooLarge,
			Message: "the body is larger than " + strconv.FormatInt(tooLarge.Limit, 10) + " bytes"}
	// helix.http.unknown-stream, helix.status.info-unknown, helix.snapshot.unknown-stream: every route for readers ends
	// here with a 404.
	case errors.Is(err, store.ErrUnknownStream):
		return &Error{Status: http.StatusNotFound, Code: "state_session_not_found", Message: "unknown stream"}
	case errors.Is(err, store.ErrUnknownWriter):
		return &Error{Status: http.StatusNotFound, Message: "unknown writer"}
	case errors.Is(err, store.ErrStreamFull):
		return &Error{Status: http.StatusRequestEntityTooLarge, Message: err.Error()}
	case errors.Is(err, store.ErrFull):
		return &Error{Status: http.StatusInsufficientStorage, Message: err.Error()}
	case errors.Is(err, store.ErrUnavailable):
		return &Error{Status: http.StatusServiceUnavailable, Message: store.ErrUnavailable.Error()}
	// helix.lifecycle.closed-writer, helix.lifecycle.write-after-end: the store has stored nothing, and the writer gets a
	// 409.
	case errors.Is(err, store.ErrWriterClosed), errors.Is(err, store.ErrFinished):
		return &Error{Status: http.StatusConflict, Message: err.Error()}
	}
	// helix.security.no-secret-echo: an error of another package may quote a header, so its text never leaves the server.
	return &Error{Status: http.StatusInternalServerError, Code: "framework_internal_error", Message: "internal error"}
}

// answer writes a JSON document.
func answer(w http.ResponseWriter, status int, document any) {
	body, err := json.Marshal(document)
	if err != nil { // documents are made of strings and numbers
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone needs no answer
}

// invalid returns a refusal with status 400.
func invalid(format string, args ...any) *Error {
	return &Error{Status: http.StatusBadRequest, Code: "validation_error", Message: fmt.Sprintf(format, args...)}
}
