package draw

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
)

// subAgent draws a sub-agent.
func subAgent(w *writing) any {
	kind, keys, lists, concurrently := w.known("helper"), w.keys, w.lists, w.concurrently
	w.depth++
	w.concurrently = false
	script := scriptSteps{scriptSteps{one("text", w.emitted())}} // distinguishes it from others of its type
	if w.r.IntN(8) == 0 {                                        // its timeout comes while it waits for an answer that never comes
		script[0] = append(script[0].(scriptSteps), stuckSubAgents(w, w.depth, w.r.IntN(stuckKinds)))
		w.depth--
		w.concurrently = concurrently
		return one("subagent", map[string]any{"type": kind, "script": script, "timeoutMs": 10})
	}
	for range 1 + w.r.IntN(2) {
		script = append(script, w.scriptSteps(1+w.r.IntN(3)))
	}
	w.depth--
	w.concurrently, w.keys, w.lists = concurrently, keys, lists // it has a separate state, whose keys may be the same
	child := map[string]any{"type": kind, "script": script}
	if w.depth == 0 && !concurrently && w.r.IntN(3) == 0 && !waits(script) {
		child["timeoutMs"] = campaign.Pick(w.r, 60_000, 3_000_000, 86_400_000)
	}
	last := script[len(script)-1].(scriptSteps)
	switch w.r.IntN(8) {
	case 0:
		child["result"] = w.value()
	case 1, 2, 3:
		w.subAgentOutcomes++
		if fate := subAgentOutcomes[w.subAgentOutcomes%len(subAgentOutcomes)]; fate != "gives up" {
			script[len(script)-1] = append(last, w.fatal(fate))
		} else {
			child["error"] = campaign.Pick(w.r, "the helper gave up", " the helper\ngave up ")
		}
	case 4, 5:
		text := strings.Repeat("large. ", campaign.Pick(w.r, campaign.Size(w.r, 600), 600+w.r.IntN(3<<10)))
		script[len(script)-1] = append(last, one("output", map[string]any{"text": text, "n": w.next()}))
	default:
		script[len(script)-1] = append(last, one("output", w.value()))
		if w.r.IntN(2) == 0 { // the result counts only without an output, and null is an output
			child["result"] = map[string]any{"instead": w.next()}
		}
	}
	return one("subagent", child)
}

// nestedSubAgents returns a sub-agent within a sub-agent, to so many levels.
func nestedSubAgents(w *writing, levels int) any {
	step := scriptSteps{one("text", w.emitted())}
	if levels > 1 {
		step = append(step, nestedSubAgents(w, levels-1), one("text", w.emitted()))
	}
	child := map[string]any{"type": w.name("helper"), "script": scriptSteps{step, scriptSteps{one("output", w.next())}}}
	if levels%3 == 1 { // long after its end
		child["timeoutMs"] = 60_000
	}
	return one("subagent", child)
}

// stuckKinds is the number of kinds of script steps that wait for an answer that never comes.
const stuckKinds = 4

// stuckSubAgents returns a script step of the nth kind that waits for an answer that never comes, for nesting in so
// many sub-agents. The timeout of one of these must end it.
func stuckSubAgents(w *writing, depth, kind int) any {
	tool := func() scriptSteps {
		return scriptSteps{one("tool", map[string]any{"name": w.known("tool"), "arguments": map[string]any{"n": w.next()}, "waits": fmt.Sprintf("b%d", w.next())})}
	}
	inner := func() any {
		script := scriptSteps{scriptSteps{one("text", w.emitted()), stuckSubAgents(w, depth+1, w.r.IntN(stuckKinds))}}
		return one("subagent", map[string]any{"type": w.known("helper"), "script": script})
	}
	switch {
	case kind == 1 && depth < deepest:
		return inner()
	case kind == 2:
		return tool()[0]
	case kind == 3 && depth < deepest:
		return one("parallel", []any{tool(), scriptSteps{inner()}, scriptSteps{w.await()}})
	}
	return w.await()
}
