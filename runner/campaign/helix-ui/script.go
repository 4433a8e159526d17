package helixui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
)

// writer makes the scripts of a program's turns. It numbers texts, so that no two are the same unless intended.
type writer struct {
	most  int // bytes of a text
	texts int

	values, objects int // of the catalogue that were taken
	failures        int // of runs
	chunks          int // of helix
	otherAgents     int // operations of other agents
	spelled         int // texts that were, in another way than usual

	usual     []string         // spellings of the model's events that aren't used
	part      *setup           // the turn that is written
	userTexts map[int][]string // the user's last message of a chat
}

// setup is a turn with its script.
type setup struct {
	turn
	script  model.Script
	user    []string             // text parts of the user's message
	members any                  // metadata of the user's message; nil for none
	moments map[string]Operation // operations by the barrier at which they are played
	calls   int                  // calls made in chunks: their ids restart in each turn
	sweeps  int                  // readers that come back once the turn is over
	quiet   bool                 // no reader comes back once the turn is over
	slow    bool                 // who asks takes little at a time
	// transport is the transport of the request for the answer: overGzip, overHTTP2, or "" for neither.
	transport string
}

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

func (w *writer) addStep(a model.ScriptStep) { w.part.script.Steps = append(w.part.script.Steps, a) }

// begin emits a text unless a text or a call came before: a server may delay its head until there is one.
func (w *writer) begin() {
	for _, a := range w.part.script.Steps {
		if a.Text != nil && *a.Text != "" || a.Tool != nil {
			return
		}
	}
	w.texts++
	said := fmt.Sprintf("%d begins. ", w.texts)
	w.addStep(model.ScriptStep{Text: &said})
}

// chunk has the agent's stream get a chunk. Of those of the root agent one in three names it, and has the members that all
// chunks of helix have.
func (w *writer) chunk(kind string, members map[string]any) {
	members["type"] = kind
	if w.chunks++; members["agentId"] == nil && w.chunks%3 == 1 {
		members["agentId"], members["agentType"], members["timestamp"], members["step"] = "{chat}", "assistant", 1702329600000.0, 1.0
	}
	w.addStep(model.ScriptStep{Chunk: members})
}

// data returns the next text of an operation. Where it is of every class, one of seven is treated.
func (w *writer) data(o Operation) string {
	w.texts++
	if said := o.Treated(w.texts); said != "" && len(said) <= w.most {
		return said
	}
	return o.Sample(w.texts)
}

// failed returns the error text of a tool. Every other text has so many lines that it exceeds a usual database column.
func (w *writer) failed(o Operation) string {
	line := "no such city " + w.data(o)
	if w.texts%2 == 0 {
		return strings.Repeat(line+"\n", 1+1200/len(line))
	}
	return line
}

// value returns the next value of an operation: one of a catalogue, a text, or an object with both.
func (w *writer) value(o Operation) any {
	said, all := w.data(o), campaign.Values()
	n := w.values
	w.values++
	switch {
	case n%16 == 9 && len(said) < 100:
		return map[string]any{"text": said, "list": slices.Repeat([]any{float64(n), said, nil}, 90)}
	case n%8 == 5: // values that resemble a server's wrapping
		return []any{map[string]any{"value": said}, map[string]any{"error": said, "success": false}, map[string]any{"output": said}}[n/8%3]
	}
	switch v := all[n%len(all)]; (n + n/len(all)) % 3 {
	case 0:
		return v
	case 1:
		return map[string]any{"text": said, "value": v}
	}
	return said
}

// object returns the next object of an operation. A text in it that is JSON stays a text.
func (w *writer) object(o Operation) map[string]any {
	said, all := w.data(o), campaign.Values()
	w.objects++
	return map[string]any{"text": said, "value": all[w.objects%len(all)], "written": `{"a": [1]}`}
}

