package helix

import (
	"context"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/runtime"
)

// Handler serves streams. Make it with New.
type Handler struct {
	o       Options            // with defaults; never changes
	closing context.Context    // done once Close was called, which ends all responses
	close   context.CancelFunc // of closing
	runtime *runtime.Runtime   // that executes scripts

	projections projections
}

var errNoRoute = &Error{Status: http.StatusNotFound, Message: "there is nothing at this path"}

// admitted refuses a request without the token of those who may read, and reports whether it has it.
func (h *Handler) admitted(w http.ResponseWriter, r *http.Request, what string) bool {
	if h.admits(r) {
		return true
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	h.refuse(w, r, &Error{Status: http.StatusUnauthorized, Message: what + " needs a bearer token"})
	return false
}

// admits reports whether a request has the token of those who may read.
func (h *Handler) admits(r *http.Request) bool {
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return h.o.ReaderToken == "" || bearer && hasToken(h.o.ReaderToken, token)
}

// hasToken compares in constant time; without a token to have, everybody has it.
func hasToken(want, got string) bool {
	return want == "" || subtle.ConstantTimeCompare([]byte(want), []byte(got)) == 1
}

// refuse answers an error, and logs it if it is of the server.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	e := deserved(err)
	if e.Status == http.StatusInternalServerError {
		h.o.Logger.ErrorContext(r.Context(), "answering a request", "method", r.Method, "error", err)
	}
	// helix.http.error-body: every refusal has this JSON body.
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
