package helixui

import (
	"slices"

	"github.com/streamcert/streamcert/steps"
)

// Vocabulary is every sentence that the feature files of pack helix-ui may use.
func Vocabulary() *steps.Vocabulary {
	return steps.NewVocabulary(of, requestSteps, endSteps, contentSteps, toolSteps, partSteps, metadataSteps, historySteps, resumeSteps, momentSteps, refusalSteps, securitySteps, waitingSteps, campaignSteps)
}

// Fixtures returns the worlds that show of each Then of pack helix-ui that it can fail.
func Fixtures() []steps.Fixture {
	return slices.Concat(endings(), contents(), callings(), particles(), describings(), memories(), resumings(), returnings(), refusals(), keepings(), waitings())
}
