package patch

import (
	"encoding/json"
	"maps"
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

func (m *measure) add(o measure) { m.bytes, m.values = m.bytes+o.bytes, m.values+o.values }

func (m measure) work() int64 { return m.bytes + valueWork*m.values }

func (m measure) negated() measure { return measure{-m.bytes, -m.values} }

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
	return measure{4, 1}, true
}

// container returns the size of brackets and commas for n members or items.
func container(n int) measure { return measure{int64(max(n-1, 0)) + 2, 1} }

func (m *measure) addMember(name string, v any, depth int) bool {
	if depth <= 0 {
		return false
	}
	inner, ok := sized(v, depth-1)
	m.add(inner)
	m.bytes += quoted(name) + 1
	return ok
}

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
