package helixui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
)

// scenes returns the turns of a program, with texts of at most most bytes.
func (p Program) scenes(most int) []*setup {
	w := &writer{most: most, usual: p.usual, userTexts: map[int][]string{}}
	var all []*setup
	for _, t := range p.turns {
		w.texts++
		w.part = &setup{turn: t, user: []string{fmt.Sprintf("Question %d", w.texts)}, moments: map[string]Operation{}, script: model.Script{Steps: []model.ScriptStep{}}}
		all = append(all, w.part)
		for _, o := range t.operations {
			if o.HasData() {
				o.Size = min(o.Size, most)
			}
			w.operation(o)
		}
		w.userTexts[t.chat] = w.part.user
	}
	return all
}

func (w *writer) operation(o Operation) {
	w.first, w.from = w.texts, len(w.part.script.Steps)
	switch k := kinds[o.Kind]; {
	case k.waits:
		w.begin()
		w.texts++
		name := fmt.Sprintf("b%d", w.texts)
		w.part.moments[name] = o
		w.addStep(model.ScriptStep{Await: name})
	case k.once:
		w.once(o)
	case k.ends:
		w.end(o)
	case o.Kind == "calls side by side", o.Kind == "calls with long names":
		w.concurrentCalls(o)
	case o.Kind == "subagents":
		w.delegate(o)
	case k.asks():
		w.wait(o)
	case k.equal != "":
		w.equal(o, k.equal)
	default:
		w.each(o, w.one)
	}
}

// signs are characters in a user's text that a store, a form or a page may escape or normalize.
const signs = " <b>it's \"R&amp;D\"</b>, 100%\r\n\\n %2F + \u00e9"

// once performs an operation that concerns the complete turn.
func (w *writer) once(o Operation) {
	described := func() map[string]any {
		if o.Size == 1 { // the same for each turn that has it, but for the agent
			return map[string]any{"agent": "{agentId}"}
		}
		out := w.object(o)
		switch o.Choice % 4 {
		case 0, 2:
			out["agent"] = "{agentId}"
		case 1:
			out["none"] = nil
		case 3:
			return map[string]any{}
		}
		return out
	}
	switch o.Kind {
	case "user texts":
		w.part.user[0] += ": " + o.Sized() + signs
		for n := range o.Count - 1 { // no white space is at the end of one of several, where a store may cut it
			w.part.user[len(w.part.user)-1] += "."
			w.texts++
			w.part.user = append(w.part.user, fmt.Sprintf("%d %s", w.texts, o.After(n+1).Sized()))
		}
	case "user repeats":
		if before := w.userTexts[w.part.chat]; before != nil {
			w.part.user = slices.Clone(before)
		}
	case "user members":
		w.part.members = w.object(o)
	case "start metadata":
		w.part.script.Start = described()
	case "finish metadata":
		w.part.script.Finish = described()
	case "sweeps":
		w.part.sweeps = o
	case "quiet ends":
		w.part.quiet = true
	case "slow readers":
		w.part.slow = true
	case "compressed answers":
		w.part.transport = overGzip
	case "multiplexed answers":
		w.part.transport = overHTTP2
	}
}

// end ends the turn.
func (w *writer) end(o Operation) {
	switch w.texts++; o.Kind {
	case "lengths":
		w.addStep(model.ScriptStep{Finish: "length"})
	case "filters":
		w.addStep(model.ScriptStep{Finish: "content-filter"})
	case "failures":
		w.addStep(model.ScriptStep{Fail: w.failure(o)})
	case "clean ends":
		w.addStep(model.ScriptStep{Ends: "clean"})
	case "said errors":
		w.addStep(model.ScriptStep{Ends: "error"})
	case "failing chunks":
		w.chunk(o, "error", map[string]any{"error": *w.failure(o), "recoverable": false})
	case "interruptions":
		reason := Operation{Class: campaign.Every, Size: 300, Choice: o.Choice}.Sized()
		w.chunk(o, "run_interrupted", map[string]any{"runId": "r1", "checkpointId": nil, "reason": fmt.Sprintf("reason %d: %s.", w.texts, reason)})
	case "pauses":
		w.pause(o)
	case "approvals":
		id := w.callID()
		w.chunk(o, "tool_start", map[string]any{"toolCallId": id, "toolName": "pay", "arguments": map[string]any{"nok": 900.0}})
		w.chunk(o, "tool_approval_request", map[string]any{"toolCallId": id, "toolName": "pay", "arguments": map[string]any{"nok": 900.0}})
	}
}

// equal does the same thing of a kind again and again. The same call returns something else each time.
func (w *writer) equal(o Operation, kind string) {
	if kind == "calls" {
		input := w.object(o)
		w.each(o, func(o Operation) {
			w.addStep(model.ScriptStep{Tool: &model.Tool{Name: "weather", Arguments: input, Result: w.value(o)}})
		})
		return
	}
	from := len(w.part.script.Steps)
	o.Kind = kind
	w.one(o)
	same := w.part.script.Steps[from:]
	for range o.Count - 1 {
		w.part.script.Steps = append(w.part.script.Steps, same...)
	}
}

