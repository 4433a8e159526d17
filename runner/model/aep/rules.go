package aep

import "slices"

// Chapters returns the chapters that the model covers. It checks every provable MUST of them, except for those in [Unheld].
// Of other chapters it checks the rules on a response.
func Chapters() []string {
	return []string{"events", "threads", "flow", "stages", "content", "tools", "done", "cancel", "actions"}
}

// Unheld returns, by requirement, why the model doesn't check it.
func Unheld() map[string]string { return map[string]string{} }

// Covered lists the requirements that the model or the judge checks, sorted.
func Covered() []string {
	all := append(Modelled(), Judged()...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Modelled lists the requirements that the model or the player finds violated, or counts occasions of, sorted.
func Modelled() []string {
	all := append([]string{
		"aep.actions.action-required",
		"aep.actions.all-or-none",
		"aep.actions.foreign",
		"aep.actions.other-thread",
		"aep.actions.others-open",
		"aep.actions.pauses",
		"aep.actions.resolved",
		"aep.actions.result",
		"aep.actions.resumed",
		"aep.actions.same-thread",
		"aep.actions.unchanged",
		"aep.actions.unknown",
		"aep.cancel.aborted",
		"aep.cancel.foreign",
		"aep.cancel.one",
		"aep.cancel.silent",
		"aep.content.text",
		"aep.content.thinking-apart",
		"aep.content.whole-characters",
		"aep.errors.agent",
		"aep.errors.in-stream",
		"aep.errors.timeout",
		"aep.errors.timeout-early",
		"aep.errors.tool",
		"aep.events.unique-request",
		"aep.flow.body-closes",
		"aep.flow.disconnect",
		"aep.flow.done",
		"aep.flow.metadata-members",
		"aep.flow.terminal",
		"aep.http.credential",
		"aep.request.context",
		"aep.request.messages-array",
		"aep.request.messages-required",
		"aep.request.post",
		"aep.request.text-blocks",
		"aep.request.too-large",
		"aep.security.isolation",
		"aep.security.no-secret-echo",
		"aep.threads.created",
		"aep.threads.echoed",
		"aep.threads.foreign",
		"aep.threads.history",
		"aep.threads.isolation",
		"aep.threads.unfinished-answer",
		"aep.threads.unknown",
		"aep.tools.arguments",
		"aep.tools.call",
		"aep.tools.payload-hidden",
		"aep.tools.result",
		"aep.wire.json",
		"aep.wire.live",
	}, lasting()...)
	slices.Sort(all)
	return all
}

// lasting lists the requirements on restarts and replicas.
func lasting() []string {
	return []string{
		"aep.durable.history",
		"aep.durable.open",
		"aep.durable.resolved",
		"aep.durable.threads",
		"aep.replicas.foreign",
		"aep.replicas.history",
		"aep.replicas.open",
		"aep.replicas.resolved",
		"aep.replicas.threads",
	}
}

// Judged lists the requirements, sorted, that the judge of the pack checks in every response of a history. A violation of a
// recommendation ends no history.
func Judged() []string {
	return []string{
		"aep.actions.action-required",
		"aep.actions.members",
		"aep.content.final-text",
		"aep.content.text-delta",
		"aep.content.whole-characters",
		"aep.done.arguments",
		"aep.done.call",
		"aep.done.complete",
		"aep.done.content",
		"aep.done.finish-reason",
		"aep.done.no-action",
		"aep.done.outcome",
		"aep.done.same-thread",
		"aep.done.text",
		"aep.errors.code",
		"aep.errors.retryable",
		"aep.events.integers",
		"aep.events.members",
		"aep.events.object",
		"aep.events.request-id",
		"aep.events.same-request",
		"aep.events.timestamp",
		"aep.flow.body-closes",
		"aep.flow.metadata-first",
		"aep.flow.metadata-members",
		"aep.flow.metadata-once",
		"aep.flow.terminal",
		"aep.flow.terminal-last",
		"aep.http.status",
		"aep.stages.after-stop",
		"aep.stages.block-id",
		"aep.stages.block-index",
		"aep.stages.delta-index",
		"aep.stages.delta-order",
		"aep.stages.index-unique",
		"aep.stages.one-start",
		"aep.stages.same-event",
		"aep.stages.stage",
		"aep.stages.start-first",
		"aep.tools.final-arguments",
		"aep.tools.one-value",
		"aep.tools.result-after-call",
		"aep.tools.summary-only",
		"aep.wire.blank-line",
		"aep.wire.cache-control",
		"aep.wire.content-type",
		"aep.wire.json",
		"aep.wire.named",
		"aep.wire.same-name",
		"aep.wire.utf8",
	}
}
