package merlin

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// script returns the script of one of the program's streams, and the barrier at which its client disconnects, "" for none.
// The texts differ from stream to stream.
func (p Program) script(stream int) (script model.Script, leaves string) {
	w := &writer{usual: p.usual, script: model.Script{Version: p.version, Start: p.start}, texts: stream * campaign.MostTimes * 3, tagged: map[string]string{}}
	for _, o := range p.operations {
		o.Choice += stream
		w.operation(o)
	}
	if w.script.Steps == nil {
		w.script.Steps = []model.ScriptStep{}
	}
	return w.script, w.leaves
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
		w.first = w.texts
		delegations{w}.result(o, delegations{w}.answer(o, o.Count))
		return
	case "bytes a piece":
		w.addStep(model.ScriptStep{Split: &o.Count})
		return
	}
	w.first = w.texts
	same, all := "", o
	if kinds[o.Kind].data {
		same = w.data(o)
	}
	w.each(o, func(o Operation) {
		n := o.Choice - all.Choice
		switch o.Kind {
		case "texts", "thoughts", "bare thoughts", "signed thoughts", "thoughts with a text", "empty texts", "sentences":
			w.speak(o)
		case "hurried texts":
			w.hurry(o)
		case "equal texts":
			w.text(same)
		case "citations":
			citations{w}.cite(o, w.data(o))
		case "equal citations":
			citations{w}.cited(all, n/3, same) // several times of one source, before it is of the next
			if n == 1 {
				citations{w}.alike(all, same)
			}
		case "citations ahead":
			citations{w}.forNextText(o)
		case "citations of nothing":
			citations{w}.astray(o)
		case "twin steps":
			icon := ""
			if n == 0 { // which isn't the other twin's
				icon = "GLOBE"
			}
			steps{w}.create("twin "+same, icon)
		case "results", "hidden results", "results side by side":
			delegations{w}.delegate(o)
		case "equal results":
			delegations{w}.result(o, delegations{w}.spoken(o, same, same))
		default:
			w.other(o)
		}
	})
}

// other performs operations that are neither text nor citations.
func (w *writer) other(o Operation) {
	switch w.texts++; o.Kind {
	case "usages":
		w.use(o)
	case "noises":
		w.addStep(model.ScriptStep{Bytes: noises[o.Choice%len(noises)]})
	case "halves":
		w.halves()
	case "lone halves":
		w.half()
	case "last words":
		w.lastWords(o)
	case "spellings":
		w.spell(o)
	case "departures":
		w.barriers++
		w.leaves = fmt.Sprintf("b%d", w.barriers)
		w.addStep(model.ScriptStep{Await: w.leaves})
	case "barriers":
		w.barriers++
		wait := func() { w.addStep(model.ScriptStep{Await: fmt.Sprintf("b%d", w.barriers)}) }
		if o.Choice%2 == 0 {
			wait()
			return
		}
		w.within(wait)
	case "stray calls":
		w.addStep(model.ScriptStep{Delta: &model.Delta{Calls: []model.CallPart{orphan(w.texts)}}})
	case "handoffs":
		delegations{w}.handoff(o)
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
		steps{w}.manage(o)
	}
}
