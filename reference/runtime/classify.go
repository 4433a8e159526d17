package runtime

import (
	"context"
	"errors"
)

// The codes that a runtime gives by itself.
const (
	codeCancelled       = "framework_cancelled"
	codeInternal        = "framework_internal_error"
	codeTimeout         = "tool_timeout"
	codeValidation      = "validation_error"
	codeAlreadyRunning  = "state_already_running"
	codeNotResumable    = "state_not_resumable"
	codeProvider        = "provider_error"
	codeContentFiltered = "provider_content_filtered"
	codeRefused         = "provider_refused"
)

// Error is an error with a classification.
type Error struct {
	Message   string // for the reader
	Code      string // one of the protocol's 21 codes
	Retryable bool   // the agent may go on
}

func (e *Error) Error() string { return e.Message }

// Failure is an error as readers see it.
type Failure struct {
	Message     string // never empty
	Code        string // "" for an unclassified error
	Recoverable bool   // the agent goes on
}

// Classify returns the classification of an error. An unclassified one has no code and is fatal.
func Classify(err error) Failure {
	// helix.errors.unclassified: unless a case below applies, the failure has no code and is fatal.
	f := Failure{Message: err.Error()}
	if f.Message == "" {
		// helix.errors.text: an error text is never empty.
		f.Message = "an error without a text"
	}
	var known *Error
	switch {
	case errors.As(err, &known):
		if isKnown(known.Code) {
			// helix.errors.classified, helix.errors.recoverable: both come from the classified error.
			f.Code, f.Recoverable = known.Code, known.Retryable
		}
	case errors.Is(err, context.Canceled):
		// helix.errors.cancelled: cancelled work fails with context.Canceled.
		f.Code = codeCancelled
	case errors.Is(err, context.DeadlineExceeded):
		f.Code = codeTimeout
	}
	return f
}

// isKnown reports whether a code is one of the protocol's.
func isKnown(code string) bool {
	switch code {
	case "provider_overloaded", "provider_rate_limited", "provider_auth_error", codeContentFiltered, codeRefused,
		"provider_timeout", "provider_invalid_request", codeProvider,
		"tool_input_invalid", "tool_execution_failed", "tool_not_found", codeTimeout,
		"state_concurrency_conflict", "state_session_not_found", codeAlreadyRunning, codeNotResumable,
		"transport_error", codeValidation,
		codeInternal, "framework_not_supported", codeCancelled:
		return true
	}
	return false
}

// stopError returns the error that a stop reason means; nil if the model stopped because it was done.
func stopError(reason string) error {
	// helix.errors.stop-reason: every reason for a failure becomes an error; only max_tokens is retryable.
	switch reason {
	case "end_turn", "stop_sequence", "tool_use":
		return nil
	case "max_tokens":
		return &Error{Message: "the model stopped at its limit of tokens", Code: codeProvider, Retryable: true}
	case "content_filter":
		return &Error{Message: "a content filter stopped the model", Code: codeContentFiltered}
	case "refusal":
		return &Error{Message: "the model refused to answer", Code: codeRefused}
	case "error":
		return &Error{Message: "the model stopped with an error", Code: codeProvider}
	}
	return &Error{Message: "the model stopped for an unknown reason", Code: codeProvider}
}

// Errors that a caller decides on.
var (
	ErrUnknownRun = errors.New("unknown run")
	ErrClosed     = errors.New("the runtime is closed")

	// errFenced stops an executor that may no longer write.
	errFenced = errors.New("another executor has taken over")
	// errInterrupted ends the calls of an interrupted step.
	errInterrupted = errors.New("the run was interrupted")
)

// StateError reports that the session's state doesn't allow the operation.
type StateError struct {
	Code    string // a code that begins with state_
	Message string // for the client
}

func (e *StateError) Error() string { return e.Message }

func notResumable(message string) error { return &StateError{codeNotResumable, message} }

func alreadyRunning(message string) error { return &StateError{codeAlreadyRunning, message} }
