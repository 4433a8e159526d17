package target

import (
	"errors"
	"fmt"
	"time"

	"github.com/streamcert/streamcert/runner/wire"
)

// TimeoutError reports that an expected event did not come in time.
type TimeoutError struct {
	Awaited string        // description of the event that didn't come
	After   time.Duration // since the wait began
	// OpenRequests is the number of other open requests, if nothing came at all; 0 if they are too few to be the reason.
	OpenRequests int
}

func (e *TimeoutError) Error() string {
	if e.OpenRequests > 0 {
		return fmt.Sprintf("%s did not come within %v, while %d other requests were open", e.Awaited, e.After, e.OpenRequests)
	}
	return fmt.Sprintf("%s did not come within %v", e.Awaited, e.After)
}

// LimitError reports that the server sent more than the suite stores.
type LimitError struct {
	What  string // subject of the message
	Limit int64  // bytes
}

func (e *LimitError) Error() string { return fmt.Sprintf("%s exceeds %d bytes", e.What, e.Limit) }

// IsTooLarge reports whether an error reports that an answer, a frame or a scenario is larger than the suite reads: a server may
// write each character as an escape.
func IsTooLarge(err error) bool {
	return errors.As(err, new(*LimitError)) || errors.As(err, new(*wire.LimitError))
}

// UnavailableError reports that the server has no such control route.
type UnavailableError struct {
	Call   string // method and path template
	Status int    // 0 if no request was sent
	Reason string // why not; "" where it was
}

func (e *UnavailableError) Error() string {
	if e.Reason != "" {
		return e.Reason
	}
	return fmt.Sprintf("control call %s answered %d", e.Call, e.Status)
}

// IsUnavailable reports whether err is an *UnavailableError and returns it.
func IsUnavailable(err error) (*UnavailableError, bool) {
	var u *UnavailableError
	ok := errors.As(err, &u)
	return u, ok
}

// ControlLeftOut ends every reason that the control binding would remove.
const ControlLeftOut = "the config leaves out the control binding (model.only)"

// unasked returns the error of a call that isn't sent because the config excludes it.
func unasked(call string) *UnavailableError {
	return &UnavailableError{Call: call, Reason: call + " belongs to the control binding, and " + ControlLeftOut}
}

// Beyond is the error for a script that a model can't perform.
type Beyond struct{ What string }

func (b *Beyond) Error() string { return "a model can't provoke " + b.What }

// BeyondTools returns the error for a script that specifies the results of tools, when the server's tools don't request
// their results from the suite.
func BeyondTools() *Beyond {
	return &Beyond{What: "a tool of the script's, because the server's tools don't ask the kit (model.tools)"}
}

// Unmodelled reports that the model can't provoke something, and that the control binding may not.
func Unmodelled(what string) error {
	return &UnavailableError{Call: what, Reason: "a model can't provoke " + what + ", and " + ControlLeftOut}
}
