package campaignonly

// Holdout lists the names of the mutants that campaigns aren't written for: they were drawn by lot, with the seed 14, from
// those whose authors knew the spec and the reference alone. How many of them are found is the measure of campaigns.
func Holdout() []string {
	return []string{
		"checkpoint-found-by-its-beginning",
		"child-is-silent-after-an-error",
		"cleanup-opens-closed-writers",
		"crash-after-a-return-restores-what-was-left",
		"denied-child-in-other-words",
		"error-after-a-retry-in-the-step-before",
		"failures-of-255-characters",
		"lowest-step-so-far",
		"names-without-case",
		"output-texts-of-4000-characters",
		"pause-after-a-reset-is-no-news",
		"pauses-all-before-the-colon",
		"resumed-on-an-emptied-stream",
		"second-failed-call-is-completed",
		"steps-of-31-bits",
		"third-checkpoint-of-a-step-has-an-old-id",
		"third-request-in-parallel-is-lost",
		"third-terminal-call-wins",
		"thoughts-of-a-twin",
		"writer-of-five-closes-the-first",
	}
}
