package merlin

import (
	"fmt"

	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// speak has the agent say or think something.
func (w *writer) speak(o Operation) {
	switch o.Kind {
	case "texts":
		w.text(w.data(o))
	case "empty texts":
		w.empty(o)
	case "sentences":
		w.index++
		w.begin(o)
	case "thoughts":
		thinking{w}.think(o)
	case "signed thoughts":
		thinking{w}.sign(o)
	case "thoughts with a text":
		said := w.data(o)
		w.addStep(model.ScriptStep{Delta: &model.Delta{Content: &said, Reasoning: &model.Reasoning{Text: "thought " + said, Index: reasoningIndexes[o.Choice%3]}}})
	case "bare thoughts":
		d := model.Delta{Reasoning: &model.Reasoning{Signature: "x"}}
		if w.texts++; o.Choice%2 == 0 {
			said := fmt.Sprintf("%d beside a signature", w.texts)
			d.Content = &said
		}
		w.addStep(model.ScriptStep{Delta: &d})
	}
}

// splitPoints lists ends of a text and beginnings of the next one that a server may combine: a line end, a character, or
// the server's syntax.
var splitPoints = [][2]string{
	{"\r", "\n"}, {"e", "\u0301"}, {"\U0001F468", "\u200d\U0001F469"}, {"&am", "p;"}, {"[citation: 1", ": 1]"}, {"\\", "n"}, {"[DO", "NE]"},
	{"\n\ndata: {", "}\n\n"}, {" ", " "}, {"\n", "\n"},
}

// empty makes the model send empty texts, with reasoning or without, or between two texts that belong to each other.
func (w *writer) empty(o Operation) {
	nothing, seam := "", splitPoints[o.Choice/3%len(splitPoints)]
	switch w.texts++; o.Choice % 3 {
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

// hurry makes the agent emit a text with so much after it that the server sends it as fast as it can.
func (w *writer) hurry(o Operation) {
	w.text(w.data(o))
	for range 14 {
		w.texts++
		w.text(fmt.Sprintf("%d ", w.texts))
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
func (w *writer) lastWords(o Operation) {
	said := fmt.Sprintf("%d and done", w.texts)
	if o.Choice%2 == 0 {
		said += "\ufffd"
	}
	const event = "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"},\"finish_reason\":\"stop\"}],\"usage\":null}\n\n"
	w.addStep(model.ScriptStep{Bytes: fmt.Sprintf(event, said), Texts: []string{said}})
	w.use(o)
}

// noises are ignored: bytes that are no event, invalid JSON, and empty events.
var noises = []string{
	": ping\n\n", "data: {not json}\n\n", ": data: {\"choices\":[{\"delta\":{\"content\":\"of a comment\"}}]}\n\n", "data:\n\n", "event: ping\n\n", "id: 7\nretry: 5\n\n",
	"data: null\n\n", "data: {}\n\n", "data: {\"choices\":[]}\n\n", "data: {\"choices\":[{\"delta\":{}}]}\n\n",
	"data: {\"choices\":[{\"delta\":{\"content\":null,\"role\":\"assistant\"},\"finish_reason\":null}]}\n\n", "database: {\"choices\":[{\"delta\":{\"content\":\"of another field\"}}]}\n\n",
	"data: {\"choices\":[{\"delta\":{\"content\":\"\",\"reasoning\":null,\"tool_calls\":null},\"finish_reason\":null}],\"usage\":null}\n\n",
}
