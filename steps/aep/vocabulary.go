package aep

import (
	"slices"

	"github.com/streamcert/streamcert/steps"
)

// Vocabulary is every sentence that the feature files of pack aep may use.
func Vocabulary() *steps.Vocabulary {
	return steps.NewVocabulary(of, requestSteps, responseSteps, limitSteps, historySteps, toolSteps, refusalSteps, restartSteps, replicaSteps, campaignSteps)
}

// Fixtures returns the worlds that show of each Then of pack aep that it can fail.
func Fixtures() []steps.Fixture {
	return slices.Concat(agentsRespond(), agentsSpeak(), agentsCall(), agentFixtures(), agentsRefuse(), playedHistories())
}
