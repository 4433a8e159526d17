package pack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// Route is a request that a scenario may need, and that a probe tries.
type Route struct {
	Name string
	Call string // method and path as configured, with {stream} for the id
	// Needed reports whether a step of this text needs the route; nil: every scenario does.
	Needed func(step string) bool
	// Capability is closed to a target without the route; "" when none is.
	Capability string
	// Control: the route belongs to the control binding.
	Control bool
	// Listens: nothing can be observed without the route. Scripts: nothing can be provoked without it.
	Listens, Scripts bool
	// Try makes the request. Without an exchange, the error explains why it could not be made.
	Try func() (*target.Exchange, error)
	// Right describes the mistake in a 2xx answer, "" for none; it may be nil.
	Right func(record.Response) string
	// Refusals are statuses other than 2xx which show that the route exists.
	Refusals []int
}

// StepMatches makes the predicate of a route from the steps that need it, as a regular expression.
func StepMatches(pattern string) func(step string) bool {
	return regexp.MustCompile(pattern).MatchString
}

// HasMember returns a check that an answer is a JSON object with a member.
func HasMember(member string) func(record.Response) string {
	return func(v record.Response) string {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(bytes.TrimSpace(v.Answer), &object); err != nil || object[member] == nil {
			return fmt.Sprintf("expected a JSON object with %q: %s", member, FirstLine(v.Answer))
		}
		return ""
	}
}

// Streams checks that an answer is an event stream that sends its content.
func Streams(v record.Response) string {
	switch {
	case !v.IsEventStream():
		return "expected text/event-stream, got " + v.Get("content-type")
	case len(v.Frames) == 0:
		return "the stream sent no event of what it holds"
	}
	return ""
}

// Condition is a condition of the target that a scenario may need in addition to routes.
type Condition struct {
	// Needed reports whether a step of this text needs it.
	Needed func(step string) bool
	// Lacks returns why the target doesn't meet it, "" if it does.
	Lacks func(*target.Session) string
}
