package draw

import "github.com/streamcert/streamcert/runner/campaign/helix/program"

const (
	// early is the timeout of a sub-agent that ends at once, in milliseconds, and delayed that of one that is still
	// working then. A server that is slower than early may time out the first, by its clock.
	early   = 100
	delayed = 180
	// ample is a timeout that never comes.
	ample = 60_000
)

// timeoutsRun returns a session of sub-agents with timeouts. One ends long before its timeout, and the next one works
// at that time, with another timeout or none. Several concurrent ones time out at the same time, as does one whose nested
// sub-agent has ended in time. The others time out while they wait for an answer that never comes: their waiting calls
// are never executed, and the run continues.
func timeoutsRun(w *writing) []program.Operation {
	kind := w.name("helper")
	limited := func(kind string, milliseconds int, steps ...any) any {
		return one("subagent", map[string]any{"type": kind, "script": steps, "timeoutMs": milliseconds})
	}
	child := func(milliseconds int, steps ...any) any { return limited(kind, milliseconds, steps...) }
	soon := child(early, scriptSteps{one("text", w.emitted())}, scriptSteps{one("output", w.next())})
	stuck := limited(w.name("helper"), delayed, scriptSteps{one("text", w.emitted()), w.await()}) // another type, since a sub-agent of the first is at work
	works := child(ample, scriptSteps{one("text", w.emitted()), stuck, one("text", w.emitted())}, scriptSteps{one("output", w.next())})
	stays := func(steps ...any) scriptSteps {
		return scriptSteps{limited(w.name("helper"), delayed, append(steps, scriptSteps{w.await()})...)}
	}
	concurrently := one("parallel", []any{stays(scriptSteps{one("text", w.emitted())}), stays(scriptSteps{one("text", w.emitted())}), stays(scriptSteps{child(ample, scriptSteps{one("text", w.emitted())})})})
	waits := scriptSteps{scriptSteps{one("text", w.emitted()), w.await()}, scriptSteps{one("output", w.next())}}
	steps := []any{
		scriptSteps{one("text", w.emitted()), soon, works, concurrently, one("text", w.emitted())},
		scriptSteps{child(early/2, scriptSteps{one("text", w.emitted())}, scriptSteps{one("output", w.next())}), one("subagent", map[string]any{"type": kind, "script": waits}), one("text", w.emitted())},
	}
	for _, who := range []string{"approval", "client"} {
		if !w.claims(map[string]string{"approval": "approval", "client": "client-tool"}[who]) {
			continue
		}
		call := func() any {
			tool := map[string]any{"name": w.name("tool"), "arguments": map[string]any{"n": w.next()}, who: true}
			if who == "approval" {
				tool["result"] = map[string]any{"ran": w.next()}
			}
			return one("tool", tool)
		}
		within := func(asks any) any {
			return one("subagent", map[string]any{"type": w.name("helper"), "script": scriptSteps{scriptSteps{one("text", w.emitted()), asks}}})
		}
		step := scriptSteps{}
		for _, asks := range []scriptSteps{{call()}, {one("parallel", []any{scriptSteps{call()}, scriptSteps{call()}})}, {within(call())}, {within(within(call()))}} {
			step = append(step, child(10, append(scriptSteps{one("text", w.emitted())}, append(asks, one("text", w.emitted()))...)))
		}
		steps = append(steps, append(step, one("text", w.emitted())))
	}
	steps = append(steps, scriptSteps{w.await(), one("text", w.emitted())})
	return []program.Operation{{Kind: program.Start, Script: asText(steps)}, {Kind: program.Attach, Who: 1}, {Kind: program.WaitForLate}, {Kind: program.WaitForLate}, {Kind: program.GoOn}, {Kind: program.Snapshot}, {Kind: program.WaitForLate}, {Kind: program.GoOn}}
}
