package merlin

import "slices"

// Chapters returns the chapters that the model covers. It checks every provable MUST of them, except for those in [Unheld].
// Of the wire it checks the rules on one stream.
func Chapters() []string {
	return []string{"slices", "chunks", "index", "subagents", "progress", "tools", "citations", "failure", "upstream", "aggregate"}
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
	return []string{
		"merlin.aggregate.citations", "merlin.aggregate.collected", "merlin.aggregate.signature", "merlin.aggregate.text", "merlin.aggregate.usage",
		"merlin.chunks.complete", "merlin.chunks.empty", "merlin.chunks.per-delta", "merlin.chunks.suppressed",
		"merlin.chunks.thought", "merlin.citations.aggregate", "merlin.citations.attachments", "merlin.citations.cited-once",
		"merlin.citations.documents", "merlin.citations.each", "merlin.citations.mark", "merlin.citations.moment", "merlin.citations.none",
		"merlin.citations.same-number", "merlin.failure.ends", "merlin.failure.kept", "merlin.failure.no-calls",
		"merlin.failure.partial", "merlin.failure.stopped", "merlin.failure.stopped-end", "merlin.failure.stopped-partial",
		"merlin.index.block", "merlin.index.floor", "merlin.index.initial", "merlin.index.shared", "merlin.index.unchanged",
		"merlin.progress.created", "merlin.progress.default-version", "merlin.progress.done", "merlin.progress.icon",
		"merlin.progress.index", "merlin.progress.kept", "merlin.progress.latest", "merlin.progress.latest-new", "merlin.progress.no-heading",
		"merlin.progress.reopened", "merlin.progress.same-step", "merlin.progress.tags", "merlin.progress.tags-kept",
		"merlin.progress.v2-message", "merlin.progress.values", "merlin.slices.complete", "merlin.slices.no-reasoning", "merlin.subagents.hidden",
		"merlin.subagents.index", "merlin.subagents.once", "merlin.subagents.order", "merlin.subagents.partial",
		"merlin.subagents.result", "merlin.subagents.same", "merlin.tools.assembled", "merlin.tools.empty", "merlin.tools.every",
		"merlin.tools.order", "merlin.tools.unknown", "merlin.upstream.calls-cut", "merlin.upstream.characters", "merlin.upstream.cut",
		"merlin.upstream.noise", "merlin.wire.body-closes", "merlin.wire.content-type", "merlin.wire.end-last", "merlin.wire.live",
	}
}

// Judged lists the requirements, sorted, that the judge of the pack checks in every response of a history. A violation of a
// recommendation ends no history.
func Judged() []string {
	return []string{
		"merlin.aggregate.members", "merlin.aggregate.reasoning", "merlin.chunks.index", "merlin.chunks.no-init", "merlin.chunks.reasoning",
		"merlin.chunks.reasoning-empty", "merlin.chunks.text", "merlin.chunks.type", "merlin.citations.attachments", "merlin.progress.heading",
		"merlin.progress.members", "merlin.progress.numbered", "merlin.progress.same-step", "merlin.progress.status", "merlin.progress.v1-event", "merlin.progress.v2-message",
		"merlin.slices.content", "merlin.slices.init", "merlin.slices.length", "merlin.slices.no-index", "merlin.subagents.index",
		"merlin.subagents.once", "merlin.subagents.order", "merlin.subagents.partial", "merlin.subagents.result", "merlin.subagents.same",
		"merlin.tools.shape", "merlin.wire.blank-line", "merlin.wire.body-closes", "merlin.wire.cache-control", "merlin.wire.content-type",
		"merlin.wire.end-data", "merlin.wire.end-last", "merlin.wire.json", "merlin.wire.nothing-after", "merlin.wire.object",
		"merlin.wire.payload", "merlin.wire.unwrapped", "merlin.wire.utf8",
	}
}
