package helix

import (
	"encoding/json"
	"fmt"
	"slices"
)

// An operation is one of a patch.
type operation struct {
	op         string
	path, from []string
	value      any
	text       string // for people
}

// operationOf reads an operation, unless the schemas object to it.
func operationOf(v any) (o operation, ok bool) {
	members, _ := v.(map[string]any)
	path, isText := members["path"].(string)
	if !isText {
		return o, false
	}
	if o.op, ok = members["op"].(string); !ok {
		return o, false
	}
	if o.path, ok = pointer(path); !ok {
		return o, false
	}
	o.text = path
	switch o.op {
	case "add", "replace", "test":
		o.value, ok = members["value"]
	case "move", "copy":
		from, _ := members["from"].(string)
		if o.from, ok = pointer(from); ok {
			_, ok = members["from"].(string)
		}
	case "remove":
	default:
		ok = false
	}
	return o, ok
}

// apply applies an operation, and says why it can't be if that is sure. judged is
// true if the document was known where it mattered.
func (d *document) apply(o operation, eras *int64) (judged bool, why string) {
	var what found
	switch o.op {
	case "add":
		what = d.add(o.path, o.value)
		why = "the place that a value is added to isn't there"
	case "replace":
		what = d.replace(o.path, o.value)
		why = "what is to be replaced isn't there"
	case "remove":
		what = d.remove(o.path)
		why = "what is to be removed isn't there"
	case "test":
		return d.test(o)
	case "move", "copy":
		return d.transfer(o, eras)
	}
	if what == missing {
		return true, why
	}
	return what == there, ""
}

func (d *document) test(o operation) (judged bool, why string) {
	v, what := d.look(o.path)
	if what == missing {
		return true, "what is to be tested isn't there"
	}
	if what == unsure {
		return false, ""
	}
	equal, sure := same(v, o.value)
	if sure && !equal {
		return true, "the value isn't the one that is tested for"
	}
	return sure, ""
}

// transfer moves or copies. What is copied is shared from then on, so a new era
// begins.
func (d *document) transfer(o operation, eras *int64) (judged bool, why string) {
	v, what := d.look(o.from)
	switch {
	case what == missing:
		return true, "what is to be taken isn't there"
	case o.op == "move" && len(o.path) > len(o.from) && slices.Equal(o.path[:len(o.from)], o.from):
		return true, "a value can't be moved into itself"
	case o.op == "move" && slices.Equal(o.path, o.from):
		return what == there, ""
	case what == unsure:
		v = hidden{}
	}
	if o.op == "move" {
		d.remove(o.from)
	} else {
		d.age(eras)
	}
	if d.add(o.path, v) == missing {
		return true, "the place that a value is put at isn't there"
	}
	return what == there, ""
}

// age begins a new era: what the document holds now is shared.
func (d *document) age(eras *int64) {
	*eras++
	d.era = *eras
}

// documentOf is the document of a state that is known, and an unknown one if the
// JSON is none.
func documentOf(raw json.RawMessage) document {
	var object map[string]any
	if object = objectOf(raw); object == nil {
		return unknown()
	}
	return document{root: object, weight: weigh(object)}
}

// statePatch applies the operations to what is known of the agent's state. After
// one that can't be applied nothing is known any more.
func (m *machine) statePatch(c *said) {
	patches, ok := c.members["patches"].([]any)
	if !ok {
		return
	}
	m.count[stateEmptyPatch]++
	if len(patches) == 0 {
		m.add(stateEmptyPatch, c.place(), "a state patch has no operations", "at least one operation", "[]")
		return
	}
	h, state := m.past, m.past.state(c.agent.key)
	h.patched(c)
	for i, v := range patches {
		o, ok := operationOf(v)
		if !ok {
			*state = unknown()
			state.age(&h.eras)
			return
		}
		judged, why := state.apply(o, &h.eras)
		if judged {
			m.count[stateApplicable]++
		}
		if why != "" {
			m.add(stateApplicable, c.place(), fmt.Sprintf("operation %d of the patch can't be applied: %s", i, why),
				"an operation that fits the state", o.op+" "+show(o.text))
		}
		if why != "" || state.weight > maxWeight {
			*state = unknown()
			state.age(&h.eras)
		}
		if why != "" {
			return
		}
	}
}
