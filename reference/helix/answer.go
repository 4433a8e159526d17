package helix

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/streamcert/streamcert/reference/store"
)

// Error is an error with the HTTP answer that it deserves. Any function of Options may return one.
type Error struct {
	Status  int
	Code    string // one of the protocol's error codes, or empty
	Message string // never anything that came in a header
}

func (e *Error) Error() string { return e.Message }

// deserved finds the answer for an error. What it doesn't know is the server's fault, and its text stays inside.
func deserved(err error) *Error {
	var e *Error
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &tooLarge):
		return &Error{Status: http.StatusRequestEntityTooLarge,
			Message: "the body is larger than " + strconv.FormatInt(tooLarge.Limit, 10) + " bytes"}
	case errors.Is(err, store.ErrUnknownStream):
		return &Error{Status: http.StatusNotFound, Code: "state_session_not_found", Message: "unknown stream"}
	case errors.Is(err, store.ErrUnknownWriter):
		return &Error{Status: http.StatusNotFound, Message: "unknown writer"}
	case errors.Is(err, store.ErrWriterClosed), errors.Is(err, store.ErrFinished):
		return &Error{Status: http.StatusConflict, Message: err.Error()}
	}
	return &Error{Status: http.StatusInternalServerError, Code: "framework_internal_error", Message: "internal error"}
}

func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	e := deserved(err)
	if e.Status == http.StatusInternalServerError {
		h.o.Logger.ErrorContext(r.Context(), "answering a request", "method", r.Method, "error", err)
	}
	answer(w, e.Status, struct {
		Error string `json:"error"`
		Code  string `json:"code,omitempty"`
	}{e.Message, e.Code})
}

// notAllowed answers a method that a route doesn't know.
func (h *Handler) notAllowed(w http.ResponseWriter, r *http.Request, allow string) {
	w.Header().Set("Allow", allow)
	h.refuse(w, r, &Error{Status: http.StatusMethodNotAllowed, Message: "the method is not allowed here"})
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
