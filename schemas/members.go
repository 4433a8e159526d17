package schemas

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Presence describes whether a member is required.
type Presence string

// The presences, from the strictest down.
const (
	Required  Presence = "required"
	Depends   Presence = "depends" // required by conditions on other members
	Optional  Presence = "optional"
	Forbidden Presence = "forbidden"
)

// Member is one member of a document as people read it, made of all that its schema and the schemas it refers to say.
type Member struct {
	Path    string             // its name; of members below it "a.b", of those of array items "a[].b"
	Type    string             // in words, with the values that it may have
	Strict  Presence           // in documents of a server
	Lenient Presence           // in documents that a reader must accept
	Meaning string             // the nearest description, "" if no schema has one
	IDs     []string           // of the requirements that its keywords belong to, sorted
	order   int                // of its first mention
	kinds   map[string]bool    // of JSON
	values  []string           // that it may have
	bounds  []string           // other limits, in words
	seen    [profiles]presence // by profile
}

// presence describes how the schema objects of one profile constrain the presence of a member.
type presence struct{ required, depends, forbidden bool }

func (p presence) word() Presence {
	switch {
	case p.forbidden:
		return Forbidden
	case p.required:
		return Required
	case p.depends:
		return Depends
	}
	return Optional
}

// Spelling of limits: largestInteger is shown as a power, and a longer pattern isn't shown.
const (
	largestInteger = "9007199254740991"
	longestLimit   = 48
)

// mostNested limits the depth at which nested members are listed.
const mostNested = 3

// Members lists the members of a schema by its name, such as "frames/end", in the order of their first mention: those that
// every document shares last. It is nil if there is no such schema.
func (s *Set) Members(name string) []Member {
	e, ok := s.entries[name]
	if !ok {
		return nil
	}
	m := members{set: s, by: map[string]*Member{}}
	for p := range profiles {
		m.profile = p
		m.object(e.file.derived[p], e.file, "", "", 0, false)
	}
	var out []Member
	for _, at := range slices.SortedFunc(maps.Keys(m.by), func(a, b string) int { return cmp.Compare(m.by[a].order, m.by[b].order) }) {
		x := m.by[at]
		x.Type = x.words()
		x.Strict, x.Lenient = x.seen[Strict].word(), x.seen[Lenient].word()
		slices.Sort(x.IDs)
		x.IDs = slices.Compact(x.IDs)
		out = append(out, *x)
	}
	return out
}

// About returns the title and the description of a schema by its name, "" where there are none.
func (s *Set) About(name string) (title, description string) {
	e, ok := s.entries[name]
	if !ok {
		return "", ""
	}
	doc, _ := e.file.doc.(map[string]any)
	title, _ = doc["title"].(string)
	description, _ = doc["description"].(string)
	return title, description
}

// members collects the constraints of schema objects on members.
type members struct {
	set     *Set               // whose schemas they are
	by      map[string]*Member // by the path of the member
	profile int                // whose schemas are walked now
	depth   int                // of references
	narrow  bool               // the schema applies to some values of a member only
}

// object reads the members of a schema object below a path. maybe reports that it applies under a condition.
func (m *members) object(schema any, f *file, at, id string, deep int, maybe bool) {
	o, ok := schema.(map[string]any)
	if !ok || deep > mostNested || m.depth > 2*mostNested+8 {
		return
	}
	m.depth++
	defer func() { m.depth-- }()
	if own, ok := requirementOf(o); ok {
		id = own
	}
	for name := range properties(o) {
		m.member(at, name)
	}
	for _, name := range texts(o["required"]) {
		x := m.member(at, name)
		x.seen[m.profile].required = x.seen[m.profile].required || !maybe
		x.seen[m.profile].depends = x.seen[m.profile].depends || maybe
		m.constrain(x, id)
	}
	for name, value := range properties(o) {
		x := m.member(at, name)
		m.value(x, value, f, id, deep, maybe)
	}
	if to, in := m.refer(o, f); to != nil {
		m.object(to, in, at, id, deep, maybe)
	}
	each(o["allOf"], func(_ string, part any) { m.object(part, f, at, id, deep, maybe) })
	for _, keyword := range []string{"then", "else"} {
		m.object(o[keyword], f, at, id, deep, true)
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		each(o[keyword], func(_ string, part any) { m.object(part, f, at, id, deep, true) })
	}
}

func (m *members) member(at, name string) *Member {
	full := at + name
	x, ok := m.by[full]
	if !ok {
		x = &Member{Path: full, order: len(m.by), kinds: map[string]bool{}}
		m.by[full] = x
	}
	return x
}

// properties returns the members that a schema object describes, by name, in the order of their names.
func properties(o map[string]any) func(func(string, any) bool) {
	all, _ := o["properties"].(map[string]any)
	return func(yield func(string, any) bool) {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if !yield(name, all[name]) {
				return
			}
		}
	}
}

