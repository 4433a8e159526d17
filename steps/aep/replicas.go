package aep

import (
	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

func replicaSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^replica (\d+) is asked from now on$`, func(w *world, replica int) error {
			return steps.Unreplicated(w.Session().TurnTo(replica))
		})
		// Responses of it are cut by that.
		steps.Step1(v, k, `^replica (\d+) is killed$`, func(w *world, replica int) error {
			w.Finish() // the end of finished responses has to be read
			return steps.Unreplicated(w.Session().KillReplica(replica))
		})
	})
}
