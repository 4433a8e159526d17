package helix

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
)

// runSubject is what the histories of runs of one scenario are about.
type runSubject struct {
	programs    int // at standard effort
	operations  int // of a program, beside those that let a run go on
	steps       int // of a script, at most
	scriptSteps map[string]int
	kinds       map[kind]int
	ends        []string // how a script may end
	begins      bool     // some begin with a state
	promises    int      // how many of ten outputs have to fit a schema
	crashing    bool     // the server is killed beside them
	long        bool     // its first script has many steps
	opens       string   // what its first script begins with: pairs, fates, decisions, falsy or many
}

// anyScriptSteps are the acts of any script, by how often they are drawn.
var anyScriptSteps = map[string]int{"text": 8, "thinking": 2, "custom": 2, "tool": 3, "set": 2, "append": 2, "delete": 1, "await": 3, "stop": 1}

// looked are the operations of any history of runs.
var looked = map[kind]int{goOn: 10, attach: 2, leave: 1, resume: 2, receive: 1, snapshot: 1, snapshotWithoutPartial: 1, info: 1, makeInvalidCalls: 1, start: 1, waitForLate: 1, remove: 0}

func with[K comparable](base, more map[K]int) map[K]int {
	out := maps.Clone(base)
	maps.Copy(out, more)
	return out
}

var runSubjects = map[string]runSubject{
	"a run": {programs: 7, operations: 12, steps: 5, scriptSteps: anyScriptSteps, kinds: looked, ends: []string{"output", "output", "", "error", "stop", "abort"}, begins: true, promises: 3, long: true, opens: "many"},
	"a run with tools": {
		programs: 8, operations: 12, steps: 3, kinds: with(looked, map[kind]int{approve: 5, deny: 3, handIn: 5, crash: 1, retry: 1, interrupt: 1, makeInvalidCalls: 2}), ends: []string{"output", "", "", "fault"}, promises: 3, opens: "decisions",
		scriptSteps: map[string]int{"text": 3, "tool": 8, "parallel": 4, "approval": 3, "client": 3, "works": 3, "custom": 2, "error": 1, "append": 2, "set": 1, "await": 1},
	},
	"a run with sub-agents": {
		programs: 6, operations: 12, steps: 3, kinds: with(looked, map[kind]int{approve: 2, deny: 1, interrupt: 1, goBack: 2, crash: 1, supersede: 1}), ends: []string{"output", ""}, promises: 3, opens: "fates",
		scriptSteps: map[string]int{
			"text": 4, "subagent": 8, "tool": 2, "thinking": 1, "parallel": 3, "set": 3, "append": 1, "delete": 2, "custom": 1, "await": 2, "approval": 3, "client": 1, "works": 1,
			"error": 1, "stop": 1,
		},
	},
	"runs one after another": {
		programs: 7, operations: 24, steps: 5, kinds: with(looked, map[kind]int{interrupt: 5, goBack: 6, reset: 6, remove: 2, start: 2, goOn: 14}), ends: []string{"output", "output", "", "fault", "error", "abort", "stop"},
		scriptSteps: with(anyScriptSteps, map[string]int{"await": 5, "error": 1}), promises: 5, begins: true,
	},
	"a run that is stopped": {
		programs: 8, operations: 18, steps: 6, kinds: with(looked, map[kind]int{interrupt: 5, goBack: 5, crash: 4, rollback: 3, branch: 2, retry: 3, supersede: 3, approve: 2, goOn: 10, crashAmid: 1, supersedeAmid: 1}),
		ends: []string{"output", "output", "", "fault"}, promises: 6, opens: "falsy", scriptSteps: with(anyScriptSteps, map[string]int{"await": 8, "works": 2, "approval": 2, "error": 1, "parallel": 2, "subagent": 1}), begins: true,
	},
	crashingRuns: {
		programs: 6, operations: 9, steps: 5, kinds: with(looked, map[kind]int{kill: 4, killAmid: 6, approve: 2, goOn: 8, waitForLate: 0, reset: 1}), ends: []string{"output", "output", "", "fault"}, begins: true, promises: 5,
		scriptSteps: with(anyScriptSteps, map[string]int{"await": 7, "subagent": 2, "approval": 1, "set": 4, "error": 1}), crashing: true,
	},
	"a run that is given data": {
		programs: 8, operations: 8, steps: 4, kinds: looked, ends: []string{"output"}, begins: true, promises: 3, opens: "pairs",
		scriptSteps: map[string]int{"text": 6, "thinking": 4, "custom": 5, "tool": 8, "set": 5, "append": 3, "delete": 2, "await": 1},
	},
}

