package draw

import "github.com/streamcert/streamcert/runner/campaign/helix/program"

// gatedRun returns a session of calls that need consent, one after the other: with a working gate and a broken one, of
// tools of the server and of the client, by the root agent, a sub-agent and a nested one. Every second call is denied,
// and every second granted call of the client fails.
func gatedRun(w *writing) []program.Operation {
	var steps []any
	out := []program.Operation{{}, {Kind: program.Attach, Who: 1}}
	denied, fails := false, false
	for depth := range deepest {
		for _, gate := range []any{"broken", true} {
			for _, client := range []bool{true, false} {
				if client && !w.claims("client-tool") || depth > 0 && !w.claims("subagents") {
					continue
				}
				steps = append(steps, scriptSteps{insideSubAgents(w, depth, gatedCall(w, gate, client)), one("text", w.emitted())})
				if client && !denied {
					fails = !fails
				}
				out = append(out, decision(w, denied, client, fails)...)
				denied = !denied
			}
			denied = !denied // so that not every denied call is the client's
		}
		denied = !denied // nor of the same gate
	}
	out[0] = program.Operation{Kind: program.Start, Script: asText(append(steps, scriptSteps{w.await()}))}
	return append(out, program.Operation{Kind: program.SnapshotWithoutPartial})
}

// gatedCall returns a call that needs consent.
func gatedCall(w *writing, gate any, client bool) any {
	tool := map[string]any{"name": w.known("tool"), "arguments": map[string]any{"n": w.next()}, "approval": gate}
	if client {
		tool["client"] = true
	} else {
		tool["result"] = w.next()
	}
	return one("tool", tool)
}

// decision returns the operations that answer such a call.
func decision(w *writing, denied, client, fails bool) []program.Operation {
	switch {
	case denied:
		return []program.Operation{{Kind: program.Deny}}
	case client && fails:
		return []program.Operation{{Kind: program.Approve}, {Kind: program.Deny}}
	case client:
		return []program.Operation{{Kind: program.Approve}, {Kind: program.HandIn, Script: asText(w.next())}}
	}
	return []program.Operation{{Kind: program.Approve}}
}

// insideSubAgents returns a script step nested in so many sub-agents.
func insideSubAgents(w *writing, depth int, a any) any {
	for range depth {
		a = one("subagent", map[string]any{"type": w.name("helper"), "script": scriptSteps{scriptSteps{one("text", w.emitted()), a}}})
	}
	return a
}
