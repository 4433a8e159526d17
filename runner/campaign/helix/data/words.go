package data

import (
	"slices"
	"strings"
)

// ErrorCodes lists codes by which a failure may be classified.
var ErrorCodes = []string{
	"provider_overloaded", "provider_rate_limited", "provider_auth_error", "provider_content_filtered", "provider_refused", "provider_timeout",
	"provider_invalid_request", "provider_error", "tool_input_invalid", "tool_execution_failed", "tool_not_found", "tool_timeout",
	"state_concurrency_conflict", "transport_error", "validation_error", "framework_internal_error", "framework_not_supported",
}

// LongMode is a mode longer than a column of 255 characters.
var LongMode = strings.Repeat("user-", 60)

// FailureCodes lists codes with which a stream may fail, "" for none.
var FailureCodes = slices.Concat([]string{"tool_timeout", "", "framework_cancelled"}, ErrorCodes, []string{
	"state_session_not_found", "state_already_running", "state_not_resumable", "",
})

// ResumeModes lists modes with which a run is resumed.
var ResumeModes = []string{"continue", "retry-later", "ZWEITER", "user", " x ", "Über-uns", "crash", "0", LongMode}

// InheritedNames lists members that every object has in some languages. No campaign uses one as the id of a stream.
var InheritedNames = []string{"constructor", "__proto__", "toString", "hasOwnProperty"}