func (w *writer) operation(o Operation) {
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
	case k.equal != "":
		w.equal(o, k.equal)
	default:
		for range o.Count {
			w.one(o)
		}
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
		switch w.texts % 4 {
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
		w.texts++
		w.part.user[0] += ": " + o.Sized(w.texts) + signs
		for range o.Count - 1 { // no white space is at the end of one of several, where a store may cut it
			w.part.user[len(w.part.user)-1] += "."
			w.texts++
			w.part.user = append(w.part.user, fmt.Sprintf("%d %s", w.texts, o.Sized(w.texts)))
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
		w.part.sweeps = o.Count
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
		w.addStep(model.ScriptStep{Fail: w.failure()})
	case "clean ends":
		w.addStep(model.ScriptStep{Ends: "clean"})
	case "said errors":
		w.addStep(model.ScriptStep{Ends: "error"})
	case "failing chunks":
		w.chunk("error", map[string]any{"error": *w.failure(), "recoverable": false})
	case "interruptions":
		reason := Operation{Class: campaign.Every, Size: 300}.Sized(w.texts)
		w.chunk("run_interrupted", map[string]any{"runId": "r1", "checkpointId": nil, "reason": fmt.Sprintf("reason %d: %s.", w.texts, reason)})
	case "pauses":
		w.pause()
	case "consents", "errands":
		w.wait(o)
	case "approvals":
		id := w.callID()
		w.chunk("tool_start", map[string]any{"toolCallId": id, "toolName": "pay", "arguments": map[string]any{"nok": 900.0}})
		w.chunk("tool_approval_request", map[string]any{"toolCallId": id, "toolName": "pay", "arguments": map[string]any{"nok": 900.0}})
	}
}

// failure returns the error text of a run; "" every other time.
func (w *writer) failure() *string {
	said := ""
	if w.failures++; w.failures%2 == 1 {
		said = fmt.Sprintf("failure %d", w.texts)
	}
	return &said
}

// equal does the same thing of a kind again and again. The same call returns something else each time.
func (w *writer) equal(o Operation, kind string) {
	if kind == "calls" {
		input := w.object(o)
		for range o.Count {
			w.addStep(model.ScriptStep{Tool: &model.Tool{Name: "weather", Arguments: input, Result: w.value(o)}})
		}
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

// callID returns the id of the next call that a chunk makes: the same in each turn.
func (w *writer) callID() string {
	w.part.calls++
	return fmt.Sprintf("chunk-%d", w.part.calls)
}

// one does one thing.
func (w *writer) one(o Operation) {
	switch o.Kind {
	case "texts":
		said := w.data(o)
		w.addStep(model.ScriptStep{Text: &said})
	case "empty texts":
		w.addStep(model.ScriptStep{Text: new(string)})
	case "thoughts":
		w.addStep(model.ScriptStep{Thinking: model.Reasoning{"thought " + w.data(o)}})
	case "halved thoughts":
		w.begin()
		w.texts++
		name := fmt.Sprintf("b%d", w.texts)
		w.part.moments[name] = Operation{Count: 1, Kind: []string{"barriers", "refreshes", "returns", "departures"}[w.texts%4]}
		w.addStep(model.ScriptStep{Thinking: model.Reasoning{"thought " + w.data(o), map[string]any{"await": name}, " and " + w.data(o)}})
	case "calls":
		input := w.object(o)
		if w.objects%5 == 4 {
			input = map[string]any{}
		}
		w.addStep(model.ScriptStep{Tool: &model.Tool{Name: fmt.Sprintf("tool_%d", w.texts%3), Arguments: input, Result: w.value(o)}})
	case "long outputs":
		w.addStep(model.ScriptStep{Tool: &model.Tool{Name: "read", Arguments: map[string]any{"page": float64(w.texts)}, Result: w.data(o)}})
	case "spellings":
		w.spell()
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
		w.chunk("text_delta", map[string]any{"delta": w.data(o)})
	case "thoughts in chunks":
		w.thinks(o)
	case "whole thoughts":
		thought := "thought " + w.data(o)
		for range 1 + w.texts%3/2 { // it may think the same once more
			w.chunk("thinking", map[string]any{"content": thought, "isComplete": true})
		}
	case "customs":
		w.texts++
		w.chunk("custom", map[string]any{"eventName": event(w.texts), "data": w.value(o)})
	case "patches":
		w.texts++
		w.chunk("state_patch", map[string]any{"patches": w.patches(o)})
	case "outputs":
		output := w.value(o)
		if w.texts%3 == 1 { // the result may be that there is nothing, or a text that is JSON
			output = []any{false, `{"a": [1]}`, nil, ""}[w.texts/3%4]
		}
		w.chunk("output", map[string]any{"output": output})
	case "strangers":
		w.strange(o)
	case "own parts", "own parts behind thoughts":
		w.applicationPart(o)
	case "passing errors":
		passing := map[string]any{"error": "passing " + w.data(o), "recoverable": true}
		if w.texts%2 == 0 {
			passing["code"] = fmt.Sprintf("code_%d", w.texts)
		}
		w.chunk("error", passing)
	default:
		w.manage(o)
	}
}

// concurrent runs calls concurrently: they end in another order than they start, and one of four fails. Long names have a
// common prefix, and differ in case or in characters that a path or a pattern interprets.
func (w *writer) concurrentCalls(o Operation) {
	var ids, names []string
	for range o.Count {
		w.texts++
		id, name := w.callID(), fmt.Sprintf([]string{"tool_%d", "mcp.files/read:%d", "outil é %d"}[w.texts%3], w.texts%2)
		if o.Kind == "calls with long names" {
			id = strings.Repeat("call/", 40) + []string{"A", "a", ":%*[", "%2F"}[w.texts%4] + id
			name = strings.Repeat("tool_", 16) + name
		}
		ids, names = append(ids, id), append(names, name)
		w.chunk("tool_start", map[string]any{"toolCallId": id, "toolName": name, "arguments": w.object(o)})
	}
	turned := w.texts%2 == 0
	for i := range ids {
		n := len(ids) - 1 - i
		if turned {
			n = (i + len(ids)/2) % len(ids)
		}
		end := map[string]any{"toolCallId": ids[n], "toolName": names[n], "success": true, "result": w.value(o)}
		if n%4 == 3 {
			end["success"], end["result"], end["error"] = false, nil, []string{"no such place", ""}[n/4%2]
		}
		w.chunk("tool_end", end)
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
