package draw

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// similarIDs returns, program by program, how the ids of streams resemble each other so that a server may confuse their
// sessions. All ids have letters, digits and dots only: a server may let a run begin on a stream whose id it refuses to
// readers.
var similarIDs = []func(r *rand.Rand) string{
	func(*rand.Rand) string { return "case" },
	func(r *rand.Rand) string { return campaign.Pick(r, "column", "longest", "longer", "long") },
	func(r *rand.Rand) string {
		return campaign.Pick(r, "number", "prefix", "extension", "hash")
	},
}

// drawRuns returns a program of runs.
func drawRuns(r *rand.Rand, number int, about string, claims func(string) bool) program.Program {
	s := runSubjects[about]
	p := program.Program{Streams: campaign.Pick(r, 1, 1, 1, 2, 3), Runs: true} // an event can only leak into another stream
	if s.opens == "falsy" && number > 4 {
		p.Streams, p.Names = 3, similarIDs[number%len(similarIDs)](r)
	}
	w := &writing{r: r, s: s, claims: claims, at: number * 17, names: map[string][]string{}, subAgentOutcomes: 3 * number, gates: number, first: number == 0 || s.opens == "falsy"}
	if s.crashing && !(claims("durable") && claims("supersede") && claims("info") && claims("resume")) {
		return p
	}
	for i := range p.Streams {
		o := program.Operation{Kind: program.Start, Stream: i}
		if s.begins && r.IntN(3) == 0 {
			o.State = w.state()
		}
		p.Operations = append(p.Operations, w.begins(o))
		if s.kinds[program.Interrupt] > 1 && !w.first && r.IntN(2) == 0 { // only then does a client learn of the checkpoint before the first step
			p.Operations = append(p.Operations, program.Operation{Kind: program.Interrupt, Stream: i}, program.Operation{Kind: program.GoBack, Stream: i, Script: "continue"})
		}
	}
	p.Operations = w.opening(number, p.Operations)
	kinds := slices.DeleteFunc(slices.Sorted(maps.Keys(s.kinds)), func(k program.Kind) bool {
		c := program.Needs[k]
		return c != "" && !claims(c)
	})
	of := make([]int, len(kinds))
	for i, k := range kinds {
		of[i] = s.kinds[k]
	}
	more := s.operations + 4*(p.Streams-1)
	if number == 0 && (s.opens == "many" || s.opens == "pairs") { // each inspection of so many chunks takes long
		more = 4
	}
	for range more {
		drawn, stream := []program.Kind{kinds[campaign.Weighted(r, of)]}, r.IntN(p.Streams)
		if s.kinds[program.Interrupt] > 1 && r.IntN(4) == 0 {
			drawn = turns(r, claims)
		}
		for _, k := range drawn {
			o := w.steers(k)
			o.Stream = stream
			if p.Operations = append(p.Operations, o); o.Kind == program.Reset || o.Kind == program.Remove { // an empty stream needs a run
				p.Operations = append(p.Operations, w.begins(program.Operation{Kind: program.Start, Stream: o.Stream}))
			}
		}
	}
	return p
}

// oneAfterAnother returns sessions of one stream with equal scripts and other values, which would show the remains of
// an earlier session. Each has an output for another schema, and sub-agents of one type that write the same members and
// whose outputs have no schema.
func oneAfterAnother(w *writing) []program.Operation {
	var out []program.Operation
	for n := range 5 {
		first := scriptSteps{one("text", w.emitted()), one("append", map[string]any{"key": "list", "items": []any{n}})}
		for i := range n + 1 {
			first = append(first, one("set", map[string]any{"key": fmt.Sprintf("member-%d", i), "value": w.next()}))
		}
		for range 2 {
			if w.claims("subagents") {
				inner := scriptSteps{scriptSteps{one("text", w.emitted()), one("set", map[string]any{"key": "own", "value": w.next()}), one("output", []any{w.next(), "of no schema"})}}
				first = append(first, one("subagent", map[string]any{"type": "helper", "script": inner}))
			}
		}
		first = append(first, w.await()) // before this session has a checkpoint
		steps := scriptSteps{first, scriptSteps{w.await(), one("delete", map[string]any{"key": "member-0"})}, scriptSteps{one("output", n)}}
		script, schema := promise(w, asText(steps))
		out = append(out, program.Operation{Kind: program.Start, Script: script, Schema: schema}, program.Operation{Kind: program.Snapshot})
		if n > 0 {
			out = append(out, stops(w, n)...)
		}
		out = append(out, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.Snapshot}, program.Operation{Kind: program.Reset})
	}
	aborts := asText([]any{scriptSteps{one("text", w.emitted()), w.await()}, scriptSteps{one("text", w.emitted()), one("parallel", []any{scriptSteps{w.fatal("abort")}})}})
	out = append(out, program.Operation{Kind: program.Start, Script: aborts}, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.Reset})
	return append(out, w.begins(program.Operation{Kind: program.Start}))
}

