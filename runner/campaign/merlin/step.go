package merlin

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// steps writes the steps of a model.
type steps struct{ *writer }

func (w steps) progress(p model.Progress) { w.addStep(model.ScriptStep{Progress: &p}) }

func (w steps) create(name, icon string) {
	w.progress(model.Progress{Do: "create", Step: name, Icon: icon})
	w.open = append(w.open, name)
}

// known reports whether there is a step of a name.
func (w steps) known(name string) bool {
	return slices.Contains(w.open, name) || slices.Contains(w.done, name)
}

// manage does something with the event manager; there may be no step to do it with.
func (w steps) manage(o Operation) {
	turn := func(names []string) string { return names[o.Choice%len(names)] }
	tags := func(name string) {
		first := w.data(o)
		if last, is := w.tagged[name]; is && o.Choice%2 == 0 { // a step may be given a tag again
			first = last
		}
		w.tagged[name] = first
		second := w.data(o)
		if o.Choice%5 == 3 {
			second = ""
		}
		w.progress(model.Progress{Do: "tags", Step: name, Tags: []string{first, second, first}})
	}
	switch {
	case o.Kind == "steps":
		w.create(w.name(o), "")
	case o.Kind == "renamings":
		w.progress(model.Progress{Do: "rename", Name: fmt.Sprintf("title %d", w.texts), Icon: "BOOK"})
	case o.Kind == "late tags" && len(w.done) > 0:
		tags(turn(w.done))
	case o.Kind == "latest steps" && len(w.done) > 0 && o.Choice%3 > 0:
		name := turn(w.done)
		w.done = slices.DeleteFunc(w.done, func(other string) bool { return other == name })
		w.open = append(w.open, name)
		icon := ""
		if o.Choice%2 == 0 { // another icon makes no other step of it
			icon = "MAP"
		}
		w.progress(model.Progress{Do: "latest", Step: name, Icon: icon})
	case o.Kind == "latest steps" && len(w.open) > 0 && o.Choice%6 == 3: // which goes on as it is
		w.progress(model.Progress{Do: "latest", Step: turn(w.open)})
	case o.Kind == "latest steps":
		name := fmt.Sprintf("new step %d", w.texts)
		if len(w.open) > 0 && o.Choice%2 == 0 { // another name than that of the step that is there
			all := campaign.Alike(w.open[0])
			if other := all[o.Choice/2%len(all)]; !w.known(other) {
				name = other
			}
		} else if odd := ofObjects[o.Choice%len(ofObjects)]; !w.known(odd) {
			name = odd
		}
		w.open = append(w.open, name)
		w.progress(model.Progress{Do: "latest", Step: name})
	case len(w.open) == 0:
	case o.Kind == "values":
		w.send(o, turn)
	case o.Kind == "tags":
		tags(turn(w.open))
	case o.Kind == "ended steps":
		name := w.open[0]
		w.open = w.open[1:]
		w.done = append(w.done, name)
		w.progress(model.Progress{Do: "end", Step: name})
	}
}

// name returns the name of a new step.
func (w steps) name(o Operation) string {
	name := w.data(o)
	if o.Choice%4 > 0 { // the others are unchanged, except for an empty one
		name = "step " + name
	}
	if odd := ofObjects[o.Choice/2%len(ofObjects)]; o.Choice%2 == 0 && !w.known(odd) {
		return odd
	}
	return cmp.Or(name, "step")
}

// send sends values of the step whose turn it is, some of them while the model is in the middle of an event.
func (w steps) send(o Operation, turn func(names []string) string) {
	values := []any{w.value(o)}
	switch {
	case o.Choice%4 == 0: // a value may come twice
		values = append(values, values[0])
	case o.Choice%32 == 9 && o.Size < 100:
		for range 12 {
			o.Choice++
			values = append(values, w.value(o))
		}
	}
	step := turn(w.open)
	send := func() { w.progress(model.Progress{Do: "send", Step: step, Values: values}) }
	if o.Choice%5 == 2 {
		w.within(send)
	} else {
		send()
	}
}

// value returns a value of a step: a text, an address, or an application's object.
func (w steps) value(o Operation) map[string]any {
	said := w.data(o)
	if o.Choice%11 == 7 {
		said = ""
	}
	switch o.Choice % 3 {
	case 0:
		return map[string]any{"type": "URL", "value": said, "title": nil}
	case 1:
		all := campaign.Values()
		return map[string]any{"type": "JSON", "value": map[string]any{"text": said, "rows": []any{1.0, nil, false}, "none": nil, "any": all[o.Choice/3%len(all)]}}
	}
	return map[string]any{"type": "TEXT", "value": said}
}
