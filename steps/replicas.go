package steps

import (
	"errors"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// Unreplicated returns the outcome of a step whose request to a replica, or kill of one, failed with err: *Unprovable if
// the config has no replicas or no program, else *Failure; nil for nil.
func Unreplicated(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, target.ErrOneAddress), errors.Is(err, target.ErrNoProgram):
		return &Unprovable{Reason: err.Error()}
	}
	return &Failure{Finding: record.Finding{Message: "a replica", Want: "one that can be asked, and killed", Got: err.Error(), Frame: -1}}
}