// one does one thing.
func (w *writer) one(o Operation) {
	switch o.Kind {
	case "texts":
		w.text(o)
	case "empty texts":
		w.addStep(model.ScriptStep{Text: new(string)})
	case "thoughts":
		w.addStep(model.ScriptStep{Thinking: model.Reasoning{"thought " + w.data(o)}})
	case "halved thoughts":
		w.begin()
		w.texts++
		name := fmt.Sprintf("b%d", w.texts)
		w.part.moments[name] = Operation{Count: 1, Kind: []string{"barriers", "refreshes", "returns", "departures"}[o.Choice%4], Choice: o.Choice}
		w.addStep(model.ScriptStep{Thinking: model.Reasoning{"thought " + w.data(o), map[string]any{"await": name}, " and " + w.data(o)}})
	case "calls":
		w.call(o)
	case "long outputs":
		w.addStep(model.ScriptStep{Tool: &model.Tool{Name: "read", Arguments: map[string]any{"page": float64(w.texts)}, Result: w.data(o)}})
	case "spellings":
		w.spell(o)
	case "failing calls":
		w.addStep(model.ScriptStep{Tool: &model.Tool{Name: "weather", Arguments: w.object(o), Error: w.failed(o)}})
	default:
		w.mapped(o)
	}
}

// mapped performs an operation that only chunks express.
func (w *writer) mapped(o Operation) {
	switch o.Kind {
	case "texts in chunks":
		w.chunk(o, "text_delta", map[string]any{"delta": w.data(o)})
	case "thoughts in chunks":
		w.thinks(o)
	case "whole thoughts":
		thought := "thought " + w.data(o)
		for range 1 + o.Choice%3/2 { // it may think the same once more
			w.chunk(o, "thinking", map[string]any{"content": thought, "isComplete": true})
		}
	case "customs":
		w.texts++
		w.chunk(o, "custom", map[string]any{"eventName": event(o.Choice, w.texts), "data": w.value(o)})
	case "patches":
		w.texts++
		w.chunk(o, "state_patch", map[string]any{"patches": w.patches(o)})
	case "outputs":
		output := w.value(o)
		if o.Choice%3 == 2 { // the result may be that there is nothing, or a text that is JSON
			output = []any{false, `{"a": [1]}`, nil, ""}[o.Choice/3%4]
		}
		w.chunk(o, "output", map[string]any{"output": output})
	case "strangers":
		w.strange(o)
	case "own parts", "own parts behind thoughts":
		w.applicationPart(o)
	case "passing errors":
		passing := map[string]any{"error": "passing " + w.data(o), "recoverable": true}
		if o.Choice%2 == 0 {
			passing["code"] = fmt.Sprintf("code_%d", w.texts)
		}
		w.chunk(o, "error", passing)
	default:
		w.manage(o)
	}
}

// concurrent runs calls concurrently: they end in another order than they start, and one of four fails. Long names have a
// common prefix, and differ in case or in characters that a path or a pattern interprets.
func (w *writer) concurrentCalls(o Operation) {
	var ids, names []string
	w.each(o, func(o Operation) {
		w.texts++
		id, name := w.callID(), fmt.Sprintf([]string{"tool_%d", "mcp.files/read:%d", "outil é %d"}[o.Choice%3], o.Choice%2)
		if o.Kind == "calls with long names" {
			id = strings.Repeat("call/", 40) + []string{"A", "a", ":%*[", "%2F"}[o.Choice%4] + id
			name = strings.Repeat("tool_", 16) + name
		}
		ids, names = append(ids, id), append(names, name)
		w.chunk(o, "tool_start", map[string]any{"toolCallId": id, "toolName": name, "arguments": w.object(o)})
	})
	turned := o.Choice%2 == 0
	for i := range ids {
		n := len(ids) - 1 - i
		if turned {
			n = (i + len(ids)/2) % len(ids)
		}
		end := map[string]any{"toolCallId": ids[n], "toolName": names[n], "success": true, "result": w.value(o.After(n))}
		if n%4 == 3 {
			end["success"], end["result"], end["error"] = false, nil, []string{"no such place", ""}[n/4%2]
		}
		w.chunk(o, "tool_end", end)
	}
}

// wait calls tools that need consent, or that the client runs, and goes on with a text.
func (w *writer) wait(o Operation) {
	for n := range o.Count {
		w.texts++
		t := &model.Tool{Name: "pay", Arguments: map[string]any{"nok": float64(w.texts)}, Approval: o.Kind == "consents", Client: o.Kind == "errands"}
		if t.Approval {
			t.Result = map[string]any{"paid": float64(n)}
		}
		w.addStep(model.ScriptStep{Tool: t})
	}
	said := fmt.Sprintf("%d goes on.", w.texts)
	w.addStep(model.ScriptStep{Text: &said})
}
