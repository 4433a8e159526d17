package merlin

import (
	"fmt"

	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// thinking writes the reasoning of a model.
type thinking struct{ *writer }

// think has the model think something.
func (w thinking) think(o Operation) {
	thought := "thought " + w.data(o)
	if o.Choice%7 == 3 { // text between two thoughts is also thought
		thought = blanks[o.Choice%len(blanks)]
	}
	r := &model.Reasoning{Text: thought, Index: reasoningIndexes[o.Choice%3]}
	if r.Index > 0 { // the same for all under one index, which a server may keep as one
		r.ID, r.Signature = fmt.Sprintf("r%d", r.Index), fmt.Sprintf("signature-%d", r.Index)
	}
	if o.Choice%11 == 5 && w.reasoning != nil { // repeats a thought
		r = w.reasoning
	}
	w.reasoning = r
	w.thinks(*r)
}

func (w thinking) thinks(r model.Reasoning) {
	w.addStep(model.ScriptStep{Delta: &model.Delta{Reasoning: &r}})
}

// firstSigned is greater than every index of unsigned reasoning.
const firstSigned = 1000

// sign makes the model send reasoning in pieces under a new index: its id comes with the first piece, and its signature
// with the last one, or alone after it. By one in three choices another reasoning block is between its pieces.
func (w thinking) sign(o Operation) {
	signed := func() (first, last model.Reasoning) {
		index := firstSigned + w.signed
		w.signed++
		first = model.Reasoning{Text: "thought " + w.data(o), Index: index, ID: fmt.Sprintf("signed-%d", index)}
		return first, model.Reasoning{Text: ", and more", Index: index, Signature: fmt.Sprintf("signature-%d", index)}
	}
	all := make([][2]model.Reasoning, 1+o.Choice%3/2)
	for i := range all {
		all[i][0], all[i][1] = signed()
	}
	for _, one := range all {
		w.thinks(one[0])
	}
	for i, one := range all {
		if last := one[1]; (o.Choice+i)%2 == 0 {
			w.thinks(model.Reasoning{Text: last.Text, Index: last.Index})
			w.thinks(model.Reasoning{Index: last.Index, Signature: last.Signature})
		} else {
			w.thinks(last)
		}
	}
}
