package schemas

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// Dialect is the dialect of every schema.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// The names of the unions among [Set.Definitions]: each accepts every known type and, as a reader must, an unknown one.
const (
	AnyFrame = "any-frame"
	AnyChunk = "any-chunk"
)

// publisher writes the schemas of a pack as other programs load them: with keywords of the dialect alone, a profile at a time.
type publisher struct {
	set     *Set           // of the pack
	profile Profile        // whose schemas it writes
	prefix  string         // of references
	control bool           // members that only the control binding has are included
	unions  []union        // of the set
	out     map[string]any // by flat name
}

// Definitions returns the named schemas in a profile, and those that they refer to, by flat names such as "frames.end" or
// "common.frame". A reference is the name after the prefix, such as "#/$defs/". Without control, examples and the members
// that only the control binding has are left out.
func (s *Set) Definitions(p Profile, prefix string, names []string, control bool) map[string]any {
	pub := publisher{s, p, prefix, control, s.unions(), map[string]any{}}
	for _, name := range names {
		pub.refer(name, "", p)
	}
	return pub.out
}

// Bundle returns one schema with every schema of the pack in its definitions. It accepts the data of any event, if that has a
// type.
func (s *Set) Bundle(p Profile) map[string]any {
	names := s.Names()
	for _, u := range s.unions() {
		names = append(names, u.name)
	}
	out := map[string]any{
		"$schema": Dialect, "$id": base + s.pack + "/" + p.String() + ".json", "title": "The documents of " + s.pack + ", " + p.String(),
		"description": "Every document and part of one is in $defs. The schema itself accepts the data of any event.",
		"$defs":       s.Definitions(p, "#/$defs/", names, true),
	}
	if s.manifest.Discriminator != "" {
		out["$ref"] = "#/$defs/" + AnyFrame
	}
	return out
}

// FlatName returns the name among definitions of a schema that Names lists.
func FlatName(name string) string { return strings.ReplaceAll(name, "/", ".") }

// refer returns the reference to a schema by its name, or to a definition in its file.
func (pub publisher) refer(name, definition string, p Profile) string {
	flat := FlatName(name)
	if definition != "" {
		flat += "." + definition
	}
	if p != pub.profile {
		flat = p.String() + "." + flat
	}
	if _, there := pub.out[flat]; !there {
		pub.out[flat] = nil // a schema may refer to itself
		pub.out[flat] = pub.schema(name, definition, p)
	}
	return pub.prefix + flat
}

// schema returns a schema in a profile.
func (pub publisher) schema(name, definition string, p Profile) any {
	for _, u := range pub.unions {
		if u.name == name {
			return pub.union(u, definition, p)
		}
	}
	f := pub.set.files[path.Join(pub.set.pack, name+".json")]
	if definition != "" {
		return pub.rewrite(find(f.derived[p], "/$defs/"+definition)[2], f, p, false)
	}
	out := pub.rewrite(f.derived[p], f, p, false).(map[string]any)
	for _, u := range pub.unions { // the type of a document is that of its file, which need not demand it
		for t, names := range u.documents {
			if slices.Contains(names, name) && membersOf(out)[u.member] == nil {
				out["type"], membersOf(out)[u.member] = "object", map[string]any{"description": "The type of the document.", "const": t}
			}
		}
	}
	if nested := pub.set.manifest.Nested; nested.Member != "" && name == "frames/"+nested.Frame {
		membersOf(out)[nested.Member].(map[string]any)["$ref"] = pub.refer(AnyChunk, "", p)
	}
	return out
}

// rewrite copies a schema: references are the published ones, and the keywords of the kit are left out. What strict validators
// want is added: the type that a keyword applies to, unless a schema around it for the same value has one (typed), each
// required member among the properties, and a branch for each of several types.
func (pub publisher) rewrite(schema any, f *file, p Profile, typed bool) any {
	object, ok := schema.(map[string]any)
	if !ok {
		return schema
	}
	out := map[string]any{}
	typed = typed || object["type"] != nil
	for _, keyword := range slices.Sorted(maps.Keys(object)) {
		if of := typeOf[keyword]; of != "" && !typed {
			out["type"], typed = of, true
		}
	}
	for keyword, value := range object {
		switch keyword {
		case "$schema", "$id", "$defs", invalidKeyword, tolerantKeyword:
		case examplesKeyword:
			if pub.control { // examples may have members of the control binding
				out[keyword] = value
			}
		case "$ref":
			in, definition, _ := strings.Cut(value.(string), "#/$defs/")
			name := f.path
			if in != "" {
				name = path.Join(path.Dir(f.path), in)
			}
			out[keyword] = pub.refer(strings.TrimSuffix(strings.TrimPrefix(name, pub.set.pack+"/"), ".json"), definition, p)
		case "items", "additionalProperties":
			out[keyword] = pub.rewrite(value, f, p, false)
		case "if", "then", "else", "not":
			out[keyword] = pub.rewrite(value, f, p, typed)
		case "allOf", "oneOf":
			var list []any
			each(value, func(_ string, part any) { list = append(list, pub.rewrite(part, f, p, typed)) })
			out[keyword] = list
		case "properties":
			each(value, func(name string, member any) {
				of, _ := member.(map[string]any)
				if id, _ := requirementOf(of); pub.control || !strings.HasPrefix(id, pub.set.pack+".control.") {
					membersOf(out)[name] = pub.rewrite(member, f, p, false)
				}
			})
		default:
			out[keyword] = value
		}
	}
	for _, name := range texts(out["required"]) { // strict validators refuse a required member that has no schema
		if members := membersOf(out); members[name] == nil {
			members[name] = true
		}
	}
	splitTypes(out)
	return out
}

