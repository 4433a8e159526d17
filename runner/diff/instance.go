package diff

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

// samples are values of each type.
func samples() []any {
	return []any{"x", "", json.Number("7"), json.Number("-1"), json.Number("1.5"), true, nil, map[string]any{}, map[string]any{"a": "x"}, []any{}, []any{"x"}}
}

// directed makes documents from a base on both sides of an edit: some that only the old keyword accepts, and some that only
// the new one accepts.
func directed(e edit, base any) []any {
	var out []any
	at := concrete(base, parts(e.path))
	put := func(path []string, values ...any) {
		for _, v := range values {
			if changed, ok := with(base, path, v); ok {
				out = append(out, changed)
			}
		}
	}
	drop := func(name string) {
		if changed, ok := without(base, append(slices.Clone(at), name)); ok {
			out = append(out, changed)
		}
	}
	name, _ := e.either().(string)
	switch e.keyword {
	case "required":
		drop(name)
	case "not":
		put(append(slices.Clone(at), name), samples()...)
		drop(name)
	case "additionalProperties":
		put(append(slices.Clone(at), "memberFromTheFuture"), samples()...)
	case "x-lenient":
		put(at, samples()...)
		if object, ok := value(base, at).(map[string]any); ok {
			for member := range object {
				drop(member)
			}
		}
	default:
		put(at, samples()...)
		for _, side := range []any{e.old, e.now} {
			put(at, around(e.keyword, side)...)
		}
	}
	return out
}

// around lists values at the edge of those that a keyword accepts.
func around(keyword string, v any) []any {
	n, isNumber := number(v)
	switch keyword {
	case "const":
		return []any{v}
	case "enum":
		all, _ := v.([]any)
		return all
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		if isNumber && n.IsInt() {
			return []any{plus(n, -1), plus(n, 0), plus(n, 1), json.Number(plus(n, 0).String() + ".5")}
		}
	case "minLength", "maxLength", "minItems", "maxItems":
		if isNumber && n.IsInt() && n.Num().IsInt64() && n.Num().Int64() < 1<<16 {
			return sized(keyword, int(n.Num().Int64()))
		}
	case "pattern":
		pattern, _ := v.(string)
		return matching(pattern)
	}
	return nil
}

func plus(n *big.Rat, by int64) json.Number {
	return json.Number(new(big.Int).Add(n.Num(), big.NewInt(by)).String())
}

func sized(keyword string, n int) []any {
	var out []any
	for _, length := range []int{max(0, n-1), n, n + 1} {
		if strings.HasSuffix(keyword, "Length") {
			out = append(out, strings.Repeat("x", length))
			continue
		}
		items := make([]any, length)
		for i := range items {
			items[i] = "x"
		}
		out = append(out, items)
	}
	return out
}

// matching makes texts that a pattern matches, the same ones each time, and some that differ from those by one character.
func matching(pattern string) []any {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	const texts = 48
	r := rand.New(rand.NewPCG(1, 2))
	var out []any
	for range texts {
		var b strings.Builder
		write(&b, re.Simplify(), r)
		made := []rune(b.String())
		out = append(out, string(made))
		if len(made) > 0 {
			i := r.IntN(len(made))
			out = append(out, string(slices.Delete(slices.Clone(made), i, i+1)), string(slices.Insert(slices.Clone(made), i, made[i])))
		}
	}
	return out
}

// write makes a text that a syntax tree matches. Repetitions are short.
func write(b *strings.Builder, re *syntax.Regexp, r *rand.Rand) {
	times := func(least, most int) {
		for range least + r.IntN(most-least+1) {
			write(b, re.Sub[0], r)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		pair := 2 * r.IntN(len(re.Rune)/2)
		low, high := re.Rune[pair], re.Rune[pair+1]
		b.WriteRune(low + rune(r.IntN(int(min(high-low, 25))+1)))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("aZ0 -~"[r.IntN(6)])
	case syntax.OpCapture:
		write(b, re.Sub[0], r)
	case syntax.OpStar:
		times(0, 3)
	case syntax.OpPlus:
		times(1, 3)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpRepeat:
		times(re.Min, max(re.Min, min(re.Max, re.Min+3)))
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			write(b, sub, r)
		}
	case syntax.OpAlternate:
		write(b, re.Sub[r.IntN(len(re.Sub))], r)
	}
}

// parts returns the elements of a path, nil for that of the document.
func parts(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path[1:], "/")
}

// concrete makes the path of one value: of items, the first.
func concrete(base any, tokens []string) []string {
	var out []string
	for _, t := range tokens {
		if t == "*" {
			t = "0"
		}
		out = append(out, strings.NewReplacer("~1", "/", "~0", "~").Replace(t))
	}
	return out
}

// value returns the JSON value at a path; nil if there is none.
func value(root any, path []string) any {
	for _, part := range path {
		switch v := root.(type) {
		case map[string]any:
			root = v[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			root = v[i]
		default:
			return nil
		}
	}
	return root
}

// with returns a document with another value at a path. Objects on the way are made; ok is false where the way leads through
// something else, or to an item that isn't there.
func with(root any, path []string, v any) (changed any, ok bool) {
	if len(path) == 0 {
		return v, true
	}
	switch of := root.(type) {
	case map[string]any, nil:
		object, _ := of.(map[string]any)
		out := map[string]any{}
		for name, member := range object {
			out[name] = member
		}
		if out[path[0]], ok = with(out[path[0]], path[1:], v); !ok {
			return nil, false
		}
		return out, true
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(of) {
			return nil, false
		}
		out := slices.Clone(of)
		if out[i], ok = with(out[i], path[1:], v); !ok {
			return nil, false
		}
		return out, true
	}
	return nil, false
}

// without returns a document that lacks a member; ok is false if it lacked it before.
func without(root any, path []string) (changed any, ok bool) {
	last := len(path) - 1
	object, isObject := value(root, path[:last]).(map[string]any)
	if _, there := object[path[last]]; !isObject || !there {
		return nil, false
	}
	out := map[string]any{}
	for name, member := range object {
		if name != path[last] {
			out[name] = member
		}
	}
	return with(root, path[:last], out)
}

// shortened returns a document as a report can show it.
func shortened(v any) string {
	const most = 160
	out := text(v)
	if len(out) > most {
		out = fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(out[:most], ""), len(out))
	}
	return out
}
