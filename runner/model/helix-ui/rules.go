package helixui

import "slices"

// Chapters returns the chapters that the model covers. It checks every provable MUST of them, except for those in [Unheld].
func Chapters() []string {
	return []string{
		"parts", "flow", "text", "reasoning", "tools", "steps", "errors", "wire", "mapping", "metadata", "resume", "replay", "history", "requests",
	}
}

// Unheld returns, by requirement, why the model doesn't check it.
func Unheld() map[string]string {
	return map[string]string{}
}

// Covered lists the requirements that the model or the judge checks, sorted.
func Covered() []string {
	all := append(Modelled(), Judged()...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Modelled lists the requirements that the model or the player finds violated, or counts occasions of, sorted.
func Modelled() []string {
	return []string{
		"helix-ui.errors.told", "helix-ui.flow.closes", "helix-ui.flow.finish", "helix-ui.history.calls", "helix-ui.history.failed", "helix-ui.history.whole",
		"helix-ui.mapping.agents", "helix-ui.mapping.chunks", "helix-ui.metadata.absent", "helix-ui.metadata.computed",
		"helix-ui.metadata.finish", "helix-ui.metadata.start", "helix-ui.reasoning.apart", "helix-ui.reasoning.whole",
		"helix-ui.replay.once", "helix-ui.requests.credential", "helix-ui.requests.refused", "helix-ui.resume.after", "helix-ui.resume.goes-on", "helix-ui.resume.ids",
		"helix-ui.resume.message-id", "helix-ui.resume.nothing", "helix-ui.text.live", "helix-ui.text.whole", "helix-ui.tools.arguments",
		"helix-ui.tools.failure", "helix-ui.tools.result", "helix-ui.waiting.approved", "helix-ui.waiting.client-tools", "helix-ui.waiting.denied",
		"helix-ui.waiting.message", "helix-ui.waiting.requested", "helix-ui.waiting.unrun", "helix-ui.wire.content-type", "helix-ui.wire.framing",
	}
}

// Judged lists the requirements, sorted, that the judge of the pack checks in every response of a history. A violation of a
// recommendation ends no history.
func Judged() []string {
	return []string{
		"helix-ui.flow.closes", "helix-ui.flow.done-last", "helix-ui.flow.finish", "helix-ui.flow.finish-last", "helix-ui.flow.start",
		"helix-ui.flow.start-once", "helix-ui.parts.data", "helix-ui.parts.known", "helix-ui.parts.members", "helix-ui.parts.object", "helix-ui.parts.optional",
		"helix-ui.reasoning.closed", "helix-ui.reasoning.opened", "helix-ui.reasoning.step", "helix-ui.reasoning.unique",
		"helix-ui.resume.ascending", "helix-ui.resume.same-message", "helix-ui.steps.closed", "helix-ui.steps.opened",
		"helix-ui.text.closed", "helix-ui.text.opened", "helix-ui.text.step", "helix-ui.text.unique", "helix-ui.tools.closed",
		"helix-ui.tools.name", "helix-ui.tools.once", "helix-ui.tools.opened", "helix-ui.tools.output-once", "helix-ui.tools.started",
		"helix-ui.wire.blank-line", "helix-ui.wire.content-type", "helix-ui.wire.utf8",
	}
}
