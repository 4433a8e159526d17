package helix

const (
	// early is the time of a sub-agent that is done at once, in milliseconds, and late that of one that works beyond it. A
	// server that is too slow for that may be late, by its own clock.
	early = 100
	late  = 180
	// ample is a time that is never over.
	ample = 60_000
)

// deadlines is a session of sub-agents whose time is limited. One is done long before its time is over, and the next one is at
// work when it would be, whether that has a time of its own or not. That of several side by side is over at once, and that of one
// whose own sub-agent was done within its time. The time of others is over while they wait for somebody, who
// never comes: what they asked for isn't done then, and the run goes on.
func (w kinds) deadlines() []Operation {
	kind := w.name("helper")
	limited := func(kind string, milliseconds int, steps ...any) any {
		return one("subagent", map[string]any{"type": kind, "script": steps, "timeoutMs": milliseconds})
	}
	child := func(milliseconds int, steps ...any) any { return limited(kind, milliseconds, steps...) }
	soon := child(early, acts{one("text", w.said())}, acts{one("output", w.next())})
	stuck := limited(w.name("helper"), late, acts{one("text", w.said()), w.await()}) // of a kind of its own: the other is at work
	works := child(ample, acts{one("text", w.said()), stuck, one("text", w.said())}, acts{one("output", w.next())})
	stays := func(steps ...any) acts {
		return acts{limited(w.name("helper"), late, append(steps, acts{w.await()})...)}
	}
	beside := one("parallel", []any{stays(acts{one("text", w.said())}), stays(acts{one("text", w.said())}), stays(acts{child(ample, acts{one("text", w.said())})})})
	waits := acts{acts{one("text", w.said()), w.await()}, acts{one("output", w.next())}}
	steps := []any{
		acts{one("text", w.said()), soon, works, beside, one("text", w.said())},
		acts{child(early/2, acts{one("text", w.said())}, acts{one("output", w.next())}), one("subagent", map[string]any{"type": kind, "script": waits}), one("text", w.said())},
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
			return one("subagent", map[string]any{"type": w.name("helper"), "script": acts{acts{one("text", w.said()), asks}}})
		}
		step := acts{}
		for _, asks := range []acts{{call()}, {one("parallel", []any{acts{call()}, acts{call()}})}, {within(call())}, {within(within(call()))}} {
			step = append(step, child(10, append(acts{one("text", w.said())}, append(asks, one("text", w.said()))...)))
		}
		steps = append(steps, append(step, one("text", w.said())))
	}
	steps = append(steps, acts{w.await(), one("text", w.said())})
	return []Operation{{kind: start, script: asText(steps)}, {kind: attach, who: 1}, {kind: linger}, {kind: linger}, {kind: goOn}, {kind: snapshot}, {kind: linger}, {kind: goOn}}
}
