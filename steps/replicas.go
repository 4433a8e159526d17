package steps

import (
	"errors"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// Unreplicated is what an error means that a replica gave which was asked for, or was to be killed.
func Unreplicated(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, target.ErrOneAddress), errors.Is(err, target.ErrNoProgram):
		return &Unprovable{Reason: err.Error()}
	}
	return &Failure{Finding: record.Finding{Message: "a replica", Want: "one that can be asked, and killed", Got: err.Error(), Frame: -1}}
}
