package schemas

import (
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
)

const (
	// longList is the number of items above which a list is long.
	longList = 1000
	// mostInvalid limits the errors that are reported of a long list.
	mostInvalid = 100
)

// shortener empties the long lists of a value and asks the library about their invalid items alone. The library allocates
// memory for each item that it visits, and a list may have hundreds of thousands.
type shortener struct {
	entry   *entry  // whose schema the value has to meet
	profile Profile // of the schema
	longest int     // items of a list that stays
	errs    []error // of the library, about single items; at most mostInvalid
}

// constraint is a node that applies to a value, always or under a condition.
type constraint struct {
	*node
	conditional bool // it applies under a condition
}

// mostConstraints limits those of one value. A file of a working copy may have any number; then a value isn't shortened.
const mostConstraints = 10_000

// constraints appends the node and those that it applies to the same value.
func (n *node) constraints(to []constraint, conditional bool) []constraint {
	if len(to) > mostConstraints {
		return to
	}
	to = append(to, constraint{n, conditional})
	for _, sub := range n.all {
		to = sub.constraints(to, conditional)
	}
	for _, sub := range []*node{n.test, n.then, n.otherwise} {
		if sub != nil {
			to = sub.constraints(to, true)
		}
	}
	return to
}

// shorten returns the value with its long lists empty; false if it has none that may be emptied. The
// pointer is that of the value, as the library writes it.
func (s *shortener) shorten(v any, on []constraint, pointer string) (any, bool) {
	if len(on) == 0 || len(on) > mostConstraints || slices.ContainsFunc(on, func(c constraint) bool { return c.opaque }) {
		return v, false
	}
	switch v := v.(type) {
	case map[string]any:
		return s.object(v, on, pointer)
	case []any:
		return s.list(v, on, pointer)
	}
	return v, false
}

func (s *shortener) object(v map[string]any, on []constraint, pointer string) (out map[string]any, shorter bool) {
	for name, member := range v {
		var below []constraint
		for _, c := range on {
			for _, p := range c.properties {
				if p.name == name {
					below = p.node.constraints(below, c.conditional)
				}
			}
		}
		short, is := s.shorten(member, below, pointer+"/"+url.PathEscape(escapePointer(name)))
		if !is {
			continue
		}
		if !shorter {
			out, shorter = maps.Clone(v), true
		}
		out[name] = short
	}
	return out, shorter
}

func (s *shortener) list(v []any, on []constraint, pointer string) ([]any, bool) {
	if len(v) <= s.longest || slices.ContainsFunc(on, func(c constraint) bool { return c.conditional && c.items != nil }) {
		return v, false
	}
	for i, item := range v {
		for _, c := range on {
			if c.items == nil || s.entry.quickly(s.profile, c.items, item) {
				continue
			}
			err := s.entry.byLibrary(s.profile, c.items.schema, item, pointer+"/"+strconv.Itoa(i))
			if err != nil {
				s.errs = append(s.errs, err)
			}
			if len(s.errs) >= mostInvalid || errors.As(err, new(*BudgetError)) {
				return []any{}, true
			}
		}
	}
	return []any{}, true
}
