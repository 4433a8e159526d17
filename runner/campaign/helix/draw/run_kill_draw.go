package draw

import (
	"math/rand/v2"

	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// stoppedMidway returns a session whose executors are stopped several times while sub-agents with a timeout work.
func (w *writing) stoppedMidway() []program.Operation {
	script := []any{scriptSteps{one("text", w.emitted()), w.await()}}
	for range 4 + w.r.IntN(3) {
		waits := scriptSteps{scriptSteps{one("text", w.emitted()), w.await()}}
		slow := one("subagent", map[string]any{"type": w.name("helper"), "script": waits, "timeoutMs": 60})
		script = append(script, scriptSteps{one("text", w.emitted()), slow, one("set", map[string]any{"key": w.key(), "value": w.value()}), one("text", w.emitted()), w.await()})
	}
	out := []program.Operation{{Kind: program.Start, Script: asText(script)}, {Kind: program.Attach, Who: 1}}
	for n := range 4 {
		k := program.CrashAmid
		if n%2 == 1 && w.claims(program.Needs[program.Supersede]) {
			k = program.SupersedeAmid
		}
		out = append(out, program.Operation{Kind: k, Who: 3 + w.r.IntN(2)}, program.Operation{Kind: program.Snapshot})
	}
	return append(out, program.Operation{Kind: program.WaitForLate})
}

// killed returns a beginning with a run whose server is killed while the run waits and while it works, after one step
// and after many.
func (w *writing) killed(r *rand.Rand) []program.Operation {
	script := []any{}
	for range 9 + r.IntN(3) {
		step := scriptSteps{one("text", w.emitted()), one("set", map[string]any{"key": w.key(), "value": w.value()})}
		script = append(script, append(step, w.await(), one("append", map[string]any{"key": w.list(), "items": w.items(2)}), one("text", w.emitted())))
	}
	script = append(script, scriptSteps{w.await(), one("output", w.output())})
	text, schema := promise(w, asText(script))
	amid := func() program.Operation { return program.Operation{Kind: program.KillAmid, Who: r.IntN(9)} }
	out := []program.Operation{{Kind: program.Start, Script: text, Schema: schema}, {Kind: program.Attach, Who: 1}, {Kind: program.Kill}, {Kind: program.GoOn}, amid(), {Kind: program.Snapshot}, {Kind: program.GoOn}, {Kind: program.GoOn}}
	out = append(out, program.Operation{Kind: program.Kill}, program.Operation{Kind: program.SnapshotWithoutPartial}, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.Kill}, amid(), program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.Info}, amid())
	if w.claims(program.Needs[program.Interrupt]) { // the interruption discards a step, which isn't executed again
		out = append(out, program.Operation{Kind: program.Interrupt}, program.Operation{Kind: program.GoBack, Script: "continue"})
	}
	return append(out, program.Operation{Kind: program.Kill}, program.Operation{Kind: program.Resume, Who: 2, Cursor: r.IntN(8)}, program.Operation{Kind: program.Kill})
}
