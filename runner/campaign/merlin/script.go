package merlin

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// writer makes a script. It numbers texts, so that no two are the same unless intended.
type writer struct {
	script    model.Script
	texts     int
	index     int // of the content
	calls     int
	called    int // index of the call that began last
	results   int
	cites     int
	barriers  int
	reasoning *model.Reasoning // the last one
	signed    int              // number of signed reasoning blocks so far
	agents    int              // agents that continued after another one
	leaves    string           // the barrier at which a client leaves
	usual     []string         // spellings that aren't used
	open      []string         // steps that haven't ended
	done      []string
	tagged    map[string]string // the last tag of a step

	// Methods, grouped by subject.
	delegations delegations
	thinking    thinking
	citations   citations
	steps       steps
}

// script returns the script of one of the program's streams, and the barrier at which its client disconnects, "" for none.
// The texts differ from stream to stream.
func (p Program) script(stream int) (script model.Script, leaves string) {
	w := &writer{usual: p.usual, script: model.Script{Version: p.version, Start: p.start}, texts: stream * campaign.MostTimes * 3, tagged: map[string]string{}}
	w.delegations, w.thinking, w.citations, w.steps = delegations{w}, thinking{w}, citations{w}, steps{w}
	for _, o := range p.operations {
		w.operation(o)
	}
	if w.script.Steps == nil {
		w.script.Steps = []model.ScriptStep{}
	}
	return w.script, w.leaves
}

func (w *writer) addStep(a model.ScriptStep) { w.script.Steps = append(w.script.Steps, a) }

// data returns the next text of an operation.
func (w *writer) data(o Operation) string {
	w.texts++
	return o.Sample(w.texts)
}

func (w *writer) operation(o Operation) {
	switch o.Kind {
	case "calls", "calls in one event", "bare calls", "begun calls":
		w.call(o)
		return
	case "pieces of a call":
		w.pieces(o)
		return
	case "pieces of a result":
		w.delegations.result(w.delegations.answer(o, o.Count))
		return
	case "bytes a piece":
		w.addStep(model.ScriptStep{Split: &o.Count})
		return
	}
	same := ""
	if kinds[o.Kind].data {
		same = w.data(o)
	}
	for n := range o.Count {
		switch o.Kind {
		case "texts", "thoughts", "bare thoughts", "signed thoughts", "thoughts with a text", "empty texts", "sentences":
			w.speak(o)
		case "hurried texts":
			w.hurry(o)
		case "equal texts":
			w.text(same)
		case "citations":
			w.citations.cite(w.data(o))
		case "equal citations":
			w.citations.cited(n/3, same) // several times of one source, before it is of the next
			if n == 1 {
				w.citations.alike(same)
			}
		case "citations ahead":
			w.citations.forNextText(o)
		case "citations of nothing":
			w.citations.astray(o)
		case "twin steps":
			icon := ""
			if n == 0 { // which isn't the other twin's
				icon = "GLOBE"
			}
			w.steps.create("twin "+same, icon)
		case "results", "hidden results", "results side by side":
			w.delegations.delegate(o)
		case "equal results":
			w.delegations.result(w.delegations.spoken(false, same, same))
		default:
			w.other(o)
		}
	}
}

func (w *writer) text(said string) {
	index := w.index
	w.addStep(model.ScriptStep{Delta: &model.Delta{Content: &said, Index: &index}})
}

// hurry makes the agent emit a text with so much after it that the server sends it as fast as it can.
func (w *writer) hurry(o Operation) {
	w.text(w.data(o))
	for range 14 {
		w.texts++
		w.text(fmt.Sprintf("%d ", w.texts))
	}
}

// speak has the agent say or think something.
func (w *writer) speak(o Operation) {
	switch o.Kind {
	case "texts":
		w.text(w.data(o))
	case "empty texts":
		w.empty()
	case "sentences":
		w.index++
		w.begin(o)
	case "thoughts":
		w.thinking.think(o)
	case "signed thoughts":
		w.thinking.sign(o)
	case "thoughts with a text":
		said := w.data(o)
		w.addStep(model.ScriptStep{Delta: &model.Delta{Content: &said, Reasoning: &model.Reasoning{Text: "thought " + said, Index: reasoningIndexes[w.texts%3]}}})
	case "bare thoughts":
		d := model.Delta{Reasoning: &model.Reasoning{Signature: "x"}}
		if w.texts++; w.texts%2 == 0 {
			said := fmt.Sprintf("%d beside a signature", w.texts)
			d.Content = &said
		}
		w.addStep(model.ScriptStep{Delta: &d})
	}
}

// begin has the agent say a text that begins a content index: every third one is white space alone.
func (w *writer) begin(o Operation) {
	said := w.data(o)
	if w.texts%3 == 1 {
		said = blanks[w.texts/3%len(blanks)]
	}
	w.text(said)
}

// splitPoints lists ends of a text and beginnings of the next one that a server may combine: a line end, a character, or
// the server's syntax.
var splitPoints = [][2]string{
	{"\r", "\n"}, {"e", "\u0301"}, {"\U0001F468", "\u200d\U0001F469"}, {"&am", "p;"}, {"[citation: 1", ": 1]"}, {"\\", "n"}, {"[DO", "NE]"},
	{"\n\ndata: {", "}\n\n"}, {" ", " "}, {"\n", "\n"},
}

