package helix

import "slices"

// What several servers never show, as globs of requirement ids.

func thinkingSubjects() []string { return []string{"helix.thinking.*"} }

func toolSubjects() []string { return []string{"helix.tools.*", "helix.approval.*"} }

// contentSubjects lists the requirements on the content that an agent emits.
func contentSubjects() []string {
	return slices.Concat(thinkingSubjects(), toolSubjects(), []string{
		"helix.text.*", "helix.subagents.*", "helix.custom.*", "helix.state.*", "helix.output.*", "helix.runs.step",
	})
}

// failureSubjects lists the requirements on the error chunks of an agent.
func failureSubjects() []string {
	return []string{
		"helix.errors.text", "helix.errors.classified", "helix.errors.unclassified",
		"helix.errors.recoverable", "helix.errors.goes-on", "helix.errors.fatal-*", "helix.errors.same-text", "helix.errors.step",
		"helix.errors.cancelled", "helix.errors.stop-reason",
	}
}

// steeringSubjects lists the requirements on runs that stop and go on.
func steeringSubjects() []string {
	return []string{
		"helix.runs.interrupt*", "helix.runs.silent", "helix.runs.resume*", "helix.runs.mode", "helix.runs.known-checkpoint",
		"helix.runs.from-step", "helix.runs.new-run", "helix.runs.retry-unknown", "helix.runs.pause-status",
		"helix.runs.no-terminal", "helix.runs.superseded*", "helix.checkpoints.discarded", "helix.resync.*",
	}
}

// runtimeSubjects lists all requirements on runs.
func runtimeSubjects() []string {
	return slices.Concat(contentSubjects(), failureSubjects(), steeringSubjects(), []string{
		"helix.runs.*", "helix.checkpoints.*",
		"helix.snapshot.messages", "helix.snapshot.no-partial", "helix.snapshot.partial*", "helix.snapshot.text",
	})
}
