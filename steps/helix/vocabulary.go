package helix

import (
	"slices"

	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/run"
	"github.com/streamcert/streamcert/steps/helix/snapshot"
	"github.com/streamcert/streamcert/steps/helix/streams"
	"github.com/streamcert/streamcert/steps/helix/sweep"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// Vocabulary returns every sentence that the feature files of pack helix may use.
func Vocabulary() *steps.Vocabulary {
	return steps.NewVocabulary(world.Of, streams.Sentences, sweep.Sentences, run.Sentences, snapshot.Sentences, campaignSteps)
}

// Fixtures returns a failing fixture for each Then of pack helix.
func Fixtures() []steps.Fixture {
	return slices.Concat(receiving(), finishing(), resuming(), sweeping(), sequences(), truncating(), resetting(), statuses(),
		writing(), answering(), loads(), snapshots(), stateRuns(), sayings(), runSequences(), playedHistories(), restarts(), races())
}
