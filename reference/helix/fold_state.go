package helix

import (
	"encoding/json"
	"slices"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

// document is a JSON value that patches change. It is stored as the member of an object, so that a patch can replace a root
// of any type.
type document struct {
	document []byte            // {"state": the value}
	waiting  []jsonpatch.Patch // not applied yet: many at once cost little more than one
}

// A patch that would make the state larger or deeper is left out, as one that can't be applied is.
const (
	maxState  = 4 << 20 // bytes
	maxLevels = 1000    // of a pointer
)

// member is the name of that member, as a pointer.
const member = "/state"

func newDocument(initial json.RawMessage) document {
	if initial == nil {
		initial = json.RawMessage(`{}`)
	}
	return document{document: append(append([]byte(`{"state":`), markKeys(initial)...), '}')}
}

// patch adds the operations of a chunk. Either all of them apply or none.
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
		if value := op["value"]; value != nil {
			marked := markKeys(*value)
			op["value"] = &marked
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
	if raw == nil || json.Unmarshal(*raw, &pointer) != nil || pointer == nil || *pointer != "" && !strings.HasPrefix(*pointer, "/") ||
		strings.Count(*pointer, "/") > maxLevels {
		return false
	}
	text, err := json.Marshal(member + markTokens(*pointer))
	if err != nil {
		return false
	}
	rebased := json.RawMessage(text)
	op[name] = &rebased
	return true
}

// value returns the document with every patch applied that can be.
func (d *document) value() json.RawMessage {
	d.settle()
	var whole struct {
		State json.RawMessage `json:"state"`
	}
	if json.Unmarshal(d.document, &whole) != nil || whole.State == nil {
		return json.RawMessage("null") // a patch removed the root
	}
	return bareKeys(whole.State)
}

func (d *document) settle() {
	d.applyEach(d.waiting)
	d.waiting = nil
}

// applyEach applies the patches that can be applied. One that can't is found by halves, since every try costs as much as
// the document is large.
func (d *document) applyEach(patches []jsonpatch.Patch) {
	if d.apply(slices.Concat(patches...)) || len(patches) <= 1 {
		return
	}
	d.applyEach(patches[:len(patches)/2])
	d.applyEach(patches[len(patches)/2:])
}

// apply applies all operations or none.
func (d *document) apply(p jsonpatch.Patch) bool {
	if len(p) == 0 {
		return true
	}
	o := jsonpatch.NewApplyOptions()
	o.SupportNegativeIndices, o.EscapeHTML = false, false // RFC 6902 has no negative indices
	o.AccumulatedCopySizeLimit = maxState
	after := d.document
	for len(p) > 0 {
		n := slices.IndexFunc(p, expects)
		switch {
		case n == 0 && !satisfies(after, p[0]):
			return false
		case n == 0:
			p = p[1:]
			continue
		case n < 0:
			n = len(p)
		}
		changed, err := p[:n].ApplyWithOptions(after, o)
		if err != nil || len(changed) > maxState {
			return false
		}
		after, p = changed, p[n:]
	}
	d.document = after
	return true
}
