package schemas

import (
	"encoding/json"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// answer is a result of the quick check. Only yes is relied on: for any other the library decides, which alone produces
// findings.
type answer int8

const (
	undecided answer = iota
	no
	yes
)

// node is the quick form of a compiled schema. The library spends microseconds and dozens of allocations on a valid
// chunk; nearly every chunk is valid, and needs only the few keywords here to see it.
type node struct {
	schema     *jsonschema.Schema // of the library, which has the last word
	opaque     bool               // uses a keyword that isn't here: always undecided, unless another keyword rejects
	types      []string           // nil for any
	values     []any              // const or enum: strings, booleans and null
	required   []string           // names of members
	properties []member           // sorted by name
	items      *node              // nil for any
	all        []*node            // each must accept
	test       *node              // if
	then       *node              // applies if test accepts; nil for none
	otherwise  *node              // applies if test doesn't; nil for none
	minLength  int                // in code points
	pattern    *regexp.Regexp     // nil for none
	minimum    *int64             // nil for none
	maximum    *int64             // nil for none
}

type member struct {
	name string
	node *node
}

func newQuick(schema *jsonschema.Schema) *node {
	return quickener{}.node(schema)
}

// quickener caches nodes, so that shared and recursive schemas are made once.
type quickener map[*jsonschema.Schema]*node

func (q quickener) node(s *jsonschema.Schema) *node {
	if s == nil {
		return nil
	}
	if n, ok := q[s]; ok {
		return n
	}
	n := &node{
		schema: s, types: s.Types, required: s.Required, minLength: s.MinLength, pattern: s.Pattern,
	}
	q[s] = n
	n.opaque = beyondQuick(s)
	n.values = append(n.values, s.Enum...)
	n.values = append(n.values, s.Constant...)
	for _, v := range n.values {
		switch v.(type) {
		case string, bool, nil:
		default:
			n.opaque = true
		}
	}
	if len(s.Enum) > 0 && len(s.Constant) > 0 {
		n.opaque = true
	}
	n.minimum, n.maximum = integerBound(s.Minimum, &n.opaque), integerBound(s.Maximum, &n.opaque)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		n.properties = append(n.properties, member{name, q.node(s.Properties[name])})
	}
	for _, sub := range s.AllOf {
		n.all = append(n.all, q.node(sub))
	}
	if s.Ref != nil {
		n.all = append(n.all, q.node(s.Ref))
	}
	n.items, n.test, n.then, n.otherwise = q.node(s.Items2020), q.node(s.If), q.node(s.Then), q.node(s.Else)
	return n
}

// integerBound reads a bound; a bound that isn't a 64-bit integer makes the node opaque.
func integerBound(bound *big.Rat, opaque *bool) *int64 {
	if bound == nil {
		return nil
	}
	n, err := json.Number(bound.RatString()).Int64()
	if err != nil {
		*opaque = true
		return nil
	}
	return &n
}

// beyondQuick is true if the schema asserts something that node has no field for.
func beyondQuick(s *jsonschema.Schema) bool {
	return s.Always != nil && !*s.Always || s.Not != nil || len(s.AnyOf) > 0 || len(s.OneOf) > 0 || s.Format != "" ||
		s.ExclusiveMinimum != nil || s.ExclusiveMaximum != nil || s.MultipleOf != nil || s.MaxLength != -1 ||
		s.MinProperties != -1 || s.MaxProperties != -1 || s.MinItems != -1 || s.MaxItems != -1 || s.UniqueItems ||
		s.PropertyNames != nil || len(s.PatternProperties) > 0 || s.AdditionalProperties != nil ||
		len(s.DependentRequired) > 0 || len(s.DependentSchemas) > 0 || len(s.Dependencies) > 0 ||
		s.Items != nil || len(s.PrefixItems) > 0 || s.Contains != nil || s.AdditionalItems != nil ||
		s.UnevaluatedItems != nil || s.UnevaluatedProperties != nil || s.RecursiveRef != nil || s.DynamicRef != nil ||
		s.ContentEncoding != "" || s.ContentMediaType != ""
}

// and combines two answers about the same value.
func (a answer) and(b answer) answer {
	switch {
	case a == no || b == no:
		return no
	case a == undecided || b == undecided:
		return undecided
	}
	return yes
}

// check reports whether the value is valid. It never accepts where the library would reject, nor the reverse. left is the
// number of times that nodes may still be applied; at 0 there is no answer.
func (n *node) check(v any, left *int) answer {
	if *left--; *left < 0 {
		return undecided
	}
	result := yes
	if n.opaque {
		result = undecided
	}
	if len(n.types) > 0 {
		if result = result.and(n.checkType(v)); result == no {
			return no
		}
	}
	if len(n.values) > 0 && !n.hasValue(v) {
		return no
	}
	switch v := v.(type) {
	case string:
		if n.minLength > 0 && utf8.RuneCountInString(v) < n.minLength || n.pattern != nil && !n.pattern.MatchString(v) {
			return no
		}
	case json.Number:
		if n.minimum != nil || n.maximum != nil {
			result = result.and(n.checkBounds(v))
		}
	case map[string]any:
		result = result.and(n.checkMembers(v, left))
	case []any:
		for i := 0; n.items != nil && i < len(v) && result != no; i++ {
			result = result.and(n.items.check(v[i], left))
		}
	}
	for i := 0; i < len(n.all) && result != no; i++ {
		result = result.and(n.all[i].check(v, left))
	}
	if n.test != nil && result != no {
		result = result.and(n.checkBranch(v, left))
	}
	return result
}

func (n *node) checkBranch(v any, left *int) answer {
	branch := n.then
	switch n.test.check(v, left) {
	case undecided:
		return undecided
	case no:
		branch = n.otherwise
	}
	if branch == nil {
		return yes
	}
	return branch.check(v, left)
}

func (n *node) checkMembers(v map[string]any, left *int) answer {
	for _, name := range n.required {
		if _, ok := v[name]; !ok {
			return no
		}
	}
	result := yes
	for _, p := range n.properties {
		if value, ok := v[p.name]; ok {
			if result = result.and(p.node.check(value, left)); result == no {
				return no
			}
		}
	}
	return result
}

func (n *node) checkType(v any) answer {
	is := jsonType(v)
	for _, t := range n.types {
		if t == is {
			return yes
		}
		if t == "integer" && is == "number" {
			if _, ok := decimalInteger(v.(json.Number)); ok {
				return yes
			}
			return undecided
		}
	}
	return no
}

func (n *node) hasValue(v any) bool {
	switch v.(type) {
	case string, bool, nil:
		return slices.Contains(n.values, v)
	}
	return n.opaque // a listed value may be a number or a container; the library looks closer
}

func (n *node) checkBounds(v json.Number) answer {
	i, ok := decimalInteger(v)
	if !ok {
		return undecided
	}
	if n.minimum != nil && i < *n.minimum || n.maximum != nil && i > *n.maximum {
		return no
	}
	return yes
}

// decimalInteger reads digits that surely fit. Other spellings of an integer are the library's.
func decimalInteger(v json.Number) (int64, bool) {
	digits, negative := string(v), false
	if digits[0] == '-' {
		digits, negative = digits[1:], true
	}
	if len(digits) > 18 {
		return 0, false
	}
	var n int64
	for i := range len(digits) {
		c := digits[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}

// jsonType returns the JSON Schema name of a decoded value's type.
func jsonType(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}
