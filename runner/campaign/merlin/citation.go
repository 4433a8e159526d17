package merlin

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// citations writes the citations of a model.
type citations struct{ *writer }

// cite has the model cite the sources on the web by turns, and the first one by every other choice.
func (w citations) cite(o Operation, text string) { w.cited(o, turn(o.Choice), text) }

// turn returns the number of the source of a citation.
func turn(choice int) int { return choice % 2 * (choice / 2) }

// alike makes the model cite other texts of the first source than the given one, which a server may confuse with it: one
// before its mark, and the others after.
func (w citations) alike(o Operation, text string) {
	for i, other := range campaign.Alike(text) {
		if i == 1 {
			w.index++
			w.text(fmt.Sprintf("%d between", w.texts))
		}
		w.cited(o, 0, other)
	}
}

// forNextText makes the model cite for the text that comes next, by every other choice before it cites another source for
// the text that came last: that one is expected first, when the next text begins.
func (w citations) forNextText(o Operation) {
	w.index++
	w.cite(o, w.data(o))
	w.index--
	w.text(w.data(o)) // citations for the next text don't apply here
	w.index++
	if w.sources() < 2 || o.Choice%4 > 1 { // texts of one source could be numbered as they come or as they are sent
		return
	}
	w.index--
	w.cited(o, turn(o.Choice)+1, w.data(o))
	w.index++
	w.begin(o)
}

// astray makes the model cite a missing document, unless another citation waits. A server may leave that out, or show it.
func (w citations) astray(o Operation) {
	w.index++
	w.text(fmt.Sprintf("%d before", w.texts)) // never empty, so that it begins
	index := w.index
	w.addStep(model.ScriptStep{Delta: &model.Delta{Index: &index, Citation: &model.Citation{Document: w.sources() + o.Choice%3, Text: w.data(o)}}})
	w.index++
	w.text(fmt.Sprintf("%d behind", w.texts))
}

// sources returns the number of web sources.
func (w citations) sources() (web int) {
	for _, a := range w.script.Attachments {
		if a.Type == "web" {
			web++
		}
	}
	return web
}

// cited has the model cite the nth source on the web, counted round and round; there may be none.
func (w citations) cited(o Operation, n int, text string) {
	web := w.sources()
	if web == 0 {
		return
	}
	if o.Choice%5 == 1 { // a text that is the name of something else in many languages
		text = ofObjects[o.Choice/5%len(ofObjects)]
	}
	index := w.index
	d := model.Delta{Index: &index, Citation: &model.Citation{Document: n % web, Text: text}}
	switch o.Choice % 4 {
	case 1:
		d.Reasoning = &model.Reasoning{Text: fmt.Sprintf("thought %d beside", w.texts)}
	case 3: // a text of the event comes before the citation in it
		said := fmt.Sprintf("%d cited", w.texts)
		d.Content = &said
	}
	w.addStep(model.ScriptStep{Delta: &d})
}
