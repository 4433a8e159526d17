package helix

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A document is a JSON value to which patches are applied. It may be known in
// part: members that nobody has shown are hidden, and nothing is claimed of them.
// Containers that an earlier era made, or that came with a patch, are shared and
// never changed: they are copied when a patch reaches them.
type document struct {
	root   any
	era    int64
	weight int // of the values that patches added, roughly in bytes
}

// maxWeight is how heavy a document may be. A heavier one isn't followed.
const maxWeight = 2 << 20

type (
	object struct {
		era     int64
		members map[string]any
		open    bool // it may have members that aren't known
	}
	array struct {
		era   int64
		items []any
	}
	hidden struct{} // a value that isn't known
	gone   struct{} // in an open object, a member that surely isn't there
)

// unknown is a document of which nothing is known but that it is an object.
func unknown() document { return document{root: &object{era: -1, open: true}} }

// found says what is at a place.
type found int

const (
	missing found = iota
	there
	unsure
)

// pointer splits a JSON pointer into its tokens.
func pointer(path string) ([]string, bool) {
	if path == "" {
		return nil, true
	}
	if path[0] != '/' {
		return nil, false
	}
	tokens := strings.Split(path[1:], "/")
	for i, t := range tokens {
		if strings.Contains(t, "~") {
			tokens[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
		}
	}
	return tokens, true
}

// child looks one token down.
func child(v any, token string) (any, found) {
	switch v := v.(type) {
	case hidden:
		return nil, unsure
	case *object:
		member, ok := v.members[token]
		switch member.(type) {
		case gone:
			return nil, missing
		case hidden:
			return nil, unsure
		}
		if !ok && v.open {
			return nil, unsure
		}
		return member, exists(ok)
	case map[string]any:
		member, ok := v[token]
		return member, exists(ok)
	case *array:
		return itemAt(v.items, token)
	case []any:
		return itemAt(v, token)
	}
	return nil, missing
}

func exists(ok bool) found {
	if ok {
		return there
	}
	return missing
}

func itemAt(items []any, token string) (any, found) {
	i, ok := index(token, len(items)-1)
	if !ok {
		return nil, missing
	}
	if isHidden(items[i]) {
		return nil, unsure
	}
	return items[i], there
}

// index reads an array index of at most most.
func index(token string, most int) (int, bool) {
	if !isDecimal(token) {
		return 0, false
	}
	i, err := strconv.Atoi(token)
	return i, err == nil && i <= most
}

// look returns what is at a place.
func (d *document) look(tokens []string) (any, found) {
	v, what := d.root, there
	if isHidden(v) {
		return nil, unsure
	}
	for _, t := range tokens {
		if v, what = child(v, t); what != there {
			return nil, what
		}
	}
	return v, there
}

// own returns a container that may be changed in place of v, nil if v is none.
func (d *document) own(v any) any {
	switch v := v.(type) {
	case *object:
		if v.era == d.era {
			return v
		}
		return &object{d.era, cloned(v.members), v.open}
	case map[string]any:
		return &object{d.era, cloned(v), false}
	case *array:
		if v.era == d.era {
			return v
		}
		return &array{d.era, slices.Clone(v.items)}
	case []any:
		return &array{d.era, slices.Clone(v)}
	}
	return nil
}

func cloned(members map[string]any) map[string]any {
	if members == nil {
		return map[string]any{}
	}
	return maps.Clone(members)
}

// reach returns the container at a place, owned from the root on.
func (d *document) reach(tokens []string) (any, found) {
	if isHidden(d.root) {
		return nil, unsure
	}
	at := d.own(d.root)
	if at == nil {
		return nil, missing
	}
	d.root = at
	for _, t := range tokens {
		v, what := child(at, t)
		if what != there {
			return nil, what
		}
		next := d.own(v)
		if next == nil {
			return nil, missing
		}
		put(at, t, next)
		at = next
	}
	return at, there
}

// put replaces what is in an owned container, or adds a member.
func put(at any, token string, v any) {
	switch at := at.(type) {
	case *object:
		at.members[token] = v
	case *array:
		if i, ok := index(token, len(at.items)-1); ok {
			at.items[i] = v
		}
	}
}

// add is the operation of that name.
func (d *document) add(tokens []string, v any) found {
	if len(tokens) == 0 {
		d.weight = weigh(v)
		d.root = v
		return there
	}
	last := tokens[len(tokens)-1]
	at, what := d.reach(tokens[:len(tokens)-1])
	if what != there {
		return what
	}
	d.weight += weigh(v)
	switch at := at.(type) {
	case *object:
		if old, ok := at.members[last]; ok {
			d.weight -= weigh(old)
		} else {
			d.weight += memberWeight + len(last)
		}
		at.members[last] = v
	case *array:
		i, ok := index(last, len(at.items))
		if last == "-" {
			i, ok = len(at.items), true
		}
		if !ok {
			return missing
		}
		at.items = slices.Insert(at.items, i, v)
	}
	return there
}

// replace is the operation of that name.
func (d *document) replace(tokens []string, v any) found {
	old, what := d.look(tokens)
	if what == missing {
		return missing
	}
	if len(tokens) == 0 {
		d.add(nil, v)
		return what
	}
	at, reached := d.reach(tokens[:len(tokens)-1])
	if reached != there {
		return reached
	}
	last := tokens[len(tokens)-1]
	d.weight += weigh(v)
	if what == there {
		d.weight -= weigh(old)
	} else {
		d.weight += memberWeight + len(last)
	}
	put(at, last, v)
	return what
}

// remove is the operation of that name. Of a document without a root nothing is
// known.
func (d *document) remove(tokens []string) found {
	old, what := d.look(tokens)
	if what == missing {
		return missing
	}
	if len(tokens) == 0 {
		*d = document{root: hidden{}, era: d.era}
		return what
	}
	last := tokens[len(tokens)-1]
	at, reached := d.reach(tokens[:len(tokens)-1])
	if reached != there {
		return reached
	}
	if what == there {
		d.weight -= weigh(old)
	}
	switch at := at.(type) {
	case *object:
		_, held := at.members[last]
		delete(at.members, last)
		if at.open {
			at.members[last] = gone{}
			d.weight += weigh(gone{})
		}
		if held && !at.open {
			d.weight -= memberWeight + len(last)
		} else if !held && at.open {
			d.weight += memberWeight + len(last)
		}
	case *array:
		if i, ok := index(last, len(at.items)-1); ok {
			at.items = slices.Delete(at.items, i, i+1)
		}
	}
	return what
}

// memberWeight is roughly what a member takes beside its name and value.
const memberWeight = 32

// weigh says roughly how many bytes a value takes.
func weigh(v any) int {
	sum := 16
	switch v := v.(type) {
	case string:
		sum += len(v)
	case json.Number:
		sum += len(v)
	case []any:
		for _, item := range v {
			sum += weigh(item)
		}
	case map[string]any:
		for name, member := range v {
			sum += memberWeight + len(name) + weigh(member)
		}
	case *array:
		return weigh(v.items)
	case *object:
		return weigh(v.members)
	}
	return sum
}
