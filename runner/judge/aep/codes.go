package aep

import (
	"strconv"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
)

// A failure is a row of the specification's table of error codes.
type failure struct {
	status    int  // of the HTTP response; 0 for a failure that is sent as an event only
	fixed     bool // the table fixes retryable
	retryable bool // undefined unless fixed
}

// failureOf returns the row of a code; false for a code that the table doesn't list, which a server may have.
func failureOf(code string) (failure, bool) {
	switch code {
	case "invalid_message_format", "invalid_action_id":
		return failure{400, true, false}, true
	case "auth_failed":
		return failure{401, true, false}, true
	case "thread_access_denied":
		return failure{403, true, false}, true
	case "thread_not_found":
		return failure{404, true, false}, true
	case "message_too_large":
		return failure{413, true, false}, true
	case "rate_limit_exceeded":
		return failure{429, true, true}, true
	case "internal_error":
		return failure{500, true, true}, true
	case "stream_timeout":
		return failure{504, true, true}, true
	case "agent_error", "tool_error":
		return failure{}, true
	}
	return failure{}, false
}

// retryable compares the flag of a failure with the table.
func (m *machine) retryable(at judge.Position, object map[string]any) {
	code, _ := object["code"].(string)
	flag, ok := object["retryable"].(bool)
	f, known := failureOf(code)
	if !ok || !known || !f.fixed {
		return
	}
	m.Saw(errorsRetryableValue)
	if flag != f.retryable {
		m.Violation(errorsRetryableValue, at, "retryable of "+code+" isn't what the table says",
			strconv.FormatBool(f.retryable), strconv.FormatBool(flag))
	}
}

// JudgeAnswer judges an HTTP answer that isn't a stream: the refusal of a
// request. It returns the findings and the occasions.
func JudgeAnswer(o judge.Options, a judge.Answer) ([]record.Finding, map[string]int) {
	m := newMachine(o)
	// 501 means that an adapter doesn't support an instruction of the script.
	if a.Kind != record.Control && a.Status >= 400 && a.Status <= 599 && a.Status != 501 {
		m.refusal(a)
	}
	return m.Found(), m.Occasions()
}

// refusal judges the body of a refused request, and its status by the code that it names.
func (m *machine) refusal(a judge.Answer) {
	m.Saw(httpErrorBody)
	res := m.Document("error-body", a.Body)
	object, _ := res.Value.(map[string]any)
	if object != nil {
		m.Saw(httpErrorEvent)
	}
	m.retryable(judge.Position{}, object)
	code, ok := object["code"].(string)
	if !ok {
		return
	}
	m.Saw(httpInStreamCodes)
	f, known := failureOf(code)
	switch {
	case known && f.status == 0:
		m.Violation(httpInStreamCodes, judge.Position{}, "an HTTP error has a code that needs a stream", "a code with a status", code)
	case known:
		m.Saw(httpStatus)
		if a.Status != f.status {
			m.Violation(httpStatus, judge.Position{}, "an error with code "+code+" has another HTTP status", strconv.Itoa(f.status), strconv.Itoa(a.Status))
		}
	}
}
