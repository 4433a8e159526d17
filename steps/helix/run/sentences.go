package run

import (
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// Sentences registers the sentences on runs.
func Sentences(v *steps.Sentences[*world.World]) {
	for _, add := range []func(*steps.Sentences[*world.World]){
		runSteps, producedSteps, relationSteps, emittedSteps, listSteps, failureSteps,
	} {
		add(v)
	}
}
