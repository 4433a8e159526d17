package helix

import (
	"slices"

	"github.com/streamcert/streamcert/steps"
)

// Vocabulary is every sentence that the feature files of pack helix may use.
func Vocabulary() *steps.Vocabulary {
	return steps.NewVocabulary(of,
		streamSteps, writeSteps, chunkSteps, chunkReceivedSteps, clientSteps, arrivalSteps, headSteps, resumeSteps, disconnectSteps, sweepSteps, receiveSteps,
		finishSteps, truncationSteps, resetSteps, statusSteps, infoSteps, silenceSteps, requestSteps, isolationSteps,
		concurrentSteps, loadSteps, interopSteps, runSteps, producedSteps, emittedSteps, listSteps, failureSteps, sequenceSteps,
		restartSteps, replicaSteps, replicaRaceSteps, snapshotSteps, snapshotBoundarySteps, snapshotStateSteps, snapshotMessageSteps, campaignSteps)
}

// Pairs are the worlds that show of each Then of pack helix that it can fail.
func Pairs() []steps.Pair {
	return slices.Concat(receiving(), finishing(), resuming(), sweeping(), sequences(), truncating(), resetting(), statuses(),
		writing(), answering(), loads(), snapshots(), stateRuns(), sayings(), courses(), playedHistories(), restarts(), races())
}

// aClient is the part of a pattern that names who receives.
const aClient = `(the client|client "[^"]+"|every client|a fresh client|the stalled client)`

// events is the part of a pattern that names events: "event 3", "events 1 to 4".
const events = `(events? \d[\d, to]*)`
