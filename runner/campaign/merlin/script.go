package merlin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// writer makes the acts of a script. Each text counts, so that no two are the same that aren't meant to be.
type writer struct {
	script   model.Script
	said     int
	index    int // of the content
	calls    int
	results  int
	cites    int
	barriers int
	thought  *model.Reasoning // the last one
	open     []string         // steps that nobody has ended
	done     []string
}

// script is what a program has a server do in one of its streams, whose texts are others than those of the streams beside it.
func (p Program) script(stream int) model.Script {
	w := &writer{script: model.Script{Version: p.version, Start: p.start}, said: stream * campaign.MostTimes * 3}
	for _, o := range p.operations {
		w.operation(o)
	}
	if w.script.Acts == nil {
		w.script.Acts = []model.Act{}
	}
	return w.script
}

func (w *writer) act(a model.Act) { w.script.Acts = append(w.script.Acts, a) }

// data is the next text of an operation.
func (w *writer) data(o Operation) string {
	w.said++
	return o.Sample(w.said)
}

func (w *writer) operation(o Operation) {
	switch o.Kind {
	case "calls", "calls in one event", "bare calls":
		w.call(o)
		return
	case "pieces of a call":
		w.pieces(o)
		return
	case "pieces of a result":
		w.result(w.answer(o, o.Count))
		return
	case "bytes a piece":
		w.act(model.Act{Split: &o.Count})
		return
	}
	same := ""
	if kinds[o.Kind].data {
		same = w.data(o)
	}
	for n := range o.Count {
		switch o.Kind {
		case "texts", "thoughts", "bare thoughts", "thoughts with a text", "empty texts", "sentences":
			w.speak(o)
		case "equal texts":
			w.text(same)
		case "citations":
			w.cite(w.data(o))
		case "equal citations":
			w.cited(n/3, same) // several times of one source, before it is of the next
			if n == 1 {        // other texts, which a server may take for the same
				for _, other := range campaign.Alike(same) {
					w.cited(n/3, other)
				}
			}
		case "citations ahead":
			w.ahead(o)
		case "twin steps":
			icon := ""
			if n == 0 { // which isn't the other twin's
				icon = "GLOBE"
			}
			w.create("twin "+same, icon)
		case "results", "hidden results", "results side by side":
			w.delegate(o)
		case "equal results":
			w.result(w.spoken(false, same, same))
		default:
			w.other(o)
		}
	}
}

func (w *writer) text(said string) {
	index := w.index
	w.act(model.Act{Delta: &model.Delta{Content: &said, Index: &index}})
}

// thoughts are indexes of thoughts.
var thoughts = []int{0, 1, 300}

// blanks are thoughts of white space alone.
var blanks = []string{" ", "\n\n", "\t", "\u00a0"}

// speak has the agent say or think something.
func (w *writer) speak(o Operation) {
	switch o.Kind {
	case "texts":
		w.text(w.data(o))
	case "empty texts":
		w.text("")
	case "sentences":
		w.index++
		w.text(w.data(o))
	case "thoughts":
		thought := "thought " + w.data(o)
		if w.said%7 == 3 { // what stands between two others is thought as well
			thought = blanks[w.said%len(blanks)]
		}
		r := &model.Reasoning{Text: thought, Index: thoughts[w.said%3]}
		if r.Index > 0 { // the same for all under one index, which a server may keep as one
			r.ID, r.Signature = fmt.Sprintf("r%d", r.Index), fmt.Sprintf("signature-%d", r.Index)
		}
		if w.said%11 == 5 && w.thought != nil { // as what is thought once more
			r = w.thought
		}
		w.thought = r
		w.act(model.Act{Delta: &model.Delta{Reasoning: r}})
	case "thoughts with a text":
		said := w.data(o)
		w.act(model.Act{Delta: &model.Delta{Content: &said, Reasoning: &model.Reasoning{Text: "thought " + said, Index: thoughts[w.said%3]}}})
	case "bare thoughts":
		w.act(model.Act{Delta: &model.Delta{Reasoning: &model.Reasoning{Signature: "x"}}})
	}
}

// halves has the model send a character in two events, a half in each.
func (w *writer) halves() {
	before, behind := fmt.Sprintf("%d half", w.said), fmt.Sprintf(" other %d", w.said)
	const event = "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n"
	w.act(model.Act{Bytes: fmt.Sprintf(event, before+`\ud83e`) + fmt.Sprintf(event, `\udded`+behind), Says: []string{before, behind}})
}

// within has something happen while the model is in the middle of an event.
func (w *writer) within(happens func()) {
	const before, behind = "data: {\"choices\":[{\"delta\":{\"content\":\"", "\"}}]}\n\n"
	w.act(model.Act{Bytes: before})
	happens()
	said := fmt.Sprintf("%d whole", w.said)
	w.act(model.Act{Bytes: said + behind, Says: []string{said}})
}

