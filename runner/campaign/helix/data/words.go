package data

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
)

// CallResults lists results of calls that a client returns, as JSON, falsy ones too.
var CallResults = []string{`{"from":"the client"}`, `0`, `false`, `""`, `[]`, `{}`, `null`, `"7"`, `" x "`, `[null,"{\u0022a\u0022:1}"]`}

// falsy lists outputs that a program may mistake for a missing one.
var falsy = []any{"", nil, 0.0, false, []any{}, map[string]any{}}

// FinalOutput returns the nth output of a stream as JSON, nil for none. Any value is an output.
func FinalOutput(n int, text string) []byte {
	values := campaign.Values()
	value := values[n%len(values)]
	emitted := Encode(map[string]any{"said": text, "values": value})
	switch n % 5 {
	case 0:
		return emitted
	case 1:
		return Encode(string(emitted)) // a text of JSON
	case 2:
		return Encode(value)
	case 3:
		return nil
	}
	return Encode(falsy[n/5%len(falsy)])
}

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
