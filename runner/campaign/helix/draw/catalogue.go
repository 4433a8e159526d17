package draw

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
)

// everyKind returns steps with every value of the kind that the subject opens with, nil for none.
func everyKind(w *writing) []any {
	var all scriptSteps
	switch {
	case w.s.opens == "decisions" && w.claims("approval"):
		name, branches := w.name("tool"), []any{}
		for n := range 9 + w.r.IntN(8) { // of one tool, each with a separate decision
			branches = append(branches, scriptSteps{one("tool", map[string]any{"name": name, "arguments": map[string]any{"n": n}, "approval": true, "result": n})})
		}
		all = append(all, one("parallel", branches), callBurst(w, 65+w.r.IntN(8), "tool"))
		for n := range 4 { // in sequence; no decision applies to the next call
			all = append(all, one("tool", map[string]any{"name": name, "arguments": map[string]any{"n": n}, "approval": true, "result": n}))
		}
	case w.s.opens == "falsy": // falsy values are there again after a rollback
		first, amid, last := scriptSteps{}, scriptSteps{w.await()}, scriptSteps{w.await()}
		for n, v := range []any{nil, false, 0.0, "", []any{}, map[string]any{}} {
			key := w.name("falsy")
			set, gone := one("set", map[string]any{"key": key, "value": v}), one("delete", map[string]any{"key": key})
			changes := one("set", map[string]any{"key": key, "value": w.next()})
			first, last = append(first, set), append(last, gone)
			amid = append(amid, []any{changes, gone}[n%2], set) // equal to the value before the step
		}
		key := w.name("key") // a key set and deleted in one step, with others that share its prefix
		for _, more := range []string{"", "-1", "/1", ""} {
			amid = append(amid, one("set", map[string]any{"key": key + more, "value": w.next()}))
		}
		amid = append(amid, one("delete", map[string]any{"key": key}))
		return []any{first, amid, last}
	case w.s.opens == "pairs":
		most := w.r.IntN(largeKinds) // larger than all others and smaller than 256 KiB, a possible limit of servers
		for kind := range largeKinds {
			text := func() string { return columnText(w) }
			if kind == most {
				text = func() string { return strings.Repeat(columnText(w), 2) }
			}
			all = append(all, largeOf(w, kind, text)...)
		}
		for n := 0; n < campaign.Texts(); n += textsOfOne {
			all = append(all, one("tool", map[string]any{"name": w.name("tool"), "arguments": map[string]any{"n": n}, "error": "no" + joined(n)}), one("text", joined(n)))
		}
		for _, given := range noObjects {
			all = append(all, one("tool", map[string]any{"name": w.name("tool"), "arguments": given, "result": w.next()}))
		}
		for _, near := range nearlyEqual {
			key := w.name("near")
			all = append(all, one("set", map[string]any{"key": key, "value": near[0]}), one("set", map[string]any{"key": key, "value": near[1]}))
		}
	case w.s.opens == "many":
		return manyOfAll(w)
	case w.s.opens == "fates" && w.claims("subagents"):
		all = everyEnding(w)
	}
	if all == nil {
		return nil
	}
	return []any{all, scriptSteps{w.await()}} // before another operation changes anything
}

