package aep

// What several servers never show, as globs of requirement ids.

func toolSubjects() []string {
	return []string{"aep.tools.*", "aep.done.arguments"}
}

// actionSubjects lists requirements of continuations and of their results. A client can send a result for an unknown
// action, and its rejection shows the other requirements of the chapter.
func actionSubjects() []string {
	return []string{
		"aep.actions.members", "aep.actions.unchanged", "aep.actions.pauses", "aep.actions.action-required", "aep.actions.unique",
		"aep.actions.resumed", "aep.actions.result", "aep.actions.same-thread", "aep.actions.resolved", "aep.actions.foreign",
		"aep.actions.empty-messages", "aep.security.forged-payload",
	}
}

func errorSubjects() []string {
	return []string{
		"aep.errors.code", "aep.errors.known-code", "aep.errors.retryable", "aep.errors.message", "aep.errors.in-stream",
		"aep.errors.agent", "aep.errors.tool", "aep.errors.internal", "aep.errors.timeout",
	}
}

func cancelSubjects() []string {
	return []string{"aep.cancel.*"}
}

func thinkingSubjects() []string {
	return []string{"aep.content.thinking", "aep.content.thinking-apart"}
}

func blockSubjects() []string {
	return []string{
		"aep.content.*", "aep.stages.stage", "aep.stages.block-id", "aep.stages.block-index", "aep.stages.start-first",
		"aep.stages.one-start", "aep.stages.after-stop", "aep.stages.same-event", "aep.stages.index-*",
		"aep.stages.final-data", "aep.stages.overlap", "aep.stages.no-delta", "aep.flow.blocks-closed",
		"aep.done.block-members", "aep.done.complete", "aep.done.text", "aep.events.same-message",
	}
}

func deltaSubjects() []string {
	return []string{
		"aep.stages.delta-*", "aep.content.text-delta", "aep.content.final-text", "aep.content.whole-characters",
		"aep.tools.fragments", "aep.tools.one-value", "aep.tools.final-arguments",
	}
}
