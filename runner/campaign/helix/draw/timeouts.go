package draw

import "github.com/streamcert/streamcert/runner/campaign/helix/program"

const (
	// early is the time of a sub-agent that is done at once, in milliseconds, and late that of one that works beyond it. A
	// server that is too slow for that may be late, by its own clock.
	early   = 100
	delayed = 180
	// ample is a time that is never over.
	ample = 60_000
)

// timeoutsRun is a session of sub-agents whose time is limited. One is done long before its time is over, and the next one is at
// work when it would be, whether that has a time of its own or not. That of several side by side is over at once, and that of one
// whose own sub-agent was done within its time. The time of others is over while they wait for somebody, who
// never comes: what they asked for isn't done then, and the run goes on.
func timeoutsRun(w *writing) []program.Operation {
	kind := w.name("helper")
	limited := func(kind string, milliseconds int, steps ...any) any {
		return one("subagent", map[string]any{"type": kind, "script": steps, "timeoutMs": milliseconds})
	}
	child := func(milliseconds int, steps ...any) any { return limited(kind, milliseconds, steps...) }
	soon := child(early, scriptSteps{one("text", w.emitted())}, scriptSteps{one("output", w.next())})
	stuck := limited(w.name("helper"), delayed, scriptSteps{one("text", w.emitted()), w.await()}) // of a kind of its own: the other is at work
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
