package merlin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// id returns the id of the nth call: by one in three choices it is long, and by as many it has characters that a URL
// interprets.
func id(prefix string, n, choice int) string {
	out := fmt.Sprintf("%s_%d", prefix, n)
	switch choice % 3 {
	case 1:
		out += "|fc/%2F:+"
	case 2:
		out += "_" + strings.Repeat("x", 200)
	}
	return out
}

// tool returns the name of a tool: by one in four choices it is long.
func tool(n, choice int) string {
	if choice%4 == 3 {
		return fmt.Sprintf("mcp__%s.%d", strings.Repeat("files-", 16), n)
	}
	return fmt.Sprintf("tool_%d", choice%4)
}

// beginnings are prefixes of arguments. Those that are valid JSON are continued, too.
var beginnings = []string{"{}", "[", "null", " ", "{\"at\":"}

// call has the model call tools: each begins by itself, by every other choice the last one first, and all go on by turns.
func (w *writer) call(o Operation) {
	var first, rest []model.CallPart
	w.each(o, func(o Operation) {
		n, before := w.calls, w.callID
		w.called = n
		w.calls++
		w.callID = id("call", n, o.Choice)
		one := model.CallPart{Index: n, Type: "function", ID: w.callID, Function: model.Function{Name: tool(n, o.Choice)}}
		if o.Kind == "begun calls" {
			one.Function.Arguments = beginnings[o.Choice%len(beginnings)]
			if o.Choice%2 == 1 { // two of one id, as of models that have no ids but names
				one.ID = cmp.Or(before, one.ID)
			}
		}
		first = append(first, one)
		if o.Kind != "bare calls" {
			rest = append(rest, model.CallPart{Index: n, Function: model.Function{Arguments: w.data(o)}})
		}
	})
	if w.texts++; o.Choice%2 == 0 {
		slices.Reverse(first)
	}
	if o.Kind == "calls in one event" {
		said, index := w.data(o), w.index
		d := model.Delta{Content: &said, Index: &index, Calls: append([]model.CallPart{orphan(w.texts)}, append(first, rest[:len(rest)/2]...)...)} // some go on at once
		if o.Choice/2%2 == 0 {
			d.Reasoning = &model.Reasoning{Text: fmt.Sprintf("thought %d beside calls", w.texts), Index: reasoningIndexes[0]}
		}
		if web := (citations{w}).sources(); web > 0 {
			d.Citation = &model.Citation{Document: turn(o.Choice) % web, Text: fmt.Sprintf("%d beside calls", w.texts)}
		}
		w.allKinds(d)
		w.addStep(model.ScriptStep{Delta: &model.Delta{Calls: rest[len(rest)/2:]}})
		return
	}
	for _, parts := range [][]model.CallPart{first, rest, rest} {
		for _, part := range parts {
			w.addStep(model.ScriptStep{Delta: &model.Delta{Calls: []model.CallPart{part}}})
		}
	}
}

// orphan continues a call that never started.
func orphan(number int) model.CallPart {
	return model.CallPart{Index: 4000 + number, Function: model.Function{Arguments: "lost"}}
}

// allKinds makes the model send one event with all kinds of content, and usage.
func (w *writer) allKinds(d model.Delta) {
	delta, err := json.Marshal(d)
	if err != nil {
		panic(err) // texts and numbers
	}
	w.addStep(model.ScriptStep{
		Bytes: fmt.Sprintf("data: {\"choices\":[{\"delta\":%s}],\"usage\":{\"last_tokens\":%d}}\n\n", delta, w.texts), InBytes: &d,
		Uses: map[string]any{"last_tokens": float64(w.texts)},
	})
}

// startEvent starts a call and has no member for its arguments.
const startEvent = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":%d,\"type\":\"function\",\"id\":%q,\"function\":{\"name\":\"tool\"}}]}}]}\n\n"

// pieces makes the model call one tool, whose arguments come in many events. The first ones are valid JSON by themselves.
func (w *writer) pieces(o Operation) {
	n := w.calls
	w.called, w.callID = n, id("call", n, o.Choice)
	w.calls += 3 // an index may be missing
	first := model.CallPart{Index: n, Type: "function", ID: w.callID, Function: model.Function{Name: "tool"}}
	w.addStep(model.ScriptStep{Bytes: fmt.Sprintf(startEvent, n, first.ID), InBytes: &model.Delta{Calls: []model.CallPart{first}}})
	w.addStep(model.ScriptStep{Delta: &model.Delta{Calls: []model.CallPart{{Index: n, Function: model.Function{Arguments: "{}"}}}}})
	begins := o.Choice
	w.each(o, func(o Operation) {
		w.addStep(model.ScriptStep{Delta: &model.Delta{Calls: []model.CallPart{{Index: n, Function: model.Function{Arguments: w.data(o)}}}}})
		if (o.Choice-begins)%50 == 0 { // an empty piece ends nothing
			w.addStep(model.ScriptStep{Delta: &model.Delta{Calls: []model.CallPart{{Index: n}}}})
			w.addStep(model.ScriptStep{Delta: &model.Delta{Calls: []model.CallPart{{Index: n, ID: first.ID, Function: first.Function}}}}) // as of models that name it each time
		}
	})
}
