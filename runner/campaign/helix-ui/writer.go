package helixui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
)

// The transports of a request for an answer.
const (
	overGzip  = "gzip"
	overHTTP2 = "HTTP/2"
)

// setup is a turn with its script.
type setup struct {
	turn
	script  model.Script         // compiled from the operations of turn
	user    []string             // text parts of the user's message
	members any                  // metadata of the user's message; nil for none
	moments map[string]Operation // operations by the barrier at which they are played
	calls   int                  // calls made in chunks: their ids restart in each turn
	sweeps  Operation            // readers that come back once the turn is over; none by default
	quiet   bool                 // no reader comes back once the turn is over
	slow    bool                 // who asks takes little at a time
	// transport is the transport of the request for the answer: overGzip, overHTTP2, or "" for neither.
	transport string
}

// writer makes the scripts of a program's turns. It numbers texts, so that no two are the same unless intended.
type writer struct {
	most  int // bytes of a text
	texts int // number of the latest text
	first int // texts before the item of an operation that is written
	from  int // steps of the turn before it

	usual     []string         // spellings of the model's events that aren't used
	part      *setup           // the turn that is written
	userTexts map[int][]string // the user's last message of a chat
}

func (w *writer) addStep(a model.ScriptStep) { w.part.script.Steps = append(w.part.script.Steps, a) }

// each writes the items of an operation, each by its choice.
func (w *writer) each(o Operation, write func(Operation)) {
	for range o.Count {
		w.first, w.from = w.texts, len(w.part.script.Steps)
		write(o)
		o.Choice++
	}
}

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

// data returns the next text of an item. Where it is of every class, one of seven is treated.
func (w *writer) data(o Operation) string {
	nth := w.texts - w.first
	w.texts++
	if said := o.Treated(nth, w.texts); said != "" && len(said) <= w.most {
		return said
	}
	return o.Sample(nth, w.texts)
}

// value returns a value of an item: one of a catalogue, a text, or an object with both.
func (w *writer) value(o Operation) any {
	said, all := w.data(o), campaign.Values()
	n := o.Choice
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

// object returns an object of an item. A text in it that is JSON stays a text.
func (w *writer) object(o Operation) map[string]any {
	said, all := w.data(o), campaign.Values()
	return map[string]any{"text": said, "value": all[o.Choice%len(all)], "written": `{"a": [1]}`}
}

// chunk has the agent's stream get a chunk of an item. Of three consecutive ones of the root agent one names it, and has the
// members that all chunks of helix have.
func (w *writer) chunk(o Operation, kind string, members map[string]any) {
	members["type"] = kind
	nth := len(w.part.script.Steps) - w.from
	if members["agentId"] == nil && (o.Choice+nth)%3 == 1 {
		members["agentId"], members["agentType"], members["timestamp"], members["step"] = "{chat}", "assistant", 1702329600000.0, 1.0
	}
	w.addStep(model.ScriptStep{Chunk: members})
}

// callID returns the id of the next call that a chunk makes: the same in each turn.
func (w *writer) callID() string {
	w.part.calls++
	return fmt.Sprintf("chunk-%d", w.part.calls)
}

// failed returns the error text of a tool. By every other choice it has so many lines that it exceeds a usual database column.
func (w *writer) failed(o Operation) string {
	const reason = "no such city "
	line := reason + w.data(o)
	if o.Choice%2 == 0 { // the data begins with a number, on whose digits the count mustn't depend
		return strings.Repeat(line+"\n", 1+1200/(len(reason)+o.Size))
	}
	return line
}

// failure returns the error text of a run: "" for every second choice.
func (w *writer) failure(o Operation) *string {
	said := ""
	if o.Choice%2 == 0 {
		said = fmt.Sprintf("failure %d", w.texts)
	}
	return &said
}

// text has the agent emit a text.
func (w *writer) text(o Operation) {
	said := w.data(o)
	w.addStep(model.ScriptStep{Text: &said})
}

// call has the agent call a tool, by one in five choices without arguments.
func (w *writer) call(o Operation) {
	input := w.object(o)
	if o.Choice%5 == 4 {
		input = map[string]any{}
	}
	w.addStep(model.ScriptStep{Tool: &model.Tool{Name: fmt.Sprintf("tool_%d", o.Choice%3), Arguments: input, Result: w.value(o)}})
}
