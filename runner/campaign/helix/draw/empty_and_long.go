package draw

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// emptyAgents returns a session with empty steps, branches and sub-agents. The script steps after them must still be
// executed. It rolls back to an empty step, and then starts a run without any step.
func emptyAgents(w *writing) []program.Operation {
	emitted := func() any { return one("text", w.emitted()) }
	child := func(steps ...any) any {
		return one("subagent", map[string]any{"type": w.name("helper"), "script": append(scriptSteps{}, steps...)})
	}
	steps := []any{
		scriptSteps{emitted(), one("parallel", []any{}), one("parallel", []any{scriptSteps{}, scriptSteps{returning(w)}, scriptSteps{}}), emitted()},
		scriptSteps{},
		scriptSteps{child(), child(scriptSteps{}, scriptSteps{emitted()}, scriptSteps{}), child(scriptSteps{}, scriptSteps{one("output", w.next())}), returning(w)},
		scriptSteps{}, scriptSteps{},
		scriptSteps{emitted(), nestedBranches(w, 3), emitted()},
		lengthyStep(w),
		scriptSteps{emitted(), w.await()},
		scriptSteps{emitted()},
	}
	out := []program.Operation{{Kind: program.Start, Script: asText(steps)}, {Kind: program.Attach, Who: 1}, {Kind: program.Snapshot}}
	if w.claims(program.Needs[program.Rollback]) {
		out = append(out, program.Operation{Kind: program.Rollback, Who: 1}, program.Operation{Kind: program.GoBack, Script: "continue"}, program.Operation{Kind: program.Snapshot})
	}
	if out = append(out, program.Operation{Kind: program.GoOn}); w.claims(program.Needs[program.Reset]) {
		out = append(out, program.Operation{Kind: program.Reset}, program.Operation{Kind: program.Start, Script: "[]"}, program.Operation{Kind: program.Reset}, w.begins(program.Operation{Kind: program.Start}))
	}
	return out
}

// returning returns a call with a unique name, argument and result.
func returning(w *writing) any {
	return one("tool", map[string]any{"name": w.name("tool"), "arguments": map[string]any{"n": w.next()}, "result": w.next()})
}

// nestedBranches returns branches within branches, each with different script steps.
func nestedBranches(w *writing, levels int) any {
	list := w.list()
	item := func() any { return one("append", map[string]any{"key": list, "items": []any{w.next()}}) }
	side := scriptSteps{one("text", w.emitted()), returning(w), item()}
	if levels > 1 {
		side = append(side, nestedBranches(w, levels-1), returning(w))
	}
	event := one("custom", map[string]any{"eventName": w.name("event"), "data": w.next()})
	return one("parallel", []any{side, scriptSteps{returning(w), item()}, scriptSteps{event}})
}

// lengthyStep returns script steps with names longer than a column of 255 characters, or of 1,000: two of each kind,
// which differ at the end.
func lengthyStep(w *writing) scriptSteps {
	out := scriptSteps{}
	for _, of := range []string{"event", "tool", "key", "helper"} {
		head := w.name(of) + strings.Repeat("-and-so-on", campaign.Pick(w.r, 26, 52, 103))
		for _, end := range []string{"a", "b"} {
			name, n := head+end, w.next()
			switch of {
			case "event":
				out = append(out, one("custom", map[string]any{"eventName": name, "data": n}))
			case "tool":
				out = append(out, one("tool", map[string]any{"name": name, "arguments": map[string]any{"n": n}, "result": n}))
			case "key":
				out = append(out, one("set", map[string]any{"key": name, "value": n}))
			default:
				says := scriptSteps{one("text", fmt.Sprintf("[%d]", n)), one("output", n)}
				out = append(out, one("subagent", map[string]any{"type": name, "script": scriptSteps{says}}))
			}
		}
	}
	return out
}