// typeOf has the types that keywords apply to.
var typeOf = map[string]string{
	"properties": "object", "required": "object", "additionalProperties": "object", "minProperties": "object", "maxProperties": "object",
	"items": "array", "minItems": "array", "minLength": "string", "pattern": "string", "format": "string",
	"minimum": "number", "maximum": "number", "exclusiveMinimum": "number",
}

// splitTypes makes a branch of each of several types of a schema, with the keywords that apply to it. One type or null stays.
func splitTypes(schema map[string]any) {
	types := texts(schema["type"])
	if len(types) < 2 || len(types) == 2 && slices.Contains(types, "null") {
		return
	}
	delete(schema, "type")
	var branches []any
	for _, t := range types {
		branch := map[string]any{"type": t}
		for keyword, value := range schema {
			if typeOf[keyword] == t {
				branch[keyword] = value
				delete(schema, keyword)
			}
		}
		branches = append(branches, branch)
	}
	schema["anyOf"] = branches
}

// membersOf returns the properties of a schema, to which some may be added.
func membersOf(schema map[string]any) map[string]any {
	if schema["properties"] == nil {
		schema["properties"] = map[string]any{}
	}
	return schema["properties"].(map[string]any)
}

// union is a schema that accepts every document of a folder, by the type that a member names.
type union struct {
	name, member string              // and the member that names the type
	documents    map[string][]string // names of schemas by type
	unknown      string              // schema of other types, from the pack's folder
}

// unions lists those of the set. A pack whose event field names the type of a frame has none of its frames.
func (s *Set) unions() []union {
	var out []union
	m := s.manifest
	if m.Discriminator != "" {
		out = append(out, union{AnyFrame, m.Discriminator, s.typed("frames", nil), m.Unknown.Frame})
	}
	if len(s.chunks) > 0 {
		out = append(out, union{AnyChunk, m.Discriminator, s.typed("chunks", nil), m.Unknown.Chunk})
	} else if m.Typed.Folder != "" {
		out = append(out, union{AnyChunk, m.Typed.Member, s.typed(m.Typed.Folder, m.Typed.Types), m.Typed.Unknown})
	}
	return out
}

// typed returns the schemas of a folder by the type of their documents: the name of the file, unless types has another.
func (s *Set) typed(folder string, types map[string]string) map[string][]string {
	out := map[string][]string{}
	for _, name := range s.Names() {
		if file, in := strings.CutPrefix(name, folder+"/"); in {
			out[cmp.Or(types[file], file)] = append(out[cmp.Or(types[file], file)], name)
		}
	}
	return out
}

// union returns the schema of a union, or a part of it: a type with several forms, or "unknown".
func (pub publisher) union(u union, part string, p Profile) any {
	var branches, types []any
	for _, t := range slices.Sorted(maps.Keys(u.documents)) {
		types = append(types, t)
		if forms := u.documents[t]; len(forms) == 1 {
			branches = append(branches, map[string]any{"$ref": pub.refer(forms[0], "", p)})
		} else if part == t {
			branches = nil
			for _, name := range forms {
				branches = append(branches, map[string]any{"$ref": pub.refer(name, "", p)})
			}
			return map[string]any{"title": t, "description": "One of the forms of this type.", "anyOf": branches}
		} else if part == "" {
			branches = append(branches, map[string]any{"$ref": pub.refer(u.name, t, p)})
		}
	}
	if part != "" {
		if u.name == AnyChunk && len(pub.set.chunks) > 0 {
			p = Lenient // as the kit checks them
		}
		name, definition, _ := strings.Cut(u.unknown, ".json#/$defs/")
		return map[string]any{
			"title": "Unknown", "description": "One of a type that this version doesn't define.", "type": "object", "$ref": pub.refer(name, definition, p),
			"properties": map[string]any{u.member: map[string]any{"description": "Another type.", "not": map[string]any{"enum": types}}},
		}
	}
	return map[string]any{
		"title": u.name, "description": "One of any type, which `" + u.member + "` names.", "type": "object", "required": []any{u.member},
		"properties": map[string]any{u.member: map[string]any{"description": "The type.", "type": "string"}},
		"oneOf":      append(branches, map[string]any{"$ref": pub.refer(u.name, "unknown", p)}),
	}
}

// Routes returns the requests of the protocol by their names in its specification.
func (s *Set) Routes() map[string]Route { return s.manifest.Routes }

// Union returns the member that names the type of the documents of a union, and the names of their schemas by type; "" if
// the pack has no such union.
func (s *Set) Union(name string) (member string, types map[string][]string) {
	for _, u := range s.unions() {
		if u.name == name {
			return u.member, u.documents
		}
	}
	return "", nil
}