// spellings are other ways to write an event, as the standard has them: with line ends of two characters, without a space, on
// two lines, and behind a comment and an id.
var spellings = []string{
	"data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\r\n\r\n", "data:{\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n",
	"data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"%s\"}}]}\n\n", ": ping\nid: 7\ndata: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n",
}

// spell has the model write an event in one of the spellings, and in version 1 what a server writes itself.
func (w *writer) spell() {
	if w.script.Version == 1 && w.said%3 == 0 {
		w.text(fmt.Sprintf("[citation: 1: %d]", w.said))
	}
	said := fmt.Sprintf("spelling %d, not [DONE]", w.said) // which ends a stream only where it is all of an event
	said += strings.Repeat(".", w.said/len(spellings)%3)   // so that pieces of one length cut its line ends elsewhere
	w.act(model.Act{Bytes: fmt.Sprintf(spellings[w.said%len(spellings)], said), Says: []string{said}})
	if w.said%2 == 0 { // and what it used in the event of its last words
		last := fmt.Sprintf("last words %d", w.said)
		const event = "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}],\"usage\":{\"last_tokens\":%d}}\n\n"
		w.act(model.Act{Bytes: fmt.Sprintf(event, last, w.said), Says: []string{last}, Uses: map[string]any{"last_tokens": float64(w.said)}})
	}
}

// id is that of a call: every third one is long, and as many have signs that an address would read.
func id(prefix string, n int) string {
	out := fmt.Sprintf("%s_%d", prefix, n)
	switch n % 3 {
	case 1:
		out += "|fc/%2F:+"
	case 2:
		out += "_" + strings.Repeat("x", 200)
	}
	return out
}

// tool is the name of a tool: every fourth one is long.
func tool(n int) string {
	if n%4 == 3 {
		return fmt.Sprintf("mcp__%s.%d", strings.Repeat("files-", 16), n)
	}
	return fmt.Sprintf("tool_%d", n%4)
}

// noises say nothing: what is no event, what is no JSON, and events that hold nothing.
var noises = []string{
	": ping\n\n", "data: {not json}\n\n", ": data: {\"choices\":[{\"delta\":{\"content\":\"of a comment\"}}]}\n\n", "data:\n\n", "event: ping\n\n", "id: 7\nretry: 5\n\n",
	"data: null\n\n", "data: {}\n\n", "data: {\"choices\":[]}\n\n", "data: {\"choices\":[{\"delta\":{}}]}\n\n",
	"data: {\"choices\":[{\"delta\":{\"content\":null,\"role\":\"assistant\"},\"finish_reason\":null}]}\n\n", "database: {\"choices\":[{\"delta\":{\"content\":\"of another field\"}}]}\n\n",
}

// other does what is neither said nor cited.
func (w *writer) other(o Operation) {
	switch w.said++; o.Kind {
	case "usages":
		w.use(float64(w.said))
	case "noises":
		w.act(model.Act{Bytes: noises[w.said%len(noises)]})
	case "halves":
		w.halves()
	case "spellings":
		w.spell()
	case "barriers":
		w.barriers++
		wait := func() { w.act(model.Act{Await: fmt.Sprintf("b%d", w.barriers)}) }
		if w.said%2 == 0 {
			wait()
			return
		}
		w.within(wait)
	case "stray calls":
		w.act(model.Act{Delta: &model.Delta{Calls: []model.CallPart{{Index: 4000 + w.said, Function: model.Function{Arguments: "lost"}}}}})
	case "handoffs":
		w.act(model.Act{Handoff: fmt.Sprintf("agent-%d", w.said)})
	case "stops":
		w.act(model.Act{Stop: true})
	case "aborts":
		w.act(model.Act{Abort: true})
	default:
		w.manage(o)
	}
}

func (w *writer) progress(p model.Progress) { w.act(model.Act{Progress: &p}) }

func (w *writer) create(name, icon string) {
	w.progress(model.Progress{Do: "create", Step: name, Icon: icon})
	w.open = append(w.open, name)
}

// known reports whether there is a step of a name.
func (w *writer) known(name string) bool {
	return slices.Contains(w.open, name) || slices.Contains(w.done, name)
}

