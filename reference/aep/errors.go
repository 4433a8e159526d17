package aep

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/streamcert/streamcert/reference/request"
)

// Error is the reason for which a request is refused. Any function of Options may return one.
type Error struct {
	Code    string // of the protocol's table, or another one with a Status
	Status  int    // 0: that of the table
	Message string // for people; never anything that came in a header
}

func (e *Error) Error() string { return e.Message }

// outcome is the row of a code in the protocol's table.
type outcome struct {
	status    int  // 0: only in a stream
	retryable bool // as the event error states it
}

func table() map[string]outcome {
	// aep.http.status, aep.errors.known-code, aep.errors.retryable-value: this is the protocol's table of codes.
	return map[string]outcome{
		"invalid_message_format": {http.StatusBadRequest, false},
		"invalid_action_id":      {http.StatusBadRequest, false},
		"auth_failed":            {http.StatusUnauthorized, false},
		"thread_access_denied":   {http.StatusForbidden, false},
		"thread_not_found":       {http.StatusNotFound, false},
		"message_too_large":      {http.StatusRequestEntityTooLarge, false},
		"rate_limit_exceeded":    {http.StatusTooManyRequests, true},
		"internal_error":         {http.StatusInternalServerError, true},
		"stream_timeout":         {http.StatusGatewayTimeout, true},
		"agent_error":            {0, false},
		"tool_error":             {0, false},
	}
}

func retryable(code string) bool { return table()[code].retryable }

// refusal makes an Error with a code of the table.
func refusal(code, message string) *Error { return &Error{Code: code, Message: message} }

// deserved returns the HTTP answer for an error. An unknown error is the server's fault, and its text isn't sent.
func deserved(err error) *Error {
	var e *Error
	var tooLarge *http.MaxBytesError
	var refused *request.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &refused):
		return &Error{Code: "request_refused", Status: refused.Status, Message: refused.Message}
	case errors.As(err, &tooLarge):
		return refusal("message_too_large", "the body is larger than "+strconv.FormatInt(tooLarge.Limit, 10)+" bytes")
	// aep.http.code, aep.threads.foreign-status: each reason gets its code from the table.
	case errors.Is(err, ErrUnknownThread):
		return refusal("thread_not_found", "there is no such thread")
	case errors.Is(err, ErrThreadOfAnotherUser):
		return refusal("thread_access_denied", "the thread belongs to somebody else")
	case errors.Is(err, ErrThreadFull):
		return refusal("message_too_large", "the thread holds as much as it may; begin another one")
	case errors.Is(err, ErrThreadsFull):
		return refusal("rate_limit_exceeded", "the server holds as many conversations as it can")
	case errors.Is(err, ErrUnknownAction), errors.Is(err, ErrResolvedAction):
		return refusal("invalid_action_id", err.Error())
	}
	// aep.security.no-secret-echo: an error of another package may quote a header, so its text never leaves the server.
	return refusal("internal_error", "the server failed")
}

// refuse answers with an error: the JSON of the event that would say it in a stream.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	e := deserved(err)
	status := e.Status
	if status == 0 {
		status = table()[e.Code].status
	}
	if status == 0 { // a code that belongs into a stream
		status = http.StatusInternalServerError
	}
	if status == http.StatusInternalServerError {
		h.o.Logger.ErrorContext(r.Context(), "answering a request", "method", r.Method, "error", err)
	}
	// aep.http.error-body, aep.http.error-event: the body is a complete error event.
	body := AppendJSON(nil, Event{
		Kind: Failed, RequestID: h.o.NewID(RequestID), Timestamp: h.o.Clock.Now(),
		Code: e.Code, Retryable: retryable(e.Code), Message: e.Message,
	})
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone needs no answer
}
