package draw

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
)

// subAgentOutcomes are how a sub-agent ends badly: by an error, or by a reason to stop.
var subAgentOutcomes = []string{"unknown", "fault", "gives up", "refusal", "abort", "error", "content_filter", "broken"}

// nearlyEqual are pairs of values that are not equal.
var nearlyEqual = [][2]any{
	{"a", "A"}, {1.0, "1"}, {false, 0.0}, {"", nil}, {map[string]any{}, []any{}}, {"x", "x "}, {"\u00e9", "e\u0301"}, {[]any{1.0, 2.0}, []any{2.0, 1.0}},
	{map[string]any{"a": 1.0}, map[string]any{"a": 1.0, "b": nil}}, {"10", "9"}, {[]any{nil}, []any{}}, {1e21, 1e22}, {"null", nil},
}

// alikes are values that look like another thing: a text like a value, and a value like a part of a chunk.
var alikes = []any{
	`{"a":[1,null]}`, map[string]any{"error": "none"}, `[{}]`, map[string]any{"success": false, "result": 1.0}, "12", map[string]any{"approved": false}, "true",
	map[string]any{"type": "error", "error": "no", "recoverable": false}, ` {"a":1} `, map[string]any{"output": nil, "n": 1.0}, map[string]any{"value": nil},
}

// noObjects are arguments that a model gives, and that are no object, nor the text of one, though they look it.
var noObjects = []any{
	`{"a":1} as you asked`, `{"a":1}{"b":2}`, "```json\n{\"a\":1}\n```", `{"a":1,}`, `{'a':1}`, `{"a":1`, `{a:1}`, `{"a":NaN}`, `{"a":1} // so`, `[{"a":1}]`,
	[]any{map[string]any{"a": 1.0}}, `a=1&b=2`, `{}}`, `({"a":1})`,
}

// kinds write every one of a kind.
type kinds struct{ *writing }