// empty makes the model send empty texts, with reasoning or without, or between two texts that belong to each other.
func (w *writer) empty() {
	nothing, seam := "", splitPoints[w.texts/3%len(splitPoints)]
	switch w.texts++; w.texts % 3 {
	case 0:
		w.text(nothing)
	case 1:
		w.addStep(model.ScriptStep{Delta: &model.Delta{Content: &nothing, Reasoning: &model.Reasoning{Text: fmt.Sprintf("thought %d beside nothing", w.texts), Index: reasoningIndexes[0]}}})
	case 2:
		w.text(fmt.Sprintf("%d %s", w.texts, seam[0]))
		w.text(nothing)
		w.text(fmt.Sprintf("%s %d", seam[1], w.texts))
	}
}

// halves has the model send a character in two events, a half in each.
func (w *writer) halves() {
	before, behind := fmt.Sprintf("%d half", w.texts), fmt.Sprintf(" other %d", w.texts)
	const event = "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n"
	w.addStep(model.ScriptStep{Bytes: fmt.Sprintf(event, before+`\ud83e`) + fmt.Sprintf(event, `\udded`+behind), Texts: []string{before, behind}})
}

// half has the model send the first half of a character, and never the second.
func (w *writer) half() {
	before := fmt.Sprintf("%d alone", w.texts)
	w.addStep(model.ScriptStep{Bytes: fmt.Sprintf("data: {\"choices\":[{\"delta\":{\"content\":\"%s\\ud83e\"}}]}\n\n", before), Texts: []string{before}})
}

// lastWords makes the model send its end marker and then its usage, as models do. Some send a replacement character, as if
// their input was damaged.
func (w *writer) lastWords() {
	said := fmt.Sprintf("%d and done", w.texts)
	if w.texts%2 == 0 {
		said += "\ufffd"
	}
	const event = "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"},\"finish_reason\":\"stop\"}],\"usage\":null}\n\n"
	w.addStep(model.ScriptStep{Bytes: fmt.Sprintf(event, said), Texts: []string{said}})
	w.use(float64(w.texts))
}

// within has something happen while the model is in the middle of an event.
func (w *writer) within(happens func()) {
	const before, behind = "data: {\"choices\":[{\"delta\":{\"content\":\"", "\"}}]}\n\n"
	w.addStep(model.ScriptStep{Bytes: before})
	happens()
	said := fmt.Sprintf("%d whole", w.texts)
	w.addStep(model.ScriptStep{Bytes: said + behind, Texts: []string{said}})
}

// noises are ignored: bytes that are no event, invalid JSON, and empty events.
var noises = []string{
	": ping\n\n", "data: {not json}\n\n", ": data: {\"choices\":[{\"delta\":{\"content\":\"of a comment\"}}]}\n\n", "data:\n\n", "event: ping\n\n", "id: 7\nretry: 5\n\n",
	"data: null\n\n", "data: {}\n\n", "data: {\"choices\":[]}\n\n", "data: {\"choices\":[{\"delta\":{}}]}\n\n",
	"data: {\"choices\":[{\"delta\":{\"content\":null,\"role\":\"assistant\"},\"finish_reason\":null}]}\n\n", "database: {\"choices\":[{\"delta\":{\"content\":\"of another field\"}}]}\n\n",
	"data: {\"choices\":[{\"delta\":{\"content\":\"\",\"reasoning\":null,\"tool_calls\":null},\"finish_reason\":null}],\"usage\":null}\n\n",
}

// other performs operations that are neither text nor citations.
func (w *writer) other(o Operation) {
	switch w.texts++; o.Kind {
	case "usages":
		w.use(float64(w.texts))
	case "noises":
		w.addStep(model.ScriptStep{Bytes: noises[w.texts%len(noises)]})
	case "halves":
		w.halves()
	case "lone halves":
		w.half()
	case "last words":
		w.lastWords()
	case "spellings":
		w.spell()
	case "departures":
		w.barriers++
		w.leaves = fmt.Sprintf("b%d", w.barriers)
		w.addStep(model.ScriptStep{Await: w.leaves})
	case "barriers":
		w.barriers++
		wait := func() { w.addStep(model.ScriptStep{Await: fmt.Sprintf("b%d", w.barriers)}) }
		if w.texts%2 == 0 {
			wait()
			return
		}
		w.within(wait)
	case "stray calls":
		w.addStep(model.ScriptStep{Delta: &model.Delta{Calls: []model.CallPart{w.orphan()}}})
	case "handoffs":
		w.delegations.handoff()
	case "stops":
		w.addStep(model.ScriptStep{Stop: true})
	case "aborts":
		w.addStep(model.ScriptStep{Abort: true})
	case "clean ends":
		w.addStep(model.ScriptStep{Ends: "clean"})
	case "said errors":
		w.addStep(model.ScriptStep{Ends: "error"})
	case "slow readers": // as the one who asks does
	default:
		w.steps.manage(o)
	}
}

// use makes the model send its usage, some of it in an object that is the same each time: the depth to which a server
// merges is its choice.
func (w *writer) use(n float64) {
	usage := map[string]any{"total_tokens": n, "left_tokens": 1_000_000 - n, fmt.Sprintf("tokens_%d", w.texts%3): n, "details": map[string]any{"cached_tokens": 3.0}}
	usage["cost"], usage["tier"], usage["batched"] = n/8192, fmt.Sprintf("tier %d", w.texts), w.texts%2 == 0 // not all that is used is counted
	usage["even_tokens"], usage["odd_tokens"] = 0.0, n                                                       // one of them ends at 0
	if w.texts%2 == 1 {
		usage["even_tokens"], usage["odd_tokens"] = n, 0.0
	}
	w.addStep(model.ScriptStep{Usage: usage})
}
