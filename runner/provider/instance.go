package provider

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// deepest bounds the levels of an instance: a schema can refer to itself.
const deepest = 16

// absent is the value of a member that isn't given.
type absent struct{}

// instance returns a value that a schema accepts, if it finds one, and otherwise any value. It retains the parts of the
// given value that the schema allows.
func instance(s *jsonschema.Schema, given any, depth int) any {
	_, missing := given.(absent)
	switch {
	case s == nil || depth > deepest:
		if missing {
			return nil
		}
		return given
	case !missing && s.Validate(given) == nil:
		return given
	case s.Ref != nil:
		return instance(s.Ref, given, depth+1)
	case len(s.Constant) > 0:
		return s.Constant[0]
	case len(s.Enum) > 0:
		return firstValid(s, s.Enum)
	}
	for _, one := range slices.Concat(s.AnyOf, s.OneOf) {
		if v := instance(one, given, depth+1); s.Validate(v) == nil {
			return v
		}
	}
	for _, each := range s.AllOf {
		given = instance(each, given, depth+1)
	}
	for _, kind := range kinds(s) {
		if v := instanceOf(s, kind, given, depth); s.Validate(v) == nil {
			return v
		}
	}
	return given
}

// kinds returns the types that a schema names, null last, or the one that its keywords are about.
func kinds(s *jsonschema.Schema) []string {
	switch {
	case len(s.Types) > 0:
		out := slices.Clone(s.Types)
		slices.SortStableFunc(out, func(a, b string) int { return strings.Compare(last(a), last(b)) })
		return out
	case s.Properties != nil || s.Required != nil || s.AdditionalProperties != nil:
		return []string{"object"}
	case s.Items != nil || s.Items2020 != nil || s.MinItems > 0:
		return []string{"array"}
	case s.Minimum != nil || s.Maximum != nil || s.MultipleOf != nil:
		return []string{"number"}
	}
	return []string{"string"}
}

// last sorts null after every other type.
func last(kind string) string {
	if kind == "null" {
		return "1"
	}
	return "0"
}

// instanceOf returns a value of one type.
func instanceOf(s *jsonschema.Schema, kind string, given any, depth int) any {
	switch kind {
	case "object":
		return object(s, given, depth)
	case "array":
		return array(s, given, depth)
	case "string":
		return text(s, given)
	case "integer", "number":
		return number(s)
	case "boolean":
		return firstValid(s, []any{true, false})
	}
	return nil
}

// firstValid returns the first of some values that a schema accepts, else the first.
func firstValid(s *jsonschema.Schema, values []any) any {
	for _, v := range values {
		if s.Validate(v) == nil {
			return v
		}
	}
	return values[0]
}

// object keeps the members that a schema allows, and adds those that it requires. A text that is left out replaces a
// required one: two calls that differ go on to do so.
func object(s *jsonschema.Schema, given any, depth int) any {
	members, _ := given.(map[string]any)
	out := map[string]any{}
	var spare []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		of, known := s.Properties[name]
		if extra, is := s.AdditionalProperties.(*jsonschema.Schema); !known && is {
			of, known = extra, true
		}
		word, isText := members[name].(string)
		switch {
		case known:
			out[name] = instance(of, members[name], depth+1)
		case s.AdditionalProperties != false:
			out[name] = members[name]
		case isText:
			spare = append(spare, word)
		}
	}
	for _, name := range s.Required {
		if _, there := out[name]; there {
			continue
		}
		if len(spare) > 0 {
			if out[name] = instance(s.Properties[name], spare[0], depth+1); out[name] == spare[0] {
				spare = spare[1:]
				continue
			}
		}
		out[name] = instance(s.Properties[name], absent{}, depth+1)
	}
	return out
}

// array keeps as many items as a schema allows, and adds those that it requires.
func array(s *jsonschema.Schema, given any, depth int) any {
	items, _ := given.([]any)
	if s.MaxItems >= 0 && len(items) > s.MaxItems {
		items = items[:s.MaxItems]
	}
	of := func(i int) *jsonschema.Schema {
		prefix, isTuple := s.Items.([]*jsonschema.Schema)
		if !isTuple {
			prefix = s.PrefixItems
		}
		if i < len(prefix) {
			return prefix[i]
		}
		if every, is := s.Items.(*jsonschema.Schema); is {
			return every
		}
		return s.Items2020
	}
	out := []any{}
	for i := range max(len(items), min(s.MinItems, 1000)) {
		value := any(absent{})
		if i < len(items) {
			value = items[i]
		}
		out = append(out, instance(of(i), value, depth+1))
	}
	return out
}

// samples are texts by the formats of JSON schema.
var samples = map[string]string{
	"date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "time": "03:04:05Z", "duration": "P1D", "email": "rome@example.org",
	"uri": "https://example.org/rome", "uuid": "7d444840-9dc0-41d1-b245-5ffdce74fad2", "hostname": "example.org", "ipv4": "192.0.2.1",
	"ipv6": "2001:db8::1",
}

// text returns a text of the length that a schema asks for.
func text(s *jsonschema.Schema, given any) any {
	word, is := given.(string)
	if sample, known := samples[s.Format]; known {
		return sample
	}
	if !is {
		word = "Rome"
	}
	letters := []rune(word)
	if s.MaxLength >= 0 && len(letters) > s.MaxLength {
		letters = letters[:s.MaxLength]
	}
	if n := min(s.MinLength, 1<<16) - len(letters); n > 0 {
		letters = append(letters, []rune(strings.Repeat("e", n))...)
	}
	return string(letters)
}

// number returns a number within the bounds of a schema.
func number(s *jsonschema.Schema) any {
	candidates := []any{float64(1), float64(0)}
	for _, bound := range []*big.Rat{s.Minimum, s.ExclusiveMinimum, s.Maximum, s.ExclusiveMaximum} {
		if bound == nil {
			continue
		}
		at, _ := bound.Float64()
		floor := new(big.Int).Div(bound.Num(), bound.Denom())
		whole, _ := new(big.Float).SetInt(floor).Float64()
		candidates = append(candidates, whole, whole+1, whole-1, at, at+0.5, at-0.5)
		if s.MultipleOf != nil {
			times := new(big.Rat).Quo(bound, s.MultipleOf)
			n := new(big.Int).Div(times.Num(), times.Denom())
			for _, more := range []int64{0, 1, -1} {
				multiple := new(big.Rat).Mul(new(big.Rat).SetInt(new(big.Int).Add(n, big.NewInt(more))), s.MultipleOf)
				v, _ := multiple.Float64()
				candidates = append(candidates, v)
			}
		}
	}
	return firstValid(s, candidates)
}
