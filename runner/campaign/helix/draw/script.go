package draw

import (
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// script returns a script as JSON. Some have many short steps, so that there are many checkpoints.
func (w *writing) script() string {
	w.runs++
	w.left = mostWithin
	n, most := 1+w.r.IntN(w.s.steps), 5
	switch {
	case w.s.long && w.first && w.runs == 1: // it waits at its end only
		n, most, w.waits = 258+w.r.IntN(3), 1, nothing
	case w.r.IntN(7) == 0:
		n, most = 9+w.r.IntN(22), 1
	}
	at := w.r.IntN(2 * n) // the step with a burst, in every second script
	rests := n < 9 && w.s.kinds[program.Interrupt] > 1 && w.r.IntN(2) == 0
	steps := make([]any, 0, n)
	for i := range n {
		step := w.scriptSteps(1 + w.r.IntN(most))
		if n > 100 { // each step is a message
			step = append(step, one("text", w.emitted()))
		}
		if rests { // a stop always finds an open step
			step = slices.Insert(step, w.r.IntN(len(step)+1), w.await())
		}
		if i == at {
			step = append(step, burst(w)...)
		}
		steps = append(steps, step)
	}
	if w.waits = anything; w.first && w.runs == 1 {
		if w.s.long { // large steps come late, so that no earlier snapshot has them
			steps = slices.Insert(steps, len(steps)-1, everyKind(w)...)
		} else {
			steps = append(everyKind(w), steps...)
		}
	}
	last := steps[len(steps)-1].(scriptSteps)
	if w.r.IntN(3) > 0 || w.first && w.runs == 1 { // it can be stopped and inspected there
		last = append(last, w.await())
	}
	switch end := campaign.Pick(w.r, w.s.ends...); end {
	case "output":
		last = append(last, one("output", w.output()))
	case "":
	default:
		last = append(last, w.branched(w.fatal(end)))
	}
	steps[len(steps)-1] = last
	return asText(steps)
}

// branched returns a script step, in every second case within a branch. A branch that ends its agent ends all branches.
func (w *writing) branched(scriptStep any) any {
	if w.r.IntN(2) == 0 {
		return scriptStep
	}
	return one("parallel", []any{scriptSteps{scriptStep}})
}

// output draws the output of an agent, in one of eight cases a large one.
func (w *writing) output() any {
	switch {
	case w.s.opens == "pairs" && w.first && w.runs == 1:
		return columnText(w)
	case w.r.IntN(8) == 0:
		return map[string]any{"text": columnText(w), "none": nil}
	}
	return w.value()
}

// fatal returns a script step that ends its agent.
func (w *writing) fatal(how string) any {
	switch how {
	case "error":
		return one("error", map[string]any{"message": "it broke"})
	case "fault":
		return one("error", map[string]any{"message": "the key is wrong", "code": campaign.Pick(w.r, data.ErrorCodes...)})
	case "abort":
		return one("error", map[string]any{"message": "aborted", "abort": true})
	case "stop":
		how = campaign.Pick(w.r, "content_filter", "refusal", "broken", "unknown")
	}
	return one("stop", strings.Replace(how, "broken", "error", 1))
}

// scriptSteps draws n of them.
func (w *writing) scriptSteps(n int) scriptSteps {
	kinds := slices.DeleteFunc(slices.Sorted(maps.Keys(w.s.scriptSteps)), func(k string) bool { return !w.may(k) })
	of := make([]int, len(kinds))
	for i, k := range kinds {
		of[i] = w.s.scriptSteps[k]
	}
	if w.depth > 0 || w.concurrently {
		w.left -= n
	}
	out := scriptSteps{}
	for range n {
		out = append(out, w.scriptStep(kinds[campaign.Weighted(w.r, of)])...)
	}
	return out
}

func (w *writing) scriptStep(k string) scriptSteps {
	switch k {
	case "text", "thinking":
		return w.again(one(k, w.emitted()))
	case "custom":
		event := map[string]any{"eventName": w.known("event"), "data": w.value()}
		if w.concurrently { // equal events of two branches couldn't be distinguished
			event["data"] = []any{w.next(), event["data"]}
		}
		return w.again(one(k, event))
	case "tool", "approval", "client", "works":
		return w.again(one("tool", w.tool(k)))
	case "set":
		switch form := w.r.IntN(6); {
		case form == 0 && !w.concurrently:
			return scriptSteps{one(k, map[string]any{"key": w.list(), "value": []any{w.next(), w.value()}})}
		case form == 1: // a value, and another that a server may take for equal
			w.at++
			key, near := w.key(), nearlyEqual[w.at%len(nearlyEqual)]
			return scriptSteps{one(k, map[string]any{"key": key, "value": near[0]}), one(k, map[string]any{"key": key, "value": near[1]})}
		}
		return scriptSteps{one(k, map[string]any{"key": w.key(), "value": w.value()})}
	case "append":
		return w.appends(w.list())
	case "delete":
		if w.r.IntN(4) == 0 && !w.concurrently && len(w.lists) > 0 {
			return scriptSteps{one(k, map[string]any{"key": campaign.Pick(w.r, w.lists...)})}
		}
		return scriptSteps{one(k, map[string]any{"key": w.key()})}
	case "await":
		return scriptSteps{w.await()}
	case "stop":
		return scriptSteps{one(k, campaign.Pick(w.r, "end_turn", "stop_sequence", "tool_use", "max_tokens"))}
	case "error":
		e := one(k, map[string]any{"message": "again", "code": campaign.Pick(w.r, data.ErrorCodes...), "retryable": true})
		return slices.Repeat(scriptSteps{e}, 1+w.r.IntN(3))
	case "parallel":
		return scriptSteps{one(k, w.branches(2+w.r.IntN(4)))}
	}
	return scriptSteps{subAgent(w)}
}

// appends adds items to a list. In three of eight cases it adds none, first or alone: a missing list becomes an empty
// one.
func (w *writing) appends(key string) scriptSteps {
	nothing := one("append", map[string]any{"key": key, "items": []any{}})
	some := one("append", map[string]any{"key": key, "items": w.items(1 + w.r.IntN(3))})
	switch w.r.IntN(8) {
	case 0, 1:
		return scriptSteps{nothing, some}
	case 2:
		return scriptSteps{nothing}
	case 3: // falsy items, and items that a library may take for a list of items
		bare := []any{"", []any{}, nil, 0.0, false, map[string]any{}, []any{""}}
		w.r.Shuffle(len(bare), func(i, j int) { bare[i], bare[j] = bare[j], bare[i] })
		return scriptSteps{one("append", map[string]any{"key": key, "items": bare[:1+w.r.IntN(len(bare))]}), some}
	case 4: // a list keeps equal items
		same := one("append", map[string]any{"key": key, "items": slices.Repeat(w.items(1), 2+w.r.IntN(2))})
		return scriptSteps{same, same}
	}
	return scriptSteps{some}
}

// again repeats a script step in one of six cases: repeated output isn't a duplicate. Concurrent script steps are never
// equal.
func (w *writing) again(a any) scriptSteps {
	if w.r.IntN(6) == 0 && !w.concurrently && !waiting(a) {
		return scriptSteps{a, a}
	}
	return scriptSteps{a}
}

// waiting reports whether a script step is a call that waits for an answer or for a barrier, which opens once.
func waiting(a any) bool {
	t, _ := a.(map[string]any)["tool"].(map[string]any)
	return t["waits"] != nil || t["client"] != nil || t["approval"] != nil
}

// branches returns n concurrent branches. Each sets other keys, and they append to the same lists.
func (w *writing) branches(n int) []any {
	out := []any{}
	keys, waits := w.keys, w.waits
	if w.concurrently = true; waits == anything {
		w.waits = campaign.Pick(w.r, nothing, barriers, decisions)
	}
	for range n {
		w.keys = nil
		branch := w.scriptSteps(1 + w.r.IntN(2))
		switch {
		case w.waits == barriers && w.r.IntN(3) > 0:
			branch = append(branch, one("tool", w.tool("works")))
		case w.waits == decisions && w.s.scriptSteps["approval"] > 0 && w.may("approval") && w.r.IntN(3) > 0:
			branch = append(branch, one("tool", w.tool("approval")))
		}
		out = append(out, branch)
	}
	w.keys, w.waits, w.concurrently = keys, waits, false
	return out
}

// begins returns the start of a run with a script, and sometimes with a schema of its output.
func (w *writing) begins(o program.Operation) program.Operation {
	if o.State == "" {
		w.keys, w.lists = nil, nil
	}
	large := w.s.opens == "pairs" && w.first && w.runs == 0 // its output is large
	if o.Script = w.script(); !large && w.r.IntN(10) < w.s.promises {
		o.Script, o.Schema = promise(w, o.Script)
	}
	return o
}

// state returns an initial state of a stream, as JSON, which the run then changes.
func (w *writing) state() string {
	w.keys, w.lists = nil, nil
	all := map[string]any{w.list(): w.items(w.r.IntN(3)), "kept": w.value()}
	for range 1 + w.r.IntN(4) {
		all[w.key()] = w.value()
	}
	return asText(all)
}
