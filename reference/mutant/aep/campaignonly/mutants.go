package campaignonly

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// Mutants returns the mutants that no single scenario is made for: they err on the 256th piece, with the third action,
// after the second disconnect, for some texts, or where two conditions coincide. Those of Holdout have Holdout set.
func Mutants() []edit.Mutant {
	all := slices.Concat(
		thirdActions(), taking(), resolving(), handedResults(), lostMessages(), failing(), ends(), amounts(), pages(),
		stopping(), cancelling(), waiting(), spelling(), connections(), trust(), contents(), handedBlocks(), arguments(),
		kills(), departures(), leaving(), afterwards(), ending(), treated(), loading(), loadingFailures(), bare(), called(),
		calls(), parallel(), queues(), refusals(), takings(), earlyFailures(), equalInputs(), repeating(), equalOutputs(),
		alike(), replicas(), forms(), batches(), brought(), wordless(), tries(), mistaken(), wrappings(), echoes(),
		counts(), numbers(), sizes(), long(), sayings(), keeping(), halves(), extents(), manyActions(), actionLimits(),
		wording(), forgottenHistories(), belonging(), known(), overdue(), texts(), handedValues(), sentValues(),
	)
	for i := range all {
		all[i].Holdout = slices.Contains(Holdout(), all[i].Name)
	}
	return all
}