// mistaken are how the ids of streams are alike whose sessions a server may take for one another, program by program. All are
// of letters, digits and dots: a server may let a run begin on a stream that it refuses to readers because of its id.
var mistaken = []func(r *rand.Rand) string{
	func(*rand.Rand) string { return "case" },
	func(r *rand.Rand) string { return campaign.Pick(r, "column", "longest", "longer", "long") },
	func(r *rand.Rand) string {
		return campaign.Pick(r, "number", "prefix", "extension", "hash")
	},
}

// crashingRuns are those beside which the server is killed.
const crashingRuns = "a run whose server is killed"

// drawRuns makes a program of runs.
func drawRuns(r *rand.Rand, number int, about string, claims func(string) bool) Program {
	s := runSubjects[about]
	p := Program{streams: campaign.Pick(r, 1, 1, 1, 2, 3), runs: true} // a leak needs somewhere to go
	if s.opens == "falsy" && number > 4 {
		p.streams, p.names = 3, mistaken[number%len(mistaken)](r)
	}
	w := &writing{r: r, s: s, claims: claims, at: number * 17, names: map[string][]string{}, subAgentOutcomes: 3 * number, gates: number, first: number == 0 || s.opens == "falsy"}
	w.bursts, w.shapes, w.kinds = bursts{w}, shapes{w}, kinds{w}
	if s.crashing && !(claims("durable") && claims("supersede") && claims("info") && claims("resume")) {
		return p
	}
	for i := range p.streams {
		o := Operation{kind: start, stream: i}
		if s.begins && r.IntN(3) == 0 {
			o.state = w.state()
		}
		p.operations = append(p.operations, w.begins(o))
	}
	p.operations = w.opening(number, p.operations)
	kinds := slices.DeleteFunc(slices.Sorted(maps.Keys(s.kinds)), func(k kind) bool {
		c := needs[k]
		return c != "" && !claims(c)
	})
	of := make([]int, len(kinds))
	for i, k := range kinds {
		of[i] = s.kinds[k]
	}
	more := s.operations + 4*(p.streams-1)
	if number == 0 && (s.opens == "many" || s.opens == "pairs") { // each look at so much takes its time
		more = 4
	}
	for range more {
		drawn, stream := []kind{kinds[campaign.Weighted(r, of)]}, r.IntN(p.streams)
		if s.kinds[interrupt] > 1 && r.IntN(4) == 0 {
			drawn = turns(r, claims)
		}
		for _, k := range drawn {
			o := w.steers(k)
			o.stream = stream
			if p.operations = append(p.operations, o); o.kind == reset || o.kind == remove { // something has to begin on an empty stream
				p.operations = append(p.operations, w.begins(Operation{kind: start, stream: o.stream}))
			}
		}
	}
	return p
}

// shapes write scripts of a shape of their own.
type shapes struct{ *writing }

// oneAfterAnother are sessions of one stream that do the same with other values: what one leaves behind, the next one meets.
// Each has an output that has to fit a schema of its own, and sub-agents of one type that write the same members and whose
// outputs have to fit none.
func (w shapes) oneAfterAnother() []Operation {
	var out []Operation
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
		first = append(first, w.await()) // where nothing of this session was saved
		steps := scriptSteps{first, scriptSteps{w.await(), one("delete", map[string]any{"key": "member-0"})}, scriptSteps{one("output", n)}}
		script, schema := w.kinds.promise(asText(steps))
		out = append(out, Operation{kind: start, script: script, schema: schema}, Operation{kind: snapshot})
		if n > 0 {
			out = append(out, w.stops(n)...)
		}
		out = append(out, Operation{kind: goOn}, Operation{kind: goOn}, Operation{kind: snapshot}, Operation{kind: reset})
	}
	aborts := asText([]any{scriptSteps{one("text", w.emitted()), w.await()}, scriptSteps{one("text", w.emitted()), one("parallel", []any{scriptSteps{w.fatal("abort")}})}})
	out = append(out, Operation{kind: start, script: aborts}, Operation{kind: goOn}, Operation{kind: reset})
	return append(out, w.begins(Operation{kind: start}))
}