// everyEnding returns sub-agents that each end in another way, and one with nested sub-agents.
func everyEnding(w *writing) (all scriptSteps) {
	for _, fate := range subAgentOutcomes {
		child := map[string]any{"type": w.name("helper"), "script": scriptSteps{scriptSteps{one("text", w.emitted())}}}
		if fate == "gives up" {
			child["error"] = " the helper\ngave up "
		} else {
			child["script"] = scriptSteps{scriptSteps{one("text", w.emitted()), w.fatal(fate)}}
		}
		all = append(all, one("subagent", child))
	}
	for kind := range stuckKinds { // their timeout comes while they wait for an answer that never comes
		script := scriptSteps{scriptSteps{one("text", w.emitted()), stuckSubAgents(w, 0, kind)}}
		all = append(all, one("subagent", map[string]any{"type": w.name("helper"), "script": script, "timeoutMs": 10}))
	}
	soon := scriptSteps{scriptSteps{one("text", w.emitted()), one("output", w.next())}} // long before its timeout
	all = append(all, one("subagent", map[string]any{"type": w.name("helper"), "script": soon, "timeoutMs": 60_000}))
	for _, none := range []any{nil, false, ""} { // a falsy output takes precedence over the result
		script := scriptSteps{scriptSteps{one("text", w.emitted()), one("output", none)}}
		all = append(all, one("subagent", map[string]any{"type": w.name("helper"), "script": script, "result": map[string]any{"instead": w.next()}}))
	}
	all = append(all, remembering(w))
	limited := scriptSteps{scriptSteps{one("text", w.emitted()), one("stop", "max_tokens"), one("text", w.emitted())}, scriptSteps{one("text", w.emitted()), one("output", w.next())}}
	all = append(all, nestedSubAgents(w, 6+w.r.IntN(3)), one("subagent", map[string]any{"type": w.name("helper"), "script": limited})) // continues after it
	large := one("output", map[string]any{"text": columnText(w)})
	all = append(all, one("subagent", map[string]any{"type": w.name("helper"), "script": scriptSteps{scriptSteps{one("text", w.emitted()), large}}}))
	return all
}

// remembering returns a sub-agent whose later steps change values that its earlier steps wrote.
func remembering(w *writing) any {
	key, list := w.name("key"), w.name("list")
	add := func() any { return one("append", map[string]any{"key": list, "items": []any{w.next()}}) }
	script := scriptSteps{scriptSteps{add(), one("set", map[string]any{"key": key, "value": w.next()})}, scriptSteps{add()}, scriptSteps{one("delete", map[string]any{"key": key}), add(), add()}}
	return one("subagent", map[string]any{"type": w.name("helper"), "script": script})
}

// manyOfAll returns steps with more of each kind than a page, a queue or a table of a runtime may have: one step with
// many members and changes of the state, and one with many calls and blocks of reasoning.
func manyOfAll(w *writing) []any {
	var stored, done scriptSteps
	list := w.list()
	for range 66 + w.r.IntN(70) {
		stored = append(stored, one("set", map[string]any{"key": fmt.Sprintf("member-%d", w.next()), "value": w.next()}))
	}
	for n := range 66 + w.r.IntN(70) {
		stored = append(stored, one("append", map[string]any{"key": list, "items": []any{n}}))
	}
	items := make([]any, 1018)
	for n := range items {
		items[n] = n
	}
	full, given := w.name("full"), w.name("given") // just below 1,024 items; one list grows to that, and one is set so
	stored = append(stored, one("set", map[string]any{"key": full, "value": items[:500]}), one("append", map[string]any{"key": full, "items": items[500:]}),
		one("append", map[string]any{"key": full, "items": items[:12]}),
		one("set", map[string]any{"key": given, "value": items}), one("append", map[string]any{"key": given, "items": items[:12]}))
	name := w.name("tool")
	for n := range 131 + w.r.IntN(9) { // with a text between calls, so that a message has twice as many parts
		call := map[string]any{"name": name, "arguments": map[string]any{"n": n - n%3}, "result": w.next()} // three calls each have equal arguments
		done = append(done, one("tool", call), one("text", fmt.Sprintf("[%d]", n)))
	}
	wide := map[string]any{"n": w.next()}
	widen(wide, 257+w.r.IntN(50))
	for _, given := range []any{wide, string(data.Encode(wide))} {
		done = append(done, one("tool", map[string]any{"name": w.name("tool"), "arguments": given, "result": wide}))
	}
	for range 17 + w.r.IntN(17) {
		done = append(done, one("thinking", w.emitted()))
	}
	return []any{stored, done, scriptSteps{w.await()}}
}
