package patch

import (
	"encoding/json"
	"slices"
	"strings"
)

// Values are nil, bool, string, json.Number, []any and map[string]any as
// encoding/json decodes them, which are shared with the caller and never changed,
// and the containers below, which belong to one document.
type (
	// Hidden is a value that isn't known.
	Hidden struct{}

	object struct {
		owner *owner
		index map[string]int // where each member is in list
		list  []member       // in order; removed members leave a gap until it is compacted
		open  bool           // it may have members that aren't known
	}
	member struct {
		name  string
		value any
		gap   bool
	}
	array struct {
		owner *owner
		items []any
	}
	// absent is, in an open object, a member that surely isn't there.
	absent struct{}
)

// owner marks the containers that only one document contains and may change.
type owner struct{ _ byte }

// valueWeight is the approximate memory of a value in bytes, without its text.
const valueWeight = 64

// measure is the size of a value.
type measure struct{ bytes, values int64 }

// add adds another size to this one.
func (m *measure) add(o measure) { m.bytes, m.values = m.bytes+o.bytes, m.values+o.values }

// work returns the cost of visiting a value of this size, in units of a Budget.
func (m measure) work() int64 { return m.bytes + valueWork*m.values }

// negated returns the size that undoes add.
func (m measure) negated() measure { return measure{-m.bytes, -m.values} }

// get returns a member. In an open object, a missing member may exist.
func (o *object) get(name string) (any, bool) {
	i, ok := o.index[name]
	if !ok {
		return nil, false
	}
	return o.list[i].value, true
}

// set replaces a member at its position, or appends it.
func (o *object) set(name string, v any) {
	if i, ok := o.index[name]; ok {
		o.list[i].value = v
		return
	}
	o.index[name] = len(o.list)
	o.list = append(o.list, member{name: name, value: v})
}

// remove leaves a gap, and returns where.
func (o *object) remove(name string) int {
	i := o.index[name]
	delete(o.index, name)
	o.list[i] = member{gap: true}
	return i
}

// restore undoes remove.
func (o *object) restore(at int, name string, v any) {
	o.index[name] = at
	o.list[at] = member{name: name, value: v}
}

// unset undoes the set that appended a member.
func (o *object) unset(name string) {
	o.remove(name)
	o.list = o.list[:len(o.list)-1]
}

// compact closes the gaps once there are more of them than members.
func (o *object) compact() {
	if len(o.list) < 2*len(o.index)+8 {
		return
	}
	o.list = slices.DeleteFunc(o.list, func(m member) bool { return m.gap })
	for i, m := range o.list {
		o.index[m.name] = i
	}
}

// sized measures a value. ok is false where it has more than depth levels of
// containers.
func sized(v any, depth int) (m measure, ok bool) {
	switch v := v.(type) {
	case *array:
		return sizedItems(v.items, depth)
	case []any:
		return sizedItems(v, depth)
	case *object:
		m = container(len(v.index))
		for _, member := range v.list {
			if !member.gap && !m.addMember(member.name, member.value, depth) {
				return m, false
			}
		}
		return m, depth > 0
	case map[string]any:
		m = container(len(v))
		for name, value := range v {
			if !m.addMember(name, value, depth) {
				return m, false
			}
		}
		return m, depth > 0
	case string:
		return measure{quoted(v), 1}, true
	case json.Number:
		return measure{int64(len(v)), 1}, true
	case bool:
		if !v {
			return measure{5, 1}, true
		}
	}
	return measure{4, 1}, true // true and null
}

// container returns the size of brackets and commas for n members or items.
func container(n int) measure { return measure{int64(max(n-1, 0)) + 2, 1} }

// addMember adds a member with its name; false if it exceeds the nesting.
func (m *measure) addMember(name string, v any, depth int) bool {
	if depth <= 0 {
		return false
	}
	inner, ok := sized(v, depth-1)
	m.add(inner)
	m.bytes += quoted(name) + 1
	return ok
}

// sizedItems measures an array; false if a value exceeds the nesting.
func sizedItems(items []any, depth int) (m measure, ok bool) {
	if depth <= 0 {
		return m, false
	}
	m = container(len(items))
	for _, item := range items {
		inner, ok := sized(item, depth-1)
		if !ok {
			return m, false
		}
		m.add(inner)
	}
	return m, true
}

// quoted returns the length of a UTF-8 string as JSON, in bytes.
func quoted(s string) int64 {
	n := int64(len(s)) + 2 + 3*int64(strings.Count(s, "\u2028")+strings.Count(s, "\u2029"))
	for i := range len(s) {
		n += int64(escapes[s[i]])
	}
	return n
}

// escapes contains, for each byte of a string, the bytes that its JSON form adds. It is a table, since strings may be
// megabytes.
var escapes = func() (more [256]uint8) {
	for c := range 0x20 {
		more[c] = 5
	}
	for _, c := range "\n\r\t\b\f\"\\" {
		more[c] = 1
	}
	return more
}()

// found classifies the value at a pointer.
type found int

const (
	missing found = iota
	there
	statusUnknown
)

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

// itemAt finds an item by a token, which is an index without leading zeros.
func itemAt(items []any, token string) (any, found) {
	i, ok := index(token, len(items)-1)
	if !ok {
		return nil, missing
	}
	return seen(items[i], true)
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
