package helix

import (
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
)

// isKnownCode reports whether the specification lists the code.
func isKnownCode(code string) bool {
	switch code {
	case "provider_overloaded", "provider_rate_limited", "provider_auth_error", "provider_content_filtered",
		"provider_refused", "provider_timeout", "provider_invalid_request", "provider_error",
		"tool_input_invalid", "tool_execution_failed", "tool_not_found", "tool_timeout",
		"state_concurrency_conflict", "state_session_not_found", "state_already_running", "state_not_resumable",
		"transport_error", "validation_error",
		"framework_internal_error", "framework_not_supported", "framework_cancelled":
		return true
	}
	return false
}

// statusOf returns the HTTP status of an error with the code, 0 if it may have any.
func statusOf(code string) int {
	switch code {
	case "state_session_not_found":
		return 404
	case "state_already_running", "state_not_resumable", "state_concurrency_conflict":
		return 409
	case "validation_error":
		return 400
	case "provider_rate_limited":
		return 429
	case "provider_overloaded":
		return 503
	case "framework_not_supported":
		return 501
	}
	return 0
}

// hasCategory reports whether a code begins with one of the categories and an underscore.
func hasCategory(code string) bool {
	category, _, ok := strings.Cut(code, "_")
	if !ok {
		return false
	}
	switch category {
	case "provider", "tool", "state", "transport", "validation", "framework":
		return true
	}
	return false
}

// code checks an error code, and returns it if it is a known one.
func (m *machine) code(at judge.Position, v any) (known string) {
	if v == nil {
		return ""
	}
	m.Saw(errorsKnownCode)
	code, ok := v.(string)
	if ok { // each code is in the list or has a category: a server that keeps both rules shows none outside it
		m.Saw(errorsCodePrefix)
	}
	if ok && isKnownCode(code) {
		return code
	}
	m.Violation(errorsKnownCode, at, "the error code isn't a known one", "one of the 21 known codes", judge.Show(v))
	if !ok {
		return ""
	}
	if !hasCategory(code) {
		m.Violation(errorsCodePrefix, at, "the error code doesn't begin with a category and an underscore",
			"provider_, tool_, state_, transport_, validation_ or framework_", judge.Show(code))
	}
	return ""
}

// codeStatus checks that a known code comes with its HTTP status.
func (m *machine) codeStatus(code string, status int) {
	want := statusOf(code)
	if want == 0 {
		return
	}
	m.Saw(errorsCodeStatus)
	if status != want {
		m.Violation(errorsCodeStatus, judge.Position{}, "an error with code "+code+" has another HTTP status", strconv.Itoa(want), strconv.Itoa(status))
	}
}
