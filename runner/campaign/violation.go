package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// Violation is a violation that the model of a pack found, and the exchange that shows it.
type Violation struct {
	model.Violation
	Exchange *target.Exchange // nil if no single one shows it
}

// Failure is a program with the violation that it found. In a program of operations, the last one shows the violation,
// unless it showed after the last.
type Failure[P any] struct {
	Violation
	Program P // as short as shrinking could make it
}

// Broken is a violation of a requirement; its message is formatted as by [fmt.Sprintf].
func Broken(e *target.Exchange, requirement, want, got, format string, args ...any) error {
	return &Violation{*model.Violated(requirement, want, got, format, args...), e}
}

// At adds the exchange to an error of the model. Any other error is returned as it is.
func At(e *target.Exchange, err error) error {
	var b *model.Violation
	if errors.As(err, &b) {
		return &Violation{*b, e}
	}
	return err
}

var (
	// ErrBusy reports that the server refused a request because of its load or their rate.
	ErrBusy = errors.New("the server is busy")
	// ErrUnknown reports an inconclusive result: the response exceeded the memory of the suite, the server's limits are
	// below the request, or the server deviated from a recommendation.
	ErrUnknown = errors.New("nothing can be found out")
)

// UnableError reports that the server doesn't do what the control binding of a pack promises, so that the program can't be
// played further. It breaks no rule of a protocol, and leaves the requirements of the program unproven.
type UnableError struct {
	Doing  string          // such as "a run was started on the stream a"
	Answer record.Response // of the control call
}

func (e *UnableError) Error() string {
	return fmt.Sprintf("%s, and the answer was %d %s", e.Doing, e.Answer.Status, model.Clipped(string(e.Answer.Answer)))
}

// Ended converts the error that ended a program: into a violation, or into an error that explains why the program can't be
// played, prefixed by doing. It returns neither for an inconclusive end.
func Ended(ctx context.Context, session *target.Session, err error, doing string) (*Violation, error) {
	var v *Violation
	switch {
	case err == nil, errors.Is(err, ErrBusy), errors.Is(err, ErrUnknown):
		return nil, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s: %w", doing, ctx.Err())
	case session.Full(), errors.As(err, new(*target.LimitError)): // a server may send much in small pieces
		return nil, nil
	case session.OutOfTime(): // and take its time for each
		return nil, nil
	case !errors.As(err, &v):
		return nil, fmt.Errorf("%s: %w", doing, err)
	case v.Exchange != nil && target.IsTooLarge(v.Exchange.Now().Err): // the rest of the frame is unknown
		return nil, nil
	}
	return v, nil
}

// Judge returns the findings of a pack's judge on an exchange, and its counts of checks; it may be nil.
type Judge func(*record.Exchange) ([]record.Finding, map[string]int)

// Check passes an exchange to the judge. Only a violation of one of the given requirements ends a history: the others are
// recommendations.
func (j Judge) Check(e *target.Exchange, requirements []string, occasions model.OccasionCounts) error {
	if j == nil {
		return nil
	}
	findings, looked := j(e.Record())
	for _, f := range findings {
		if slices.Contains(requirements, f.Requirement) {
			return Broken(e, f.Requirement, f.Want, f.Got, "%s", f.Message)
		}
	}
	for _, id := range requirements {
		occasions[id] += looked[id]
	}
	return nil
}