func texts(value any) []string {
	list, _ := value.([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func (m *members) constrain(x *Member, id string) {
	if id != "" {
		x.IDs = append(x.IDs, id)
	}
}

// value reads the schema of a member's value.
func (m *members) value(x *Member, schema any, f *file, id string, deep int, maybe bool) {
	o, ok := schema.(map[string]any)
	if !ok || m.depth > 2*mostNested+8 { // references may form a cycle
		return
	}
	m.depth++
	defer func() { m.depth-- }()
	if own, ok := requirementOf(o); ok {
		id = own
	}
	if text, ok := o["description"].(string); ok && x.Meaning == "" {
		x.Meaning = text
	}
	if len(o) > 0 {
		m.constrain(x, id)
	}
	if not, ok := o["not"].(map[string]any); ok && len(not) == 0 && !maybe {
		x.seen[m.profile].forbidden = true
	}
	if m.profile == int(Strict) && !m.narrow {
		x.describe(o)
	}
	if to, in := m.refer(o, f); to != nil {
		m.value(x, to, in, id, deep, maybe)
	}
	each(o["allOf"], func(_ string, part any) { m.value(x, part, f, id, deep, maybe) })
	narrow := m.narrow // a branch describes some values only, so that the member isn't described by it
	m.narrow = true
	for _, keyword := range []string{"then", "else"} {
		m.value(x, o[keyword], f, id, deep, true)
	}
	m.narrow = narrow
	for _, keyword := range []string{"oneOf", "anyOf"} {
		each(o[keyword], func(_ string, part any) {
			if p, ok := part.(map[string]any); ok && m.profile == int(Strict) {
				x.describe(p)
			}
			m.object(part, f, x.Path+".", id, deep+1, true)
		})
	}
	if _, ok := o["properties"]; ok {
		m.object(map[string]any{"properties": o["properties"], "required": o["required"]}, f, x.Path+".", id, deep+1, maybe)
	}
	if items, ok := o["items"].(map[string]any); ok {
		m.object(items, f, x.Path+"[].", id, deep+1, maybe)
	}
}

// refer returns the schema that a $ref leads to, and the file that contains it; nil if there is none.
func (m *members) refer(o map[string]any, f *file) (any, *file) {
	ref, ok := o["$ref"].(string)
	if !ok {
		return nil, nil
	}
	name, pointer, _ := strings.Cut(ref, "#")
	in := f
	if name != "" {
		in = m.set.files[path.Join(path.Dir(f.path), name)]
	}
	if in == nil {
		return nil, nil
	}
	along := find(in.derived[m.profile], pointer)
	if len(along) == 0 {
		return nil, nil
	}
	return along[len(along)-1], in
}

// describe notes the kind and the limits that a schema object asks of a value.
func (x *Member) describe(o map[string]any) {
	switch v := o["type"].(type) {
	case string:
		x.kinds[v] = true
	case []any:
		for _, kind := range texts(v) {
			x.kinds[kind] = true
		}
	}
	add := func(list *[]string, text string) {
		if !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	if v, ok := o["const"]; ok {
		add(&x.values, shown(v))
	}
	each(o["enum"], func(_ string, v any) { add(&x.values, shown(v)) })
	for _, limit := range []struct{ keyword, words string }{
		{"minimum", "at least %v"}, {"maximum", "at most %v"}, {"pattern", "as %v"}, {"minItems", "at least %v items"}, {"format", "a %v"},
	} {
		if v, ok := o[limit.keyword]; ok {
			if text := fmt.Sprint(v); len(text) <= longestLimit {
				add(&x.bounds, fmt.Sprintf(limit.words, strings.ReplaceAll(text, largestInteger, "2^53 - 1")))
			} else {
				add(&x.bounds, "of a pattern")
			}
		}
	}
	if v, ok := o["minLength"]; ok && fmt.Sprint(v) == "1" {
		add(&x.bounds, "not empty")
	}
}

// words returns the type of a member in words.
func (x *Member) words() string {
	if x.kinds["integer"] {
		delete(x.kinds, "number")
	}
	kinds := slices.Sorted(maps.Keys(x.kinds))
	if i := slices.Index(kinds, "null"); i >= 0 { // reads best at the end
		kinds = append(slices.Delete(kinds, i, i+1), "null")
	}
	text := strings.Join(kinds, " or ")
	if len(x.values) > 0 {
		text = strings.Join(x.values, ", ")
		x.bounds = nil
	}
	if text == "" {
		text = "any"
	}
	if len(x.bounds) > 0 {
		text += "; " + strings.Join(x.bounds, ", ")
	}
	return text
}
