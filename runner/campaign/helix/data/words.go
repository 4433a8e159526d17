package data

import (
	"slices"
	"strings"
)

// ErrorCodes are those that a failure may be classified by.
var ErrorCodes = []string{
	"provider_overloaded", "provider_rate_limited", "provider_auth_error", "provider_content_filtered", "provider_refused", "provider_timeout",
	"provider_invalid_request", "provider_error", "tool_input_invalid", "tool_execution_failed", "tool_not_found", "tool_timeout",
	"state_concurrency_conflict", "transport_error", "validation_error", "framework_internal_error", "framework_not_supported",
}

// LongMode is one that a column of 255 characters doesn't hold.
var LongMode = strings.Repeat("user-", 60)

// FailureCodes are codes that a stream may fail with, "" for none.
var FailureCodes = slices.Concat([]string{"tool_timeout", "", "framework_cancelled"}, ErrorCodes, []string{
	"state_session_not_found", "state_already_running", "state_not_resumable", "",
})

// ResumeModes are modes with which a run is resumed.
var ResumeModes = []string{"continue", "retry-later", "ZWEITER", "user", " x ", "Über-uns", "crash", "0", LongMode}

// InheritedNames are names that objects of some languages have before they are given any. No campaign makes a stream of one.
var InheritedNames = []string{"constructor", "__proto__", "toString", "hasOwnProperty"}