// stops returns operations that stop a session in the nth way and continue it.
func stops(w *writing, n int) []program.Operation {
	how := [][]program.Operation{
		{{Kind: program.Crash}},
		{{Kind: program.Interrupt}, {Kind: program.GoBack, Script: "continue"}},
		{{Kind: program.Supersede}},
		{{Kind: program.Interrupt}, {Kind: program.Rollback, Who: program.ToStart}, {Kind: program.GoBack, Script: "continue"}},
	}[n%4]
	if slices.ContainsFunc(how, func(o program.Operation) bool { return program.Needs[o.Kind] != "" && !w.claims(program.Needs[o.Kind]) }) {
		return nil
	}
	return how
}

// stoppedAgainAndAgain returns a session that is retried, interrupted and resumed many times, and then rolled back,
// interrupted there and crashed as often. It recovers from an error in each step.
func stoppedAgainAndAgain(w *writing) []program.Operation {
	script := []any{}
	for range 14 + w.r.IntN(4) {
		over := one("error", map[string]any{"message": "again", "code": campaign.Pick(w.r, data.ErrorCodes...), "retryable": true})
		script = append(script, scriptSteps{one("text", w.emitted()), one("set", map[string]any{"key": w.key(), "value": w.value()}), over, w.await()})
	}
	out := []program.Operation{{Kind: program.Start, Script: asText(script)}, {Kind: program.Attach, Who: 1}, {Kind: program.Interrupt}, {Kind: program.GoBack, Script: "continue"}, {Kind: program.GoOn}, {Kind: program.GoOn}}
	out = append(out, program.Operation{Kind: program.Rollback, Who: 0}, program.Operation{Kind: program.GoBack, Script: "continue"}, program.Operation{Kind: program.GoOn}) // rolls back to its first checkpoint
	for range 2 {                                                                                                                                                            // rolls back there again, twice in a row
		out = append(out, program.Operation{Kind: program.Interrupt}, program.Operation{Kind: program.Rollback, Who: 0}, program.Operation{Kind: program.Rollback, Who: 0}, program.Operation{Kind: program.GoBack, Script: "continue"})
	}
	for range 2 + w.r.IntN(2) {
		out = append(out, program.Operation{Kind: program.Interrupt}, program.Operation{Kind: program.Retry}, program.Operation{Kind: program.GoOn})
	}
	for n := range 7 + w.r.IntN(3) { // resumes from its latest checkpoint, and from the first two
		out = append(out, program.Operation{Kind: program.Interrupt}, program.Operation{Kind: program.GoBack, Who: []int{0, 0, 2, 0, 1}[n%5], Script: campaign.Pick(w.r, "continue", "retry-later", "user", "ZWEITER")}, program.Operation{Kind: program.Info})
		if n%5 == 2 {
			out = append(out, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.GoOn})
		}
	}
	for range 3 {
		out = append(out, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.Rollback, Who: w.r.IntN(3)}, program.Operation{Kind: program.Info}, program.Operation{Kind: program.GoBack, Script: "continue"})
		out = append(out, program.Operation{Kind: program.Interrupt}, program.Operation{Kind: program.GoBack, Script: "continue"}, program.Operation{Kind: program.Crash})
	}
	out = append(out, program.Operation{Kind: program.Receive}, program.Operation{Kind: program.Rollback, Who: program.ToStart}, program.Operation{Kind: program.Snapshot}, program.Operation{Kind: program.GoBack, Script: "continue"}, program.Operation{Kind: program.GoOn})
	out = append(out, program.Operation{Kind: program.Rollback, Who: program.ToStart}, program.Operation{Kind: program.SnapshotWithoutPartial}, program.Operation{Kind: program.GoBack, Script: "user"})
	out = append(out, slices.Repeat([]program.Operation{{Kind: program.GoOn}}, 11)...) // its latest checkpoint has a number of two digits
	return append(out, program.Operation{Kind: program.Crash}, program.Operation{Kind: program.GoOn})
}

