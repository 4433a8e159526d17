package merlin

import (
	"fmt"

	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// writer makes a script. It numbers texts, so that no two are the same unless intended.
type writer struct {
	script    model.Script      // the steps so far
	texts     int               // number of the latest text
	first     int               // texts before the item of an operation that is written
	index     int               // of the content
	calls     int               // index of the next call
	called    int               // index of the call that began last
	callID    string            // its id, "" before the first call
	results   int               // given so far; the number of the next one
	barriers  int               // of the script so far; the number of the latest one
	reasoning *model.Reasoning  // the last one
	signed    int               // number of signed reasoning blocks so far
	agents    int               // agents that continued after another one
	leaves    string            // the barrier at which a client leaves
	usual     []string          // spellings that aren't used
	open      []string          // steps that haven't ended
	done      []string          // steps that have ended, in order
	tagged    map[string]string // the last tag of a step
}

func (w *writer) addStep(a model.ScriptStep) { w.script.Steps = append(w.script.Steps, a) }

// each writes the items of an operation, each by its choice.
func (w *writer) each(o Operation, write func(Operation)) {
	for range o.Count {
		w.first = w.texts
		write(o)
		o.Choice++
	}
}

// data returns the next text of an item.
func (w *writer) data(o Operation) string {
	nth := w.texts - w.first
	w.texts++
	return o.Sample(nth, w.texts)
}

func (w *writer) text(said string) {
	index := w.index
	w.addStep(model.ScriptStep{Delta: &model.Delta{Content: &said, Index: &index}})
}

// within has something happen while the model is in the middle of an event.
func (w *writer) within(happens func()) {
	const before, behind = "data: {\"choices\":[{\"delta\":{\"content\":\"", "\"}}]}\n\n"
	w.addStep(model.ScriptStep{Bytes: before})
	happens()
	said := fmt.Sprintf("%d whole", w.texts)
	w.addStep(model.ScriptStep{Bytes: said + behind, Texts: []string{said}})
}

// use makes the model send its usage, some of it in an object that is the same each time: the depth to which a server
// merges is its choice.
func (w *writer) use(o Operation) {
	n := float64(w.texts)
	usage := map[string]any{"total_tokens": n, "left_tokens": 1_000_000 - n, fmt.Sprintf("tokens_%d", o.Choice%3): n, "details": map[string]any{"cached_tokens": 3.0}}
	usage["cost"], usage["tier"], usage["batched"] = n/8192, fmt.Sprintf("tier %d", w.texts), o.Choice%2 == 0 // not all that is used is counted
	usage["even_tokens"], usage["odd_tokens"] = 0.0, n                                                        // one of them ends at 0
	if o.Choice%2 == 1 {
		usage["even_tokens"], usage["odd_tokens"] = n, 0.0
	}
	w.addStep(model.ScriptStep{Usage: usage})
}

// blanks are reasoning texts of white space alone.
var blanks = []string{" ", "\n\n", "\t", "\u00a0"}

// begin has the agent say a text that begins a content index: by one in three choices white space alone.
func (w *writer) begin(o Operation) {
	said := w.data(o)
	if o.Choice%3 == 1 {
		said = blanks[o.Choice/3%len(blanks)]
	}
	w.text(said)
}

// ofObjects are names of members that every object or list has in JavaScript.
var ofObjects = []string{"constructor", "__proto__", "toString", "length", "0"}

// reasoningIndexes are indexes of reasoning.
var reasoningIndexes = []int{0, 1, 300}