// stops stop a session in the nth way and let it go on.
func (w shapes) stops(n int) []Operation {
	how := [][]Operation{
		{{kind: crash}},
		{{kind: interrupt}, {kind: goBack, script: "continue"}},
		{{kind: supersede}},
		{{kind: interrupt}, {kind: rollback, who: toStart}, {kind: goBack, script: "continue"}},
	}[n%4]
	if slices.ContainsFunc(how, func(o Operation) bool { return needs[o.kind] != "" && !w.claims(needs[o.kind]) }) {
		return nil
	}
	return how
}

// stoppedAgainAndAgain is a session that is tried again, interrupted and resumed many times, and then goes back, is
// interrupted there and crashes as often. It gets over an error in each step.
func (w shapes) stoppedAgainAndAgain() []Operation {
	script := []any{}
	for range 14 + w.r.IntN(4) {
		over := one("error", map[string]any{"message": "again", "code": campaign.Pick(w.r, codes...), "retryable": true})
		script = append(script, scriptSteps{one("text", w.emitted()), one("set", map[string]any{"key": w.key(), "value": w.value()}), over, w.await()})
	}
	out := []Operation{{kind: start, script: asText(script)}, {kind: attach, who: 1}, {kind: interrupt}, {kind: goBack, script: "continue"}, {kind: goOn}, {kind: goOn}}
	out = append(out, Operation{kind: rollback, who: 0}, Operation{kind: goBack, script: "continue"}, Operation{kind: goOn}) // to its first checkpoint
	for range 2 {                                                                                                            // to which it can go back again, and at once
		out = append(out, Operation{kind: interrupt}, Operation{kind: rollback, who: 0}, Operation{kind: rollback, who: 0}, Operation{kind: goBack, script: "continue"})
	}
	for range 2 + w.r.IntN(2) {
		out = append(out, Operation{kind: interrupt}, Operation{kind: retry}, Operation{kind: goOn})
	}
	for n := range 7 + w.r.IntN(3) { // from its latest checkpoint, and from the first two
		out = append(out, Operation{kind: interrupt}, Operation{kind: goBack, who: []int{0, 0, 2, 0, 1}[n%5], script: campaign.Pick(w.r, "continue", "retry-later", "user", "ZWEITER")}, Operation{kind: info})
		if n%5 == 2 {
			out = append(out, Operation{kind: goOn}, Operation{kind: goOn})
		}
	}
	for range 3 {
		out = append(out, Operation{kind: goOn}, Operation{kind: goOn}, Operation{kind: rollback, who: w.r.IntN(3)}, Operation{kind: info}, Operation{kind: goBack, script: "continue"})
		out = append(out, Operation{kind: interrupt}, Operation{kind: goBack, script: "continue"}, Operation{kind: crash})
	}
	out = append(out, Operation{kind: receive}, Operation{kind: rollback, who: toStart}, Operation{kind: snapshot}, Operation{kind: goBack, script: "continue"}, Operation{kind: goOn})
	out = append(out, Operation{kind: rollback, who: toStart}, Operation{kind: snapshotWithoutPartial}, Operation{kind: goBack, script: "user"})
	out = append(out, slices.Repeat([]Operation{{kind: goOn}}, 11)...) // the latest of its checkpoints has a number of two digits
	return append(out, Operation{kind: crash}, Operation{kind: goOn})
}