// everything are steps with all that there is of a kind.
func (w kinds) everything() []any {
	var all scriptSteps
	switch {
	case w.s.opens == "decisions" && w.claims("approval"):
		name, branches := w.name("tool"), []any{}
		for n := range 9 + w.r.IntN(8) { // of one tool, and each is decided by itself
			branches = append(branches, scriptSteps{one("tool", map[string]any{"name": name, "arguments": map[string]any{"n": n}, "approval": true, "result": n})})
		}
		all = append(all, one("parallel", branches), w.bursts.calls(65+w.r.IntN(8), "tool"))
		for n := range 4 { // one after the other, and no decision is for the next one
			all = append(all, one("tool", map[string]any{"name": name, "arguments": map[string]any{"n": n}, "approval": true, "result": n}))
		}
	case w.s.opens == "falsy": // what a truth test takes for absent is there when the run has gone back, too
		first, amid, last := scriptSteps{}, scriptSteps{w.await()}, scriptSteps{w.await()}
		for n, v := range []any{nil, false, 0.0, "", []any{}, map[string]any{}} {
			key := w.name("falsy")
			set, gone := one("set", map[string]any{"key": key, "value": v}), one("delete", map[string]any{"key": key})
			changes := one("set", map[string]any{"key": key, "value": w.next()})
			first, last = append(first, set), append(last, gone)
			amid = append(amid, []any{changes, gone}[n%2], set) // is what it was before the step
		}
		key := w.name("key") // one that comes and goes in a step, beside others whose names begin like it
		for _, more := range []string{"", "-1", "/1", ""} {
			amid = append(amid, one("set", map[string]any{"key": key + more, "value": w.next()}))
		}
		amid = append(amid, one("delete", map[string]any{"key": key}))
		return []any{first, amid, last}
	case w.s.opens == "pairs":
		most := w.r.IntN(largeKinds) // is larger than all others, and smaller than 256 KiB, where a server may draw the line
		for kind := range largeKinds {
			text := w.column
			if kind == most {
				text = func() string { return strings.Repeat(w.column(), 2) }
			}
			all = append(all, w.bursts.largeOf(kind, text)...)
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
		return w.manyOfAll()
	case w.s.opens == "fates" && w.claims("subagents"):
		all = w.endings()
	}
	if all == nil {
		return nil
	}
	return []any{all, scriptSteps{w.await()}} // before anything else is done to what is there now
}

// endings are sub-agents each of which ends in another way, and one with others within.
func (w kinds) endings() (all scriptSteps) {
	for _, fate := range subAgentOutcomes {
		child := map[string]any{"type": w.name("helper"), "script": scriptSteps{scriptSteps{one("text", w.emitted())}}}
		if fate == "gives up" {
			child["error"] = " the helper\ngave up "
		} else {
			child["script"] = scriptSteps{scriptSteps{one("text", w.emitted()), w.fatal(fate)}}
		}
		all = append(all, one("subagent", child))
	}
	for kind := range stuckKinds { // their time is over while they wait for what nobody brings
		script := scriptSteps{scriptSteps{one("text", w.emitted()), w.stuck(0, kind)}}
		all = append(all, one("subagent", map[string]any{"type": w.name("helper"), "script": script, "timeoutMs": 10}))
	}
	soon := scriptSteps{scriptSteps{one("text", w.emitted()), one("output", w.next())}} // long before its time is over
	all = append(all, one("subagent", map[string]any{"type": w.name("helper"), "script": soon, "timeoutMs": 60_000}))
	for _, none := range []any{nil, false, ""} { // is an output, and counts though there is a result
		script := scriptSteps{scriptSteps{one("text", w.emitted()), one("output", none)}}
		all = append(all, one("subagent", map[string]any{"type": w.name("helper"), "script": script, "result": map[string]any{"instead": w.next()}}))
	}
	all = append(all, w.remembers())
	limited := scriptSteps{scriptSteps{one("text", w.emitted()), one("stop", "max_tokens"), one("text", w.emitted())}, scriptSteps{one("text", w.emitted()), one("output", w.next())}}
	all = append(all, w.nested(6+w.r.IntN(3)), one("subagent", map[string]any{"type": w.name("helper"), "script": limited})) // gets over it
	large := one("output", map[string]any{"text": w.column()})
	all = append(all, one("subagent", map[string]any{"type": w.name("helper"), "script": scriptSteps{scriptSteps{one("text", w.emitted()), large}}}))
	return all
}

// remembers is a sub-agent whose later steps go on with what its earlier ones wrote.
func (w kinds) remembers() any {
	key, list := w.name("key"), w.name("list")
	add := func() any { return one("append", map[string]any{"key": list, "items": []any{w.next()}}) }
	script := scriptSteps{scriptSteps{add(), one("set", map[string]any{"key": key, "value": w.next()})}, scriptSteps{add()}, scriptSteps{one("delete", map[string]any{"key": key}), add(), add()}}
	return one("subagent", map[string]any{"type": w.name("helper"), "script": script})
}

// textsOfOne is how many texts of the catalogue one text holds that is made of several.
const textsOfOne = 12

// joined are texts of the catalogue, from the nth on, as one.
func joined(n int) string {
	var b strings.Builder
	for i := n; i < n+textsOfOne; i++ {
		class, of := campaign.TextClass(i)
		b.WriteString(campaign.Text(class, of, 1))
	}
	return b.String()
}

// column is a text that is longer than many a column, buffer and line: of more than 64 KiB.
func (w kinds) column() string {
	return strings.Repeat(fmt.Sprintf("large-%d. ", w.next()), (64<<10)/9+w.r.IntN(1<<10))
}

// manyOfAll are steps with more of each kind than a page, a queue or a table of a runtime may have room for: one in which
// the state gets many members and many changes, and one of many calls and many blocks of reasoning.
func (w kinds) manyOfAll() []any {
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
	full, given := w.name("full"), w.name("given") // but for a few; one grows to that, and one is given so
	stored = append(stored, one("set", map[string]any{"key": full, "value": items[:500]}), one("append", map[string]any{"key": full, "items": items[500:]}),
		one("append", map[string]any{"key": full, "items": items[:12]}),
		one("set", map[string]any{"key": given, "value": items}), one("append", map[string]any{"key": given, "items": items[:12]}))
	name := w.name("tool")
	for n := range 131 + w.r.IntN(9) { // with a text between, so that a message has twice as many parts
		call := map[string]any{"name": name, "arguments": map[string]any{"n": n - n%3}, "result": w.next()} // some are given the same
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
