package aep

import (
	"errors"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

func restartSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^the server is killed and started again$`, restart)
	})
}

// restart kills the server and starts it again. That interrupts open responses.
func restart(w *world) error {
	w.Finish() // the end of finished responses has to be read
	switch err := w.Session().Restart(); {
	case errors.Is(err, target.ErrNoProgram):
		return &steps.Unprovable{Reason: err.Error()}
	case err != nil:
		return &steps.Failure{Finding: record.Finding{Message: "the server after a kill", Want: "a server that runs again", Got: err.Error(), Frame: -1}}
	}
	return nil
}
