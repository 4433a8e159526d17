package helixui_test

import (
	"testing"

	"go.uber.org/goleak"

	reference "github.com/streamcert/streamcert/reference/helix-ui"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix-ui"
	"github.com/streamcert/streamcert/runner/judge"
	judged "github.com/streamcert/streamcert/runner/judge/helix-ui"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/steps"
	helixui "github.com/streamcert/streamcert/steps/helix-ui"
	"github.com/streamcert/streamcert/steps/stepstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestVocabulary(t *testing.T) { stepstest.Vocabulary(t, "helix-ui", helixui.Vocabulary()) }

func TestFixtures(t *testing.T) { newStage(t).Fixtures(t, helixui.Fixtures()) }

// newStage serves the reference, or a mutant of it by its name.
func newStage(t *testing.T) *stepstest.Stage {
	t.Helper()
	set, err := schemas.Load(schemas.FS, "helix-ui")
	if err != nil {
		t.Fatal(err)
	}
	base := reference.Options{Token: "reader", Other: "other", ControlToken: "control"}
	mutants := map[string]mutant.Mutant{}
	for _, m := range mutant.Catalogue() {
		mutants[m.Name] = m
	}
	return &stepstest.Stage{
		Vocabulary: helixui.Vocabulary(),
		Env: steps.Env{
			Schemas: set,
			Judge: func(e *record.Exchange) ([]record.Finding, map[string]int) {
				return judge.Exchange(judge.Judge{Machine: judged.New, Answer: judged.JudgeAnswer}, judge.Options{Schemas: set}, e)
			},
		},
		Config: target.Config{
			Headers: map[string]string{"Authorization": "Bearer reader"}, ControlToken: "control",
			Sections: []any{&client.Config{Other: map[string]string{"Authorization": "Bearer other"}}},
		},
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