// opening is how a program begins, or goes on behind the starts of its runs, which the draw goes on from.
func (w *writing) opening(number int, out []Operation) []Operation {
	if number == 0 && w.s.opens == "decisions" { // one is refused between two that are granted
		out = append(out, Operation{kind: approve, who: 1}, Operation{kind: deny, who: 1}, Operation{kind: approve, who: 1})
	}
	if number == 1 && w.s.opens == "decisions" && w.claims("approval") && w.claims(needs[retry]) {
		out = w.shapes.tried()
	}
	if number == 2 && w.s.opens == "decisions" && w.claims("approval") {
		out = w.kinds.gated()
	}
	if number == 0 && w.s.long && w.claims(needs[rollback]) { // nearly all of a long session is gone back
		out = append(out, Operation{kind: goOn}, Operation{kind: rollback, who: w.r.IntN(3)}, Operation{kind: goBack, script: "continue"})
	}
	if number == 0 && w.s.kinds[reset] > 1 && w.claims(needs[reset]) {
		out = w.shapes.oneAfterAnother()
	}
	if number == 1 && w.s.kinds[reset] > 1 && w.claims(needs[reset]) {
		out = w.kinds.stored()
	}
	if number == 1 && w.s.opens == "many" && w.claims("subagents") {
		out = w.kinds.emptyAgents()
	}
	if number == 2 && w.s.opens == "fates" && w.claims("subagents") {
		out = w.kinds.deadlines()
	}
	if number == 3 && w.s.opens == "fates" && w.claims("subagents") {
		out = w.shapes.bereft()
	}
	if w.s.crashing && number%2 == 0 {
		out = append(w.killed(w.r), out[1:]...)
	} else if w.s.opens == "falsy" && w.claims(needs[rollback]) {
		switch number {
		case 1:
			out = w.shapes.stoppedAgainAndAgain()
		case 2:
			out = w.shapes.branchedAgainAndAgain()
		case 3:
			out = w.rashly()
		case 4:
			out = w.shapes.restarted()
		}
	}
	return out
}

// tried is a session whose steps wait for decisions when they are begun again, each time in another way: what they had written to
// the state by then is written once. Where it goes back to an earlier checkpoint it is begun again before it has another one.
func (w shapes) tried() []Operation {
	key, list := w.name("key"), w.name("list")
	step := func() scriptSteps {
		return scriptSteps{
			one("append", map[string]any{"key": list, "items": []any{w.next(), nil}}), one("set", map[string]any{"key": key, "value": w.next()}),
			one("tool", map[string]any{"name": w.name("tool"), "arguments": map[string]any{}, "approval": true, "result": w.next()}),
			one("delete", map[string]any{"key": key}), one("append", map[string]any{"key": list, "items": []any{w.next()}}),
		}
	}
	out := []Operation{{kind: start, script: asText(scriptSteps{step(), step(), append(step(), w.await())})}, {kind: attach, who: 1}}
	for range 3 {
		out = append(out, Operation{kind: retry}, Operation{kind: crash}, Operation{kind: retry}, Operation{kind: approve}, Operation{kind: snapshotWithoutPartial})
	}
	for n, back := range []kind{branch, branch, rollback} {
		out = append(out, Operation{kind: back, who: n % 2}, Operation{kind: goBack, script: "continue"}, Operation{kind: []kind{crash, retry}[n%2]}, Operation{kind: snapshotWithoutPartial}, Operation{kind: approve})
	}
	return append(out, Operation{kind: goOn}, Operation{kind: snapshot})
}

// restarted is a session that goes back to its start, where its state is the one that the stream was given, and then begins
// there as another one.
func (w shapes) restarted() []Operation {
	o := Operation{kind: start, state: w.state()}
	changes := scriptSteps{one("delete", map[string]any{"key": "kept"}), one("append", map[string]any{"key": w.lists[0], "items": []any{w.next()}}), w.await()}
	concurrently := one("parallel", []any{scriptSteps{one("tool", w.tool("works"))}, scriptSteps{one("tool", w.tool("works"))}}) // which a crash meets
	o.script = asText(scriptSteps{scriptSteps{one("text", w.emitted()), w.await(), concurrently}, changes, scriptSteps{one("text", w.emitted()), w.await()}})
	out := []Operation{o, {kind: attach, who: 1}, {kind: crash}, {kind: interrupt}, {kind: goBack, script: "continue"}, {kind: goOn}, {kind: rollback, who: toStart}, {kind: snapshot}}
	out = append(out, Operation{kind: goBack, script: "user"}, Operation{kind: goOn}, Operation{kind: crash}, Operation{kind: snapshot}, Operation{kind: goOn}, Operation{kind: goOn})
	return append(out, Operation{kind: branch, who: toStart}, Operation{kind: snapshot}, Operation{kind: goBack, script: "continue"}, Operation{kind: goOn}, Operation{kind: snapshot})
}

