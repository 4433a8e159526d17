package merlin_test

import (
	"testing"

	"go.uber.org/goleak"

	reference "github.com/streamcert/streamcert/reference/merlin"
	mutant "github.com/streamcert/streamcert/reference/mutant/merlin"
	"github.com/streamcert/streamcert/runner/judge"
	judged "github.com/streamcert/streamcert/runner/judge/merlin"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/merlin"
	"github.com/streamcert/streamcert/steps/stepstest"
)

// control is the token of control calls.
const control = "control"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestVocabulary(t *testing.T) { stepstest.Vocabulary(t, "merlin", merlin.Vocabulary()) }

// TestFixtures plays the pairs on the reference and on its mutants.
func TestFixtures(t *testing.T) {
	set, err := schemas.Load(schemas.FS, "merlin")
	if err != nil {
		t.Fatal(err)
	}
	base := reference.Options{ControlToken: control}
	mutants := map[string]mutant.Mutant{}
	for _, m := range mutant.Catalogue() {
		mutants[m.Name] = m
	}
	stage := &stepstest.Stage{
		Vocabulary: merlin.Vocabulary(),
		Env: steps.Env{
			Schemas: set,
			Judge: func(e *record.Exchange) ([]record.Finding, map[string]int) {
				return judge.Exchange(judge.Judge{Machine: judged.New, Answer: judged.JudgeAnswer}, judge.Options{Schemas: set}, e)
			},
		},
		Config: target.Config{ControlToken: control},
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
	stage.Fixtures(t, merlin.Fixtures())
}
