package steps_test

import (
	"testing"
	"time"

	reference "github.com/streamcert/streamcert/reference/aep"
	mutant "github.com/streamcert/streamcert/reference/mutant/aep"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/judge/aep"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/steps"
)

// What the servers of this stage are limited to.
const (
	streamTimeout = time.Second
	largest       = 4 << 10
	often         = 2
)

// newAEPStage is what the worlds of pack aep share.
func newAEPStage(t *testing.T) *stage {
	t.Helper()
	set, err := schemas.Load(schemas.FS, "aep")
	if err != nil {
		t.Fatal(err)
	}
	base := reference.Options{
		Principals: map[string]string{"first": "first", "other": "other", "limited": "limited"},
		Rates:      map[string]reference.Rate{"limited": {Requests: often}},
		MaxMessage: largest, Timeout: streamTimeout, Heartbeat: heartbeat,
	}
	mutants := map[string]mutant.Mutant{}
	for _, m := range mutant.Catalogue() {
		mutants[m.Name] = m
	}
	bearer := func(token string) map[string]string { return map[string]string{"Authorization": "Bearer " + token} }
	return &stage{
		definitions: steps.NewVocabulary().Definitions(),
		env: steps.Env{
			Schemas: set,
			Judge:   func(o judge.Origin) judge.Machine { return aep.New(judge.Options{Schemas: set, Origin: o}) },
			Answer: func(a judge.Answer) ([]judge.Finding, map[string]int) {
				return aep.JudgeAnswer(judge.Options{Schemas: set}, a)
			},
		},
		config: target.Config{Headers: bearer("first"), AEP: target.AEP{
			Other: bearer("other"), Limited: bearer("limited"), Message: largest, Requests: often, StreamTimeout: streamTimeout,
		}},
		server: func(name string) server {
			m, known := mutants[name]
			switch {
			case name == "":
				return reference.New(base)
			case !known:
				return nil
			}
			return m.Handler(base)
		},
	}
}
