package helix_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/runner/judge"
	judged "github.com/streamcert/streamcert/runner/judge/helix"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix"
	"github.com/streamcert/streamcert/steps/stepstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestVocabulary(t *testing.T) { stepstest.Vocabulary(t, "helix", helix.Vocabulary()) }

func TestFixtures(t *testing.T) { newStage(t).Fixtures(t, helix.Fixtures()) }

// newStage returns a stage that serves the reference, or a mutant by its name.
func newStage(t *testing.T) *stepstest.Stage {
	t.Helper()
	set, err := schemas.Load(schemas.FS, "helix")
	if err != nil {
		t.Fatal(err)
	}
	// The rules for chunks take long to load, so that all servers share them.
	base := reference.Options{Validate: reference.Defaults(reference.Options{}).Validate, Heartbeat: stepstest.Heartbeat}
	mutants := map[string]mutant.Mutant{}
	for _, m := range mutant.Catalogue() {
		mutants[m.Name] = m
	}
	return &stepstest.Stage{
		Config:     target.Config{},
		Vocabulary: helix.Vocabulary(),
		Env: steps.Env{
			Schemas: set,
			Judge: func(e *record.Exchange) ([]record.Finding, map[string]int) {
				return judge.Exchange(judge.Judge{Machine: judged.New, Answer: judged.JudgeAnswer}, judge.Options{Schemas: set}, e)
			},
		},
		Server: func(name string) stepstest.Server {
			m, known := mutants[name]
			switch {
			case name == "":
				return host{restart.New(func(s store.Store) restart.Server { return reference.New(over(base, s)) })}
			case !known:
				return nil
			}
			return host{restart.New(func(s store.Store) restart.Server { return mutant.Handler(m, over(base, s)) })}
		},
	}
}

// host is a server that can be killed and has replicas.
type host struct{ *restart.Host }

// Replica implements stepstest.Replicated.
func (h host) Replica() stepstest.Replicated { return host{h.NewReplica()} }

// over returns the options with a store.
func over(o reference.Options, s store.Store) reference.Options {
	o.Store = s
	return o
}
