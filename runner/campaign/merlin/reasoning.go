package merlin

import (
	"fmt"

	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// reasoningIndexes are indexes of reasoning.
var reasoningIndexes = []int{0, 1, 300}

// blanks are reasoning texts of white space alone.
var blanks = []string{" ", "\n\n", "\t", "\u00a0"}

// thinking writes the reasoning of a model.
type thinking struct{ *writer }

// think has the model think something.
func (w thinking) think(o Operation) {
	thought := "thought " + w.data(o)
	if w.texts%7 == 3 { // text between two thoughts is also thought
		thought = blanks[w.texts%len(blanks)]
	}
	r := &model.Reasoning{Text: thought, Index: reasoningIndexes[w.texts%3]}
	if r.Index > 0 { // the same for all under one index, which a server may keep as one
		r.ID, r.Signature = fmt.Sprintf("r%d", r.Index), fmt.Sprintf("signature-%d", r.Index)
	}
	if w.texts%11 == 5 && w.reasoning != nil { // repeats a thought
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
// with the last one, or alone after it. Every third one has another reasoning block between its pieces.
func (w thinking) sign(o Operation) {
	signed := func() (first, last model.Reasoning) {
		index := firstSigned + w.signed
		w.signed++
		first = model.Reasoning{Text: "thought " + w.data(o), Index: index, ID: fmt.Sprintf("signed-%d", index)}
		return first, model.Reasoning{Text: ", and more", Index: index, Signature: fmt.Sprintf("signature-%d", index)}
	}
	all := make([][2]model.Reasoning, 1+w.signed%3/2)
	for i := range all {
		all[i][0], all[i][1] = signed()
	}
	for _, one := range all {
		w.thinks(one[0])
	}
	for _, one := range all {
		if last := one[1]; last.Index%2 == 0 {
			w.thinks(model.Reasoning{Text: last.Text, Index: last.Index})
			w.thinks(model.Reasoning{Index: last.Index, Signature: last.Signature})
		} else {
			w.thinks(last)
		}
	}
}
