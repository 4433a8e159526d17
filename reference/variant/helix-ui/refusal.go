package helixui

import (
	"bytes"
	"net/http"
	"net/http/httptest"

	"github.com/streamcert/streamcert/reference/alter"
)

// refusesFailures answers with an error status if the run fails before any output: it delays the head until the first
// output, or until the answer is complete.
func refusesFailures(next http.Handler) http.Handler {
	return alter.OnRequests(func(r *http.Request) bool { return r.Method == http.MethodPost && !alter.IsControl(r) },
		func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			held := &delayedAnswer{ResponseRecorder: httptest.NewRecorder(), to: w}
			next.ServeHTTP(held, r)
			if held.passed {
				return
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte(`{"error":"the model failed"}`)) // who has left needs no answer
		})(next)
}

// delayedAnswer delays an answer until its first output.
type delayedAnswer struct {
	*httptest.ResponseRecorder
	to     http.ResponseWriter
	passed bool
}

// Write implements http.ResponseWriter.
func (h *delayedAnswer) Write(p []byte) (int, error) {
	if h.passed {
		return h.to.Write(p)
	}
	_, _ = h.ResponseRecorder.Write(p) // memory takes everything
	if alter.IsStream(h.Code, h.Header()) && !h.speaks() {
		return len(p), nil
	}
	h.passed = true
	for name, values := range h.Header() {
		h.to.Header()[name] = values
	}
	h.to.WriteHeader(h.Code)
	if _, err := h.to.Write(h.Body.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// speaks reports whether a part has come other than start and error.
func (h *delayedAnswer) speaks() bool {
	return bytes.Count(h.Body.Bytes(), []byte(`"type":`)) > bytes.Count(h.Body.Bytes(), []byte(`"type":"start"`))+
		bytes.Count(h.Body.Bytes(), []byte(`"type":"error"`))
}

// FlushError is the method by which a ResponseController flushes.
func (h *delayedAnswer) FlushError() error {
	if !h.passed {
		return nil
	}
	return http.NewResponseController(h.to).Flush()
}

// Unwrap lets a ResponseController reach the deadlines of the connection.
func (h *delayedAnswer) Unwrap() http.ResponseWriter { return h.to }
