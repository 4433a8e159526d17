package helix

import (
	"encoding/json"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

// document is a JSON value that patches change. It is kept as the member of an object, so that a patch can replace a root
// of any type.
type document struct {
	whole   []byte
	waiting []jsonpatch.Patch // not applied yet: many at once cost little more than one
}

// member is the name of that member, as a pointer.
const member = "/state"

func newDocument(initial json.RawMessage) document {
	if initial == nil {
		initial = json.RawMessage(`{}`)
	}
	return document{whole: append(append([]byte(`{"state":`), initial...), '}')}
}

// patch adds the operations of a chunk. They apply together or not at all.
func (d *document) patch(operations json.RawMessage) {
	p, err := jsonpatch.DecodePatch(operations)
	if err != nil {
		return // no patch, and for the validator to refuse
	}
	for _, op := range p {
		for _, name := range []string{"path", "from"} {
			if !rebase(op, name) {
				return
			}
		}
	}
	d.waiting = append(d.waiting, p)
}

// rebase makes a pointer one into the document; false if it is none.
func rebase(op jsonpatch.Operation, name string) bool {
	raw, ok := op[name]
	if !ok {
		return name == "from"
	}
	var pointer *string
	if raw == nil || json.Unmarshal(*raw, &pointer) != nil || pointer == nil || *pointer != "" && !strings.HasPrefix(*pointer, "/") {
		return false
	}
	text, err := json.Marshal(member + *pointer)
	if err != nil {
		return false
	}
	rebased := json.RawMessage(text)
	op[name] = &rebased
	return true
}

// value is the document with every patch applied that can be.
func (d *document) value() json.RawMessage {
	d.settle()
	var whole struct {
		State json.RawMessage `json:"state"`
	}
	if json.Unmarshal(d.whole, &whole) != nil || whole.State == nil {
		return json.RawMessage("null") // a patch removed the root
	}
	return whole.State
}

func (d *document) settle() {
	var all jsonpatch.Patch
	for _, p := range d.waiting {
		all = append(all, p...)
	}
	if !d.apply(all) { // one of them can't be applied: the others can
		for _, p := range d.waiting {
			d.apply(p)
		}
	}
	d.waiting = nil
}

// apply applies all operations or none.
func (d *document) apply(p jsonpatch.Patch) bool {
	if len(p) == 0 {
		return true
	}
	o := jsonpatch.NewApplyOptions()
	o.SupportNegativeIndices, o.EscapeHTML = false, false // RFC 6902 has no negative indices
	after, err := p.ApplyWithOptions(d.whole, o)
	if err != nil {
		return false
	}
	d.whole = after
	return true
}
