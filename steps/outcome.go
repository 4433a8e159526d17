package steps

import (
	"errors"
	"fmt"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// Failure reports that the server broke the rule which the scenario proves. The run sets the finding's requirement, scenario
// and step.
type Failure struct {
	record.Finding
	Exchange *target.Exchange // where it was seen; nil when it is about no single exchange
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

// Unprovable reports that the target offers no way to find out.
type Unprovable struct{ Reason string }

func (u *Unprovable) Error() string { return "unprovable: " + u.Reason }

// Fault reports that the scenario or the kit is wrong, never the server.
type Fault struct{ Reason string }

func (f *Fault) Error() string { return "fault of the suite: " + f.Reason }

// Faultf is a *[Fault] with a reason as fmt.Sprintf makes it.
func Faultf(format string, args ...any) error { return &Fault{fmt.Sprintf(format, args...)} }

// TimedOut is the message of a failure in which something didn't come.
const TimedOut = "waiting timed out"

// StatusOf describes an answer for people: its status and its body, or that it is a
// stream, whose frames the report shows.
func StatusOf(v record.Response) string {
	switch {
	case v.Status == 0 && v.Err != nil:
		return fmt.Sprintf("no answer (%v)", v.Err)
	case v.Status == 0:
		return "no answer"
	case len(v.Answer) > 0:
		return fmt.Sprintf("%d %s", v.Status, Clip(v.Answer))
	case v.IsEventStream():
		return fmt.Sprintf("%d and a stream", v.Status)
	case len(v.Frames) > 0:
		return fmt.Sprintf("%d %s", v.Status, Clip(v.Frames[0].Raw))
	}
	return fmt.Sprintf("%d without a body", v.Status)
}

// Classify turns what the target reported into a *[Failure], an *[Unprovable] or a
// *[Fault]; nil stays nil. A
// time-out, a reset or a refusal after the preflight is the server's failure.
func Classify(err error) error {
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
		return &Failure{Finding: record.Finding{Message: TimedOut, Want: late.Awaited, Got: fmt.Sprintf("nothing within %v", late.After), Frame: -1}}
	}
	return &Failure{Finding: record.Finding{Message: err.Error(), Frame: -1}}
}

// Refused returns the *[Failure] of a control call that should have been accepted; what names its purpose.
func Refused(call *target.Exchange, what string) error {
	v := call.Now()
	return &Failure{
		Finding: record.Finding{Message: what + " was not accepted", Want: "a 2xx answer", Got: StatusOf(v), Frame: -1}, Exchange: call,
	}
}
