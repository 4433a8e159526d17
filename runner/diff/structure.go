package diff

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// kind classifies the change of a keyword, judged by the keyword alone.
type kind int

const (
	narrowed kind = iota // fewer documents are right
	widened              // more documents are right
	retyped              // others are
	defined              // a member is new, without a constraint
	removed              // a member is gone
	unknown              // the keyword doesn't tell
)

// edit is a change of one statement of a schema.
type edit struct {
	kind        kind
	requirement string // id; "" for none
	document    string // as schemas.Set names it
	condition   string // as in a statement
	path        string // as in a statement
	keyword     string
	old, now    any    // nil where there was or is none
	what        string // a line of text
	file        string
}

// edits compares the statements of a document.
func edits(before, after []statement) []edit {
	old, now := grouped(before), grouped(after)
	var out []edit
	keys := slices.Concat(before, after)
	seen := map[string]bool{}
	for _, s := range keys {
		key := s.key()
		if seen[key] {
			continue
		}
		seen[key] = true
		if s.keyword == keywordMember && member(before, s) && member(after, s) {
			continue // it is there on another condition
		}
		gone, fresh := unlike(old[key], now[key]), unlike(now[key], old[key])
		for i := range max(len(gone), len(fresh)) {
			e := edit{document: s.document, condition: s.condition, path: s.path, keyword: s.keyword, file: s.file}
			if i < len(gone) {
				e.old, e.requirement, e.file = gone[i].value, gone[i].requirement, gone[i].file
			}
			if i < len(fresh) {
				e.now, e.requirement, e.file = fresh[i].value, fresh[i].requirement, fresh[i].file
			}
			e.kind, e.what = e.judge()
			out = append(out, e)
		}
	}
	return out
}

// member reports whether a version defines a member, on whatever condition.
func member(all []statement, of statement) bool {
	return slices.ContainsFunc(all, func(s statement) bool {
		return s.keyword == of.keyword && s.path == of.path && s.value == of.value
	})
}

func grouped(all []statement) map[string][]statement {
	out := map[string][]statement{}
	for _, s := range all {
		out[s.key()] = append(out[s.key()], s)
	}
	return out
}

// unlike lists the statements whose value the others don't have.
func unlike(all, others []statement) []statement {
	return slices.DeleteFunc(slices.Clone(all), func(s statement) bool {
		return slices.ContainsFunc(others, func(o statement) bool { return text(o.value) == text(s.value) })
	})
}

// named returns the value that an edit is about, as people say it.
func (e edit) named() string {
	at := strings.TrimPrefix(e.path, "/")
	if e.keyword == "required" || e.keyword == keywordMember || e.keyword == "not" {
		if name, ok := e.either().(string); ok {
			at = strings.TrimPrefix(at+"/"+name, "/")
		}
	}
	if at == "" {
		return "the document"
	}
	return "`" + strings.NewReplacer("~1", "/", "~0", "~").Replace(at) + "`"
}

// either returns the value that an edit has on one of its sides.
func (e edit) either() any {
	if e.now != nil {
		return e.now
	}
	return e.old
}

// judge returns the effect of an edit by its keyword alone.
func (e edit) judge() (kind, string) {
	behind := ""
	if e.condition != "" {
		behind = ", on a condition"
	}
	switch e.keyword {
	case "required":
		if e.old == nil { // the keyword was added; else it was removed
			return narrowed, e.named() + " is required" + behind
		}
		return widened, e.named() + " may be absent" + behind
	case keywordMember:
		if e.old == nil {
			return defined, e.named() + " is a new member" + behind
		}
		return removed, e.named() + " is no member any more" + behind
	case "not":
		if e.old == nil {
			return narrowed, e.named() + " must not be there" + behind
		}
		return widened, e.named() + " may be there" + behind
	case "x-lenient":
		return unknown, "readers accept something else of " + e.named() + behind
	}
	what := fmt.Sprintf("%s: %s is %s, was %s%s", e.named(), e.keyword, shownValue(e.now), shownValue(e.old), behind)
	switch {
	case e.old == nil:
		return narrowed, what
	case e.now == nil:
		return widened, what
	}
	switch e.keyword {
	case "type":
		return bySets(typesOf(e.old), typesOf(e.now)), what
	case "enum":
		return bySets(valuesOf(e.old), valuesOf(e.now)), what
	case "const":
		return retyped, what
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
		return byOrder(e.old, e.now, narrowed, widened), what
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
		return byOrder(e.old, e.now, widened, narrowed), what
	}
	return unknown, what
}

func shownValue(v any) string {
	if v == nil {
		return "nothing"
	}
	out := text(v)
	if len(out) > 60 {
		out = out[:60] + "…"
	}
	return out
}

// typesOf lists the types that a keyword admits. A number may be an integer.
func typesOf(v any) []string {
	out := valuesOf(v)
	if slices.Contains(out, `"number"`) {
		out = append(out, `"integer"`)
	}
	return out
}

func valuesOf(v any) []string {
	all, ok := v.([]any)
	if !ok {
		all = []any{v}
	}
	var out []string
	for _, one := range all {
		out = append(out, text(one))
	}
	return out
}

// bySets compares the accepted values.
func bySets(old, now []string) kind {
	within := func(a, b []string) bool {
		return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
	}
	switch {
	case within(old, now):
		return widened
	case within(now, old):
		return narrowed
	}
	return retyped
}

func byOrder(old, now any, up, down kind) kind {
	a, ok := number(old)
	b, ok2 := number(now)
	switch {
	case !ok || !ok2:
		return unknown
	case b.Cmp(a) > 0:
		return up
	}
	return down
}

func number(v any) (*big.Rat, bool) {
	n, ok := v.(json.Number)
	if !ok || len(n) > 40 || strings.ContainsAny(string(n), "eE") {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

// direction is the sender of a document, which determines whom a change of it breaks.
type direction int

const (
	toReaders direction = iota // a server sends it, and a reader reads it
	toServers                  // a client or the control binding sends it, and a server reads it
	reported                   // the adapter of a reader reports it to the suite
)

// class returns the class of an edit judged by the schema's structure alone. Documents may show that it is another.
func (k kind) class(d direction) Class {
	switch d {
	case toServers:
		return map[kind]Class{narrowed: BreaksReaders, widened: BreaksServers, retyped: BreaksReaders, defined: Additive, removed: BreaksReaders, unknown: BreaksReaders}[k]
	case reported:
		return map[kind]Class{narrowed: BreaksReaders, widened: Additive, retyped: BreaksReaders, defined: Additive, removed: Additive, unknown: BreaksReaders}[k]
	}
	return map[kind]Class{narrowed: BreaksServers, widened: BreaksReaders, retyped: BreaksReaders, defined: Additive, removed: BreaksReaders, unknown: BreaksReaders}[k]
}