// opening returns the first operations of a program: those after the starts of its runs, or instead of them. The draw
// appends to them.
func (w *writing) opening(number int, out []program.Operation) []program.Operation {
	if number == 0 && w.s.opens == "decisions" { // one refusal between two approvals
		out = append(out, program.Operation{Kind: program.Approve, Who: 1}, program.Operation{Kind: program.Deny, Who: 1}, program.Operation{Kind: program.Approve, Who: 1})
	}
	if number == 1 && w.s.opens == "decisions" && w.claims("approval") && w.claims(program.Needs[program.Retry]) {
		out = tried(w)
	}
	if number == 2 && w.s.opens == "decisions" && w.claims("approval") {
		out = gatedRun(w)
	}
	if number == 0 && w.s.long && w.claims(program.Needs[program.Rollback]) { // rolls back nearly all of a long session
		out = append(out, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.Rollback, Who: w.r.IntN(3)}, program.Operation{Kind: program.GoBack, Script: "continue"})
	}
	if number == 0 && w.s.kinds[program.Reset] > 1 && w.claims(program.Needs[program.Reset]) {
		out = oneAfterAnother(w)
	}
	if number == 1 && w.s.kinds[program.Reset] > 1 && w.claims(program.Needs[program.Reset]) {
		out = storedStates(w)
	}
	if number == 1 && w.s.opens == "many" && w.claims("subagents") {
		out = emptyAgents(w)
	}
	if number == 2 && w.s.opens == "fates" && w.claims("subagents") {
		out = timeoutsRun(w)
	}
	if number == 3 && w.s.opens == "fates" && w.claims("subagents") {
		out = failingSubAgents(w)
	}
	if w.s.crashing && number%2 == 0 {
		out = append(w.killed(w.r), out[1:]...)
	} else if w.s.opens == "falsy" && w.claims(program.Needs[program.Rollback]) {
		switch number {
		case 1:
			out = stoppedAgainAndAgain(w)
		case 2:
			out = branchedAgainAndAgain(w)
		case 3:
			out = w.stoppedMidway()
		case 4:
			out = restarted(w)
		}
	}
	return out
}

// tried returns a session whose steps wait for decisions while they are retried, each time in another way. The state
// changes of such a step must be written once. After a rollback it is retried before its next checkpoint.
func tried(w *writing) []program.Operation {
	key, list := w.name("key"), w.name("list")
	step := func() scriptSteps {
		return scriptSteps{
			one("append", map[string]any{"key": list, "items": []any{w.next(), nil}}), one("set", map[string]any{"key": key, "value": w.next()}),
			one("tool", map[string]any{"name": w.name("tool"), "arguments": map[string]any{}, "approval": true, "result": w.next()}),
			one("delete", map[string]any{"key": key}), one("append", map[string]any{"key": list, "items": []any{w.next()}}),
		}
	}
	out := []program.Operation{{Kind: program.Start, Script: asText(scriptSteps{step(), step(), append(step(), w.await())})}, {Kind: program.Attach, Who: 1}}
	for range 3 {
		out = append(out, program.Operation{Kind: program.Retry}, program.Operation{Kind: program.Crash}, program.Operation{Kind: program.Retry}, program.Operation{Kind: program.Approve}, program.Operation{Kind: program.SnapshotWithoutPartial})
	}
	for n, back := range []program.Kind{program.Branch, program.Branch, program.Rollback} {
		out = append(out, program.Operation{Kind: back, Who: n % 2}, program.Operation{Kind: program.GoBack, Script: "continue"}, program.Operation{Kind: []program.Kind{program.Crash, program.Retry}[n%2]}, program.Operation{Kind: program.SnapshotWithoutPartial}, program.Operation{Kind: program.Approve})
	}
	return append(out, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.Snapshot})
}

// restarted returns a session that rolls back to its start, with the initial state of the stream, and then branches there.
func restarted(w *writing) []program.Operation {
	o := program.Operation{Kind: program.Start, State: w.state()}
	changes := scriptSteps{one("delete", map[string]any{"key": "kept"}), one("append", map[string]any{"key": w.lists[0], "items": []any{w.next()}}), w.await()}
	concurrently := one("parallel", []any{scriptSteps{one("tool", w.tool("works"))}, scriptSteps{one("tool", w.tool("works"))}}) // a crash interrupts them
	o.Script = asText(scriptSteps{scriptSteps{one("text", w.emitted()), w.await(), concurrently}, changes, scriptSteps{one("text", w.emitted()), w.await()}})
	out := []program.Operation{o, {Kind: program.Attach, Who: 1}, {Kind: program.Crash}, {Kind: program.Interrupt}, {Kind: program.GoBack, Script: "continue"}, {Kind: program.GoOn}, {Kind: program.Rollback, Who: program.ToStart}, {Kind: program.Snapshot}}
	out = append(out, program.Operation{Kind: program.GoBack, Script: "user"}, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.Crash}, program.Operation{Kind: program.Snapshot}, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.GoOn})
	return append(out, program.Operation{Kind: program.Branch, Who: program.ToStart}, program.Operation{Kind: program.Snapshot}, program.Operation{Kind: program.GoBack, Script: "continue"}, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.Snapshot})
}

