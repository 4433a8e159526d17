package patch

import (
	"errors"
	"slices"
)

// Document is a JSON value to which patches apply. Make it with New, Parse or
// Unknown; it isn't safe for concurrent use.
type Document struct {
	root   any
	owner  *owner
	size   measure
	limits Limits
	undo   []func() // of the patch that is being applied, in order
}

// New makes a document of a decoded value, which must not change from then on.
// Errors are *LimitError.
func New(root any, l Limits) (*Document, error) {
	l = l.withDefaults()
	d := &Document{root: root, owner: &owner{}, limits: l}
	size, err := d.fits(root, 0)
	if err == nil {
		err = d.grow(size)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Unknown returns a document that is an object with unknown members.
func Unknown(l Limits) *Document {
	l = l.withDefaults()
	own := &owner{}
	return &Document{root: &object{owner: own, index: map[string]int{}, open: true}, owner: own, size: container(0), limits: l}
}

// Clone returns a second document with the same value. It copies nothing: each of
// the two copies a container when a patch reaches it.
func (d *Document) Clone() *Document {
	d.owner = &owner{}
	return &Document{root: d.root, owner: &owner{}, size: d.size, limits: d.limits}
}

// Size returns the length of the document as JSON, in bytes.
func (d *Document) Size() int64 { return d.size.bytes }

// Weight is about how many bytes of memory the document takes.
func (d *Document) Weight() int64 { return d.size.bytes + valueWeight*d.size.values }

// Apply applies a patch completely or not at all. length is that of its text in bytes. Errors are *ConflictError and
// *LimitError.
func (d *Document) Apply(operations []Operation, length int64) error {
	return d.ApplyEach(operations, length, func(int) error { return nil })
}

// ApplyEach is Apply that calls before with the index of each operation before it
// is applied. An error of before ends the patch too, and is returned.
func (d *Document) ApplyEach(operations []Operation, length int64, before func(i int) error) error {
	if len(operations) > d.limits.Operations {
		return &LimitError{"operations in a patch", int64(d.limits.Operations)}
	}
	_, err := d.applyAll(operations, length, before)
	return err
}

// Operate applies one operation, as Apply does a patch. sure reports that the
// document was known where it mattered.
func (d *Document) Operate(o Operation, length int64) (sure bool, err error) {
	return d.applyAll([]Operation{o}, length, func(int) error { return nil })
}

// applyAll applies all operations or none.
func (d *Document) applyAll(operations []Operation, length int64, before func(i int) error) (sure bool, err error) {
	d.limits.Budget.earn(length)
	size := d.size
	defer func() { d.undo = nil }()
	for i, o := range operations {
		if err = before(i); err == nil {
			sure, err = d.operate(o)
		}
		if err == nil {
			continue
		}
		var conflict *ConflictError
		if errors.As(err, &conflict) {
			conflict.Operation = i
		}
		for _, undo := range slices.Backward(d.undo) {
			undo()
		}
		d.size = size
		return sure, err
	}
	return sure, nil
}

// Lookup returns the JSON of the value at a pointer; nil if there is none, or it isn't known. Errors are *LimitError.
func (d *Document) Lookup(p Pointer) ([]byte, error) {
	v, what := d.lookup(p)
	if what != there {
		return nil, nil
	}
	size, _ := sized(v, d.limits.Depth)
	if err := d.limits.Budget.spend(size.work()); err != nil {
		return nil, err
	}
	text, _ := encoded(v, int(d.limits.Bytes))
	return text, nil
}

// found classifies the value at a pointer.
type found int

const (
	missing found = iota
	there
	statusUnknown
)

// lookup finds the value at a pointer.
func (d *Document) lookup(p Pointer) (any, found) {
	v, what := seen(d.root, true)
	for _, t := range p {
		if what != there {
			return nil, what
		}
		v, what = child(v, t)
	}
	return v, what
}

// seen classifies a value, or a missing one.
func seen(v any, ok bool) (any, found) {
	switch v.(type) {
	case absent:
		return nil, missing
	case Hidden:
		return nil, statusUnknown
	}
	if !ok {
		return nil, missing
	}
	return v, there
}

// child follows one token.
func child(v any, token string) (any, found) {
	switch v := v.(type) {
	case *object:
		inner, ok := v.get(token)
		if !ok && v.open {
			return nil, statusUnknown
		}
		return seen(inner, ok)
	case map[string]any:
		inner, ok := v[token]
		return seen(inner, ok)
	case *array:
		return itemAt(v.items, token)
	case []any:
		return itemAt(v, token)
	}
	return nil, missing
}

func itemAt(items []any, token string) (any, found) {
	i, ok := index(token, len(items)-1)
	if !ok {
		return nil, missing
	}
	return seen(items[i], true)
}

// reach returns the container at a pointer, after copying every shared one from the root on.
func (d *Document) reach(p Pointer) (any, found, error) {
	if _, what := seen(d.root, true); what != there {
		return nil, what, nil
	}
	at, err := d.copyOf(d.root)
	if at == nil || err != nil {
		return nil, missing, err
	}
	d.root = at
	for _, t := range p {
		v, what := child(at, t)
		if what != there {
			return nil, what, nil
		}
		next, err := d.copyOf(v)
		if next == nil || err != nil {
			return nil, missing, err
		}
		put(at, t, next)
		at = next
	}
	return at, there, nil
}

// put replaces a value in an owned container.
func put(at any, token string, v any) {
	switch at := at.(type) {
	case *object:
		at.set(token, v)
	case *array:
		if i, ok := index(token, len(at.items)-1); ok {
			at.items[i] = v
		}
	}
}

// fits measures a value for a position below a number of levels.
func (d *Document) fits(v any, levels int) (measure, error) {
	size, ok := sized(v, d.limits.Depth-levels)
	if !ok {
		return size, &LimitError{"levels of nesting", int64(d.limits.Depth)}
	}
	return size, nil
}

// grow counts an addition to the document.
func (d *Document) grow(by measure) error {
	if err := d.reserve(by); err != nil {
		return err
	}
	d.size.add(by)
	return nil
}

// reserve reports whether so much more fits into the document.
func (d *Document) reserve(by measure) error {
	switch {
	case d.size.bytes+by.bytes > d.limits.Bytes:
		return &LimitError{"bytes of JSON", d.limits.Bytes}
	case d.size.values+by.values > d.limits.Values:
		return &LimitError{"values", d.limits.Values}
	}
	return nil
}
