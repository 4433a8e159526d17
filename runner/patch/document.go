package patch

import (
	"maps"
	"slices"
)

// Document is a JSON value to which patches apply. Make it with New, Parse or
// Unknown; it isn't safe for concurrent use.
type Document struct {
	root   any     // may be shared with clones; reach copies each container before a change
	owner  *owner  // of the containers that the document may change: no other document has it
	size   measure // of root, within limits; each operation updates it
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

// copyOf returns a container that the document may change instead of v, nil if v is
// no container.
func (d *Document) copyOf(v any) (any, error) {
	switch v := v.(type) {
	case *object:
		if v.owner == d.owner {
			if len(d.undo) == 0 {
				v.compact()
			}
			return v, nil
		}
		list := slices.DeleteFunc(slices.Clone(v.list), func(m member) bool { return m.gap })
		o := &object{d.owner, make(map[string]int, len(list)), list, v.open}
		for i, m := range list {
			o.index[m.name] = i
		}
		return o, d.limits.Budget.spend(valueWork * int64(len(list)))
	case map[string]any:
		o := &object{owner: d.owner, index: make(map[string]int, len(v)), list: make([]member, 0, len(v))}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			o.set(name, v[name])
		}
		return o, d.limits.Budget.spend(valueWork * int64(len(v)))
	case *array:
		if v.owner == d.owner {
			return v, nil
		}
		return &array{d.owner, slices.Clone(v.items)}, d.limits.Budget.spend(int64(len(v.items)))
	case []any:
		return &array{d.owner, slices.Clone(v)}, d.limits.Budget.spend(int64(len(v)))
	}
	return nil, nil
}

// copied returns a value that shares no mutable container.
func (d *Document) copied(v any) any {
	switch v := v.(type) {
	case *object:
		o := &object{d.owner, make(map[string]int, len(v.index)), make([]member, 0, len(v.index)), v.open}
		for _, m := range v.list {
			if !m.gap {
				o.set(m.name, d.copied(m.value))
			}
		}
		return o
	case *array:
		a := &array{d.owner, make([]any, len(v.items))}
		for i, item := range v.items {
			a.items[i] = d.copied(item)
		}
		return a
	}
	return v
}

// Parse reads a document, one JSON value. Errors are *SyntaxError and *LimitError.
func Parse(text []byte, l Limits) (*Document, error) {
	if limit := l.withDefaults().Bytes; int64(len(text)) > 2*limit { // white space and escapes counted
		return nil, &LimitError{"bytes of JSON", limit}
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	return New(root, l)
}

// JSON returns the document in one line; unknown values are null or left out.
func (d *Document) JSON() []byte {
	text, _ := d.Prefix(int(d.limits.Bytes))
	return text
}

// Prefix returns the document in one line, or about its first limit bytes. complete reports whether that is all of it.
func (d *Document) Prefix(limit int) (text []byte, complete bool) { return encoded(d.root, limit) }
