package steps

import (
	"errors"
	"fmt"

	"github.com/streamcert/streamcert/runner/target"
)

// Failure says that the server broke the rule which the scenario proves.
type Failure struct {
	Message  string
	Want     string
	Got      string
	Exchange *target.Exchange // where it was seen; nil when it is about no single exchange
	Frame    int              // index of the offending frame in the exchange, -1 for none
}

func (f *Failure) Error() string {
	switch {
	case f.Want == "" && f.Got == "":
		return f.Message
	case f.Message == "":
		return fmt.Sprintf("want %s, got %s", f.Want, f.Got)
	}
	return fmt.Sprintf("%s: want %s, got %s", f.Message, f.Want, f.Got)
}

// Unprovable says that the target offers no way to find out.
type Unprovable struct{ Reason string }

func (u *Unprovable) Error() string { return "unprovable: " + u.Reason }

// Fault says that the scenario or the kit is wrong, never the server.
type Fault struct{ Reason string }

func (f *Fault) Error() string { return "fault of the suite: " + f.Reason }

func fault(format string, args ...any) error { return &Fault{fmt.Sprintf(format, args...)} }

// timedOut is the message of a failure in which something didn't come.
const timedOut = "waiting timed out"

// statusOf is what a person reads of an answer: its status and its body, or that
// it is a stream, which is shown on the wire.
func statusOf(v target.View) string {
	switch {
	case v.Status == 0 && v.Err != nil:
		return fmt.Sprintf("no answer (%v)", v.Err)
	case v.Status == 0:
		return "no answer"
	case len(v.Answer) > 0:
		return fmt.Sprintf("%d %s", v.Status, clip(v.Answer))
	case v.IsEventStream():
		return fmt.Sprintf("%d and a stream", v.Status)
	case len(v.Frames) > 0:
		return fmt.Sprintf("%d %s", v.Status, clip(v.Frames[0].Raw))
	}
	return fmt.Sprintf("%d without a body", v.Status)
}

// classify turns what the target reported into one of the three outcomes. A
// time-out, a reset or a refusal after the preflight is the server's failure.
func classify(err error) error {
	var failure *Failure
	var unprovable *Unprovable
	var suite *Fault
	if err == nil || errors.As(err, &failure) || errors.As(err, &unprovable) || errors.As(err, &suite) {
		return err
	}
	if u, ok := target.IsUnavailable(err); ok {
		return &Unprovable{u.Error()}
	}
	var late *target.TimeoutError
	if errors.As(err, &late) {
		return &Failure{Message: timedOut, Want: late.Awaited, Got: fmt.Sprintf("nothing within %v", late.After), Frame: -1}
	}
	return &Failure{Message: err.Error(), Frame: -1}
}
