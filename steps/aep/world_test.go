package aep_test

import (
	"errors"
	"testing"
	"time"

	"go.uber.org/goleak"

	reference "github.com/streamcert/streamcert/reference/aep"
	mutant "github.com/streamcert/streamcert/reference/mutant/aep"
	"github.com/streamcert/streamcert/runner/judge"
	judged "github.com/streamcert/streamcert/runner/judge/aep"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/aep"
	"github.com/streamcert/streamcert/steps/stepstest"
)

// Limits of the servers of this stage.
const (
	streamTimeout = 300 * time.Millisecond
	control       = "control" // the token of control calls
	largest       = 4 << 10
	often         = 2
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestVocabulary(t *testing.T) { stepstest.Vocabulary(t, "aep", aep.Vocabulary()) }

func TestFixtures(t *testing.T) { newStage(t, "impatient", streamTimeout).Fixtures(t, aep.Fixtures()) }

// newStage serves the reference, or a mutant of it by its name. An agent has a time-out, and the config may declare a wrong
// one.
func newStage(t *testing.T, timed string, declared time.Duration) *stepstest.Stage {
	t.Helper()
	set, err := schemas.Load(schemas.FS, "aep")
	if err != nil {
		t.Fatal(err)
	}
	base := reference.Options{
		Principals: map[string]string{"first": "first", "other": "other", "limited": "limited"},
		Rates:      map[string]reference.Rate{"limited": {Requests: often}},
		MaxMessage: largest, Timeouts: map[string]time.Duration{timed: streamTimeout}, Heartbeat: stepstest.Heartbeat,
		ControlToken: control,
	}
	mutants := map[string]mutant.Mutant{}
	for _, m := range mutant.Catalogue() {
		mutants[m.Name] = m
	}
	bearer := func(token string) map[string]string { return map[string]string{"Authorization": "Bearer " + token} }
	return &stepstest.Stage{
		Vocabulary: aep.Vocabulary(),
		Env: steps.Env{
			Schemas: set,
			Judge: func(e *record.Exchange) ([]record.Finding, map[string]int) {
				return judge.Exchange(judge.Judge{Machine: judged.New, Answer: judged.JudgeAnswer}, judge.Options{Schemas: set}, e)
			},
		},
		Config: target.Config{Headers: bearer("first"), ControlToken: control, Sections: []any{targetaep.Config{
			Other: bearer("other"), Limited: bearer("limited"), Message: largest, Requests: often, StreamTimeout: declared, TimeoutAgent: timed,
		}}},
		Server: func(name string) stepstest.Server {
			m, known := mutants[name]
			switch {
			case name == "":
				return reference.New(base)
			case !known:
				return nil
			}
			return mutant.Handler(m, base)
		},
	}
}

// TestTimedOut: a scenario that starts a hanging script and doesn't wait for the time-out was slow, which is no fault of a
// server that satisfies its declared limit. A server that ends a stream sooner violates its declaration.
func TestTimedOut(t *testing.T) {
	const hangs = "a request with this script:\n[{\"text\": \"It is\"}, {\"hang\": true}]"
	for declared, isFault := range map[time.Duration]bool{streamTimeout: false, time.Minute: true} {
		t.Run(declared.String(), func(t *testing.T) {
			t.Parallel()
			err := newStage(t, "conformance", declared).Outcome(t, "", hangs, "the response ends with done")
			var unprovable *steps.Unprovable
			var failure *steps.Failure
			if isFault && !errors.As(err, &failure) || !isFault && !errors.As(err, &unprovable) {
				t.Error(err)
			}
		})
	}
}