// failingSubAgents returns a session with several sub-agents that fail, each with another reason, and a root agent that fails
// with yet another one.
func failingSubAgents(w *writing) []program.Operation {
	first := scriptSteps{one("text", w.emitted())}
	for n := range 2 + w.r.IntN(3) {
		broken := one("error", map[string]any{"message": "the helper broke", "code": data.ErrorCodes[(w.at+n)%len(data.ErrorCodes)]})
		first = append(first, one("subagent", map[string]any{"type": w.name("helper"), "script": scriptSteps{scriptSteps{one("text", w.emitted()), broken}}}))
	}
	return []program.Operation{{Kind: program.Start, Script: asText(scriptSteps{first, scriptSteps{w.await(), one("text", w.emitted())}, scriptSteps{one("error", map[string]any{"message": "it broke"})}})}, {Kind: program.Attach, Who: 1}}
}

// branchedAgainAndAgain returns a session that is branched at its latest step, as is each branch. The output of all
// earlier branches stays valid.
func branchedAgainAndAgain(w *writing) []program.Operation {
	script := []any{}
	for range 10 + w.r.IntN(3) {
		script = append(script, scriptSteps{one("text", w.emitted()), one("set", map[string]any{"key": w.key(), "value": w.value()}), w.await()})
	}
	out := []program.Operation{{Kind: program.Start, Script: asText(script)}}
	for n := range 4 { // after two steps, and two more each time
		out = append(out, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.Branch, Who: 2*n + 1}, program.Operation{Kind: program.Snapshot})
		out = append(out, program.Operation{Kind: program.GoBack, Script: "continue"}, program.Operation{Kind: program.SnapshotWithoutPartial})
	}
	return append(out, program.Operation{Kind: program.GoOn}, program.Operation{Kind: program.Snapshot}, program.Operation{Kind: program.SnapshotWithoutPartial})
}

// steers returns one operation of a kind.
func (w *writing) steers(k program.Kind) program.Operation {
	o := subject{}.draw(w.r, k, 3)
	switch o.Kind {
	case program.Start:
		o = w.begins(o)
	case program.Approve, program.Deny, program.Release, program.Rollback, program.Branch:
		if o.Who = w.r.IntN(14); (k == program.Rollback || k == program.Branch) && o.Who > 8 {
			o.Who = program.ToStart
		}
	case program.HandIn:
		o.Who, o.Script = w.r.IntN(14), asText(w.value())
	case program.GoBack:
		o.Script = campaign.Pick(w.r, "continue", "retry-later", "user", "x1", "ZWEITER", data.LongMode)
		if w.r.IntN(3) == 0 {
			o.Who = 1 + w.r.IntN(6)
		}
	}
	return o
}

// turns returns kinds of calls that steer a run, each of which may find remains of the one before.
func turns(r *rand.Rand, claims func(string) bool) []program.Kind {
	all := [][]program.Kind{
		{program.Interrupt, program.Rollback, program.GoBack, program.Interrupt}, {program.Rollback, program.GoBack, program.Interrupt, program.GoBack}, {program.Branch, program.GoBack, program.Interrupt, program.GoBack, program.Branch}, {program.Crash, program.Interrupt, program.GoBack, program.Crash},
		{program.Interrupt, program.GoBack, program.Interrupt, program.GoBack}, {program.Interrupt, program.SnapshotWithoutPartial, program.Retry, program.Interrupt}, {program.Supersede, program.Interrupt, program.GoBack, program.Supersede}, {program.Supersede, program.Crash, program.Rollback},
		{program.Interrupt, program.WaitForLate, program.SnapshotWithoutPartial, program.GoBack}, {program.Rollback, program.Snapshot, program.GoBack, program.Rollback, program.GoBack, program.Rollback}, {program.Crash, program.Crash, program.Crash}, {program.Interrupt, program.Branch, program.Rollback, program.GoBack},
		{program.Retry, program.WaitForLate, program.Retry, program.Crash}, {program.Branch, program.GoBack, program.Crash}, {program.Branch, program.GoBack, program.Supersede, program.GoOn}, {program.Supersede, program.Supersede, program.WaitForLate, program.Rollback, program.GoBack},
	}
	all = slices.DeleteFunc(all, func(turns []program.Kind) bool {
		return slices.ContainsFunc(turns, func(k program.Kind) bool { return program.Needs[k] != "" && !claims(program.Needs[k]) })
	})
	if len(all) == 0 {
		return []program.Kind{program.Interrupt, program.GoBack, program.Interrupt}
	}
	return campaign.Pick(r, all...)
}

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
