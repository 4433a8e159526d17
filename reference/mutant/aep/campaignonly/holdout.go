package campaignonly

// Holdout lists the names of the mutants that campaigns aren't written for: they were drawn by lot, with the seed 14, from
// those whose authors knew the spec and the reference alone. How many of them are found is the measure of campaigns.
func Holdout() []string {
	return []string{
		"answer-after-a-failure-is-forgotten",
		"answer-closes-later-actions",
		"answer-to-two-results-is-forgotten",
		"cancelled-after-a-failed-call",
		"empty-block-swallows-the-next",
		"failure-reopens-all",
		"final-text-of-64k",
		"private-keys-of-the-context",
		"summaries-of-200-characters",
		"thought-after-a-failed-call-goes-on",
	}
}
