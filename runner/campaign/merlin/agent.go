package merlin

import (
	"fmt"
	"slices"
	"strings"

	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// done is the marker with which a model ends its output. The output of another model may follow it.
const done = "data: [DONE]\n\n"

// delegations writes the operations of sub-agents.
type delegations struct{ *writer }

// delegate has sub-agents answer, one or two of them.
func (w delegations) delegate(o Operation) {
	agents := 1
	if o.Kind == "results side by side" {
		agents = 2
	}
	var whole []model.ToolResult
	for n := range agents {
		o.Choice += n
		whole = append(whole, w.answer(o, 3))
	}
	for _, r := range slices.Backward(whole) {
		w.result(o, r)
	}
}

// answer makes a sub-agent answer in so many pieces, and returns their concatenation. Some are empty.
func (w delegations) answer(o Operation, pieces int) model.ToolResult {
	var all []string
	for range pieces {
		if o.Choice%5 == 4 && o.Kind == "results" {
			break
		}
		all = append(all, w.data(o))
	}
	return w.spoken(o, all...)
}

// spoken makes a sub-agent answer in these pieces, and returns their concatenation.
func (w delegations) spoken(o Operation, pieces ...string) model.ToolResult {
	n := w.results
	if w.results++; n > 3 { // numbers of results needn't be small
		n *= 50
	}
	agent := &model.SubAgent{Index: n, Suppress: o.Kind == "hidden results"}
	if split := o.Choice % 4; split > 0 { // its model is cut as any other
		agent.Steps = append(agent.Steps, model.ScriptStep{Split: &split})
	}
	if w.calls > 0 && len(pieces) > 0 { // of a call that began elsewhere, if at all: it is none of its agent's
		part := model.CallPart{Index: w.called, Function: model.Function{Arguments: "of a sub-agent"}}
		agent.Steps = append(agent.Steps, model.ScriptStep{Delta: &model.Delta{Calls: []model.CallPart{part}}})
	}
	for i, said := range pieces {
		d := model.Delta{Content: &said}
		if i == 1 { // the end of a thought, without text
			d.Reasoning = &model.Reasoning{Signature: "x"}
		}
		agent.Steps = append(agent.Steps, model.ScriptStep{Delta: &d})
	}
	if o.Choice%5 == 2 { // which counts as that of the stream or not
		agent.Steps = append(agent.Steps, model.ScriptStep{Usage: map[string]any{"of_sub_agent": float64(n)}})
	}
	agent.Steps = append(agent.Steps, model.ScriptStep{Bytes: done})
	answers := func() { w.addStep(model.ScriptStep{SubAgent: agent}) }
	if o.Choice%3 == 1 {
		w.within(answers)
	} else {
		answers()
	}
	return model.ToolResult{Index: n, Result: strings.Join(pieces, ""), CallID: id("result", n, o.Choice), Name: "ask"}
}

// result has a tool be done, by one in four choices while the model is in the middle of an event.
func (w delegations) result(o Operation, r model.ToolResult) {
	done := func() { w.addStep(model.ScriptStep{ToolResult: &r}) }
	if o.Choice/3%4 == 2 {
		w.within(done)
	} else {
		done()
	}
}

// handoff lets another agent continue: by one in three choices the one before the current one. By every other choice its text
// begins with white space.
func (w delegations) handoff(o Operation) {
	n := w.agents
	if w.agents++; o.Choice%3 == 2 && n > 1 {
		n -= 2
	}
	w.addStep(model.ScriptStep{Bytes: done})
	w.addStep(model.ScriptStep{Handoff: fmt.Sprintf("agent-%d", n)})
	if o.Choice%2 == 1 {
		w.text(fmt.Sprintf(" \n%d goes on", w.texts))
	}
}