// bereft is a session of which several sub-agents fail, each for a reason of its own, and the root agent for another one.
func (w shapes) bereft() []Operation {
	first := scriptSteps{one("text", w.emitted())}
	for n := range 2 + w.r.IntN(3) {
		broken := one("error", map[string]any{"message": "the helper broke", "code": codes[(w.at+n)%len(codes)]})
		first = append(first, one("subagent", map[string]any{"type": w.name("helper"), "script": scriptSteps{scriptSteps{one("text", w.emitted()), broken}}}))
	}
	return []Operation{{kind: start, script: asText(scriptSteps{first, scriptSteps{w.await(), one("text", w.emitted())}, scriptSteps{one("error", map[string]any{"message": "it broke"})}})}, {kind: attach, who: 1}}
}

// branchedAgainAndAgain is a session that is branched, and its branch as well, each where it is: what every one of them said
// before counts.
func (w shapes) branchedAgainAndAgain() []Operation {
	script := []any{}
	for range 10 + w.r.IntN(3) {
		script = append(script, scriptSteps{one("text", w.emitted()), one("set", map[string]any{"key": w.key(), "value": w.value()}), w.await()})
	}
	out := []Operation{{kind: start, script: asText(script)}}
	for n := range 4 { // two steps are done, and two more each time
		out = append(out, Operation{kind: goOn}, Operation{kind: goOn}, Operation{kind: branch, who: 2*n + 1}, Operation{kind: snapshot})
		out = append(out, Operation{kind: goBack, script: "continue"}, Operation{kind: snapshotWithoutPartial})
	}
	return append(out, Operation{kind: goOn}, Operation{kind: snapshot}, Operation{kind: snapshotWithoutPartial})
}

// steers makes one operation of a kind.
func (w *writing) steers(k kind) Operation {
	o := subject{}.draw(w.r, k, 3)
	switch o.kind {
	case start:
		o = w.begins(o)
	case approve, deny, release, rollback, branch:
		if o.who = w.r.IntN(14); (k == rollback || k == branch) && o.who > 10 {
			o.who = toStart
		}
	case handIn:
		o.who, o.script = w.r.IntN(14), asText(w.value())
	case goBack:
		o.script = campaign.Pick(w.r, "continue", "retry-later", "user", "x1", "ZWEITER", longMode)
		if w.r.IntN(3) == 0 {
			o.who = 1 + w.r.IntN(6)
		}
	}
	return o
}

// turns are calls that steer a run, one upon the other: what the first leaves behind the next one meets.
func turns(r *rand.Rand, claims func(string) bool) []kind {
	all := [][]kind{
		{interrupt, rollback, goBack, interrupt}, {rollback, goBack, interrupt, goBack}, {branch, goBack, interrupt, goBack, branch}, {crash, interrupt, goBack, crash},
		{interrupt, goBack, interrupt, goBack}, {interrupt, snapshotWithoutPartial, retry, interrupt}, {supersede, interrupt, goBack, supersede}, {supersede, crash, rollback},
		{interrupt, waitForLate, snapshotWithoutPartial, goBack}, {rollback, snapshot, goBack, rollback, goBack, rollback}, {crash, crash, crash}, {interrupt, branch, rollback, goBack},
		{retry, waitForLate, retry, crash}, {branch, goBack, crash}, {branch, goBack, supersede, goOn}, {supersede, supersede, waitForLate, rollback, goBack},
	}
	all = slices.DeleteFunc(all, func(turns []kind) bool {
		return slices.ContainsFunc(turns, func(k kind) bool { return needs[k] != "" && !claims(needs[k]) })
	})
	if len(all) == 0 {
		return []kind{interrupt, goBack, interrupt}
	}
	return campaign.Pick(r, all...)
}

// begins gives the start of a run its script, and a schema of its output now and then.
func (w *writing) begins(o Operation) Operation {
	if o.state == "" {
		w.keys, w.lists = nil, nil
	}
	large := w.s.opens == "pairs" && w.first && w.runs == 0 // its output is
	if o.script = w.script(); !large && w.r.IntN(10) < w.s.promises {
		o.script, o.schema = w.kinds.promise(o.script)
	}
	return o
}

// state is one that a stream is given before its run, which then changes it.
func (w *writing) state() string {
	w.keys, w.lists = nil, nil
	all := map[string]any{w.list(): w.items(w.r.IntN(3)), "kept": w.value()}
	for range 1 + w.r.IntN(4) {
		all[w.key()] = w.value()
	}
	return asText(all)
}