// manage does something with the event manager; there may be no step to do it with.
func (w *writer) manage(o Operation) {
	turn := func(names []string) string { return names[w.said%len(names)] }
	tags := func(name string) {
		first := w.data(o)
		w.progress(model.Progress{Do: "tags", Step: name, Tags: []string{first, w.data(o), first}})
	}
	switch {
	case o.Kind == "steps":
		w.create("step "+w.data(o), "")
	case o.Kind == "renamings":
		w.progress(model.Progress{Do: "rename", Name: fmt.Sprintf("title %d", w.said), Icon: "BOOK"})
	case o.Kind == "late tags" && len(w.done) > 0:
		tags(turn(w.done))
	case o.Kind == "latest steps" && len(w.done) > 0 && w.said%3 > 0:
		name := turn(w.done)
		w.done = slices.DeleteFunc(w.done, func(other string) bool { return other == name })
		w.open = append(w.open, name)
		icon := ""
		if w.said%2 == 0 { // another icon makes no other step of it
			icon = "MAP"
		}
		w.progress(model.Progress{Do: "latest", Step: name, Icon: icon})
	case o.Kind == "latest steps" && len(w.open) > 0 && w.said%6 == 3: // which goes on as it is
		w.progress(model.Progress{Do: "latest", Step: turn(w.open)})
	case o.Kind == "latest steps":
		name := fmt.Sprintf("new step %d", w.said)
		if len(w.open) > 0 && w.said%2 == 0 { // another name than that of the step that is there
			all := campaign.Alike(w.open[0])
			if other := all[w.said/2%len(all)]; !w.known(other) {
				name = other
			}
		}
		w.open = append(w.open, name)
		w.progress(model.Progress{Do: "latest", Step: name})
	case len(w.open) == 0:
	case o.Kind == "values":
		values := []any{w.value(o)}
		switch {
		case w.said%4 == 0: // a value may come twice
			values = append(values, values[0])
		case w.said%32 == 9 && o.Size < 100:
			for range 12 {
				values = append(values, w.value(o))
			}
		}
		w.progress(model.Progress{Do: "send", Step: turn(w.open), Values: values})
	case o.Kind == "tags":
		tags(turn(w.open))
	case o.Kind == "ended steps":
		name := w.open[0]
		w.open = w.open[1:]
		w.done = append(w.done, name)
		w.progress(model.Progress{Do: "end", Step: name})
	}
}

// value is one of a step: a text, an address, or what an application means.
func (w *writer) value(o Operation) map[string]any {
	said := w.data(o)
	if w.said%11 == 7 {
		said = ""
	}
	switch w.said % 3 {
	case 0:
		return map[string]any{"type": "URL", "value": said, "title": nil}
	case 1:
		all := campaign.Values()
		return map[string]any{"type": "JSON", "value": map[string]any{"text": said, "rows": []any{1.0, nil, false}, "none": nil, "any": all[w.said/3%len(all)]}}
	}
	return map[string]any{"type": "TEXT", "value": said}
}

// use has the model say what it used, some of it in an object that is the same each time: how deep a server merges is its choice.
func (w *writer) use(n float64) {
	usage := map[string]any{"total_tokens": n, "left_tokens": 1_000_000 - n, fmt.Sprintf("tokens_%d", w.said%3): n, "details": map[string]any{"cached_tokens": 3.0}}
	usage["even_tokens"], usage["odd_tokens"] = 0.0, n // one of them ends at 0
	if w.said%2 == 1 {
		usage["even_tokens"], usage["odd_tokens"] = n, 0.0
	}
	w.act(model.Act{Usage: usage})
}

// call has the model call tools: each begins by itself, the last one first in every other row, and all go on by turns.
func (w *writer) call(o Operation) {
	var begun, rest []model.CallPart
	for range o.Count {
		n := w.calls
		w.calls++
		begun = append(begun, model.CallPart{
			Index: n, Type: "function", ID: id("call", n), Function: model.Function{Name: tool(n)},
		})
		if o.Kind != "bare calls" {
			rest = append(rest, model.CallPart{Index: n, Function: model.Function{Arguments: w.data(o)}})
		}
	}
	if w.said++; w.said%2 == 0 {
		slices.Reverse(begun)
	}
	if o.Kind == "calls in one event" {
		said, index := w.data(o), w.index
		d := model.Delta{Content: &said, Index: &index, Calls: append(begun, rest[:len(rest)/2]...)} // some go on at once
		w.whole(d)
		w.act(model.Act{Delta: &model.Delta{Calls: rest[len(rest)/2:]}})
		return
	}
	for _, parts := range [][]model.CallPart{begun, rest, rest} {
		for _, part := range parts {
			w.act(model.Act{Delta: &model.Delta{Calls: []model.CallPart{part}}})
		}
	}
}

// whole has the model send an event with all that a model may say in one: what it used as well.
func (w *writer) whole(d model.Delta) {
	delta, err := json.Marshal(d)
	if err != nil {
		panic(err) // texts and numbers
	}
	w.act(model.Act{
		Bytes: fmt.Sprintf("data: {\"choices\":[{\"delta\":%s}],\"usage\":{\"last_tokens\":%d}}\n\n", delta, w.said), Holds: &d,
		Uses: map[string]any{"last_tokens": float64(w.said)},
	})
}

// pieces has the model call one tool, whose arguments come in many events.
func (w *writer) pieces(o Operation) {
	n := w.calls
	w.calls += 3 // an index may be missing
	w.act(model.Act{Delta: &model.Delta{Calls: []model.CallPart{{Index: n, Type: "function", ID: id("call", n), Function: model.Function{Name: "tool"}}}}})
	for i := range o.Count {
		w.act(model.Act{Delta: &model.Delta{Calls: []model.CallPart{{Index: n, Function: model.Function{Arguments: w.data(o)}}}}})
		if i%50 == 0 { // an empty piece ends nothing
			w.act(model.Act{Delta: &model.Delta{Calls: []model.CallPart{{Index: n}}}})
		}
	}
}
