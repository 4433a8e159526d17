package snapshot

import (
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// Sentences registers the sentences on snapshots.
func Sentences(v *steps.Sentences[*world.World]) {
	for _, add := range []func(*steps.Sentences[*world.World]){
		sequenceSteps, snapshotSteps, snapshotBoundarySteps, snapshotStateSteps, snapshotMessageSteps,
	} {
		add(v)
	}
}
