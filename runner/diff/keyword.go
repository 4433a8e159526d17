package diff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// deepest bounds how far references lead, so that a schema that refers to itself ends.
const deepest = 24

// keywords reads schema files as JSON, to list their statements.
type keywords struct {
	fsys  fs.FS                     // the files of one version
	files map[string]map[string]any // decoded schema files, by path
}

// statement is one constraint of a schema on a value in a document.
type statement struct {
	document    string // as schemas.Set names it
	condition   string // canonical JSON of the conditions around it, "" for none
	path        string // JSON pointer of the value, with * for each item
	keyword     string // of JSON Schema, or keywordMember
	value       any
	requirement string // id; "" if no $comment names one
	file        string // path, for reports
}

// key identifies the statement's position: another value there is a change.
func (s statement) key() string {
	key := strings.Join([]string{s.document, s.condition, s.path, s.keyword}, "\x00")
	if s.keyword == "required" || s.keyword == keywordMember {
		key += "\x00" + text(s.value)
	}
	return key
}

// keywordMember is the statement that a member is defined, without a constraint.
const keywordMember = "properties"

// text returns the JSON of a value, the same for equal values.
func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil { // it was read from JSON
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// file reads a schema file once.
func (k *keywords) file(name string) (map[string]any, error) {
	if known, ok := k.files[name]; ok {
		return known, nil
	}
	data, err := fs.ReadFile(k.fsys, name)
	if err != nil {
		return nil, fmt.Errorf("reading the keywords of %s: %w", name, err)
	}
	object, ok := decode(data).(map[string]any)
	if !ok {
		return nil, fmt.Errorf("reading the keywords of %s: it isn't a JSON object", name)
	}
	k.files[name] = object
	return object, nil
}

// decode reads JSON; numbers keep their text. It returns nil for invalid JSON.
func decode(data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// statements lists the statements of a document's schema, each once, in a fixed order.
func (k *keywords) statements(pack, document string) ([]statement, error) {
	w := &walker{keywords: k, document: document, seen: map[string]bool{}}
	if err := w.file(path.Join(pack, document+".json")); err != nil {
		return nil, err
	}
	return w.out, nil
}

// position is the position of a walk: in a file, at a value, under conditions.
type position struct {
	file, path, condition, requirement string
	depth                              int // of references, which may form a cycle
}

type walker struct {
	keywords *keywords
	document string          // as schemas.Set names it
	seen     map[string]bool // statements, so that each is listed once
	out      []statement     // in the order of the walk
}

func (w *walker) file(name string) error {
	object, err := w.keywords.file(name)
	if err != nil {
		return err
	}
	return w.object(object, position{file: name})
}

func (w *walker) say(at position, keyword string, value any) {
	s := statement{w.document, at.condition, at.path, keyword, value, at.requirement, at.file}
	if key := s.key() + "\x00" + text(value); !w.seen[key] {
		w.seen[key] = true
		w.out = append(w.out, s)
	}
}

// object visits a schema object. The requirement is that of the nearest comment in the same file.
func (w *walker) object(object map[string]any, at position) error {
	if at.depth++; at.depth > deepest {
		return nil
	}
	if comment, _ := object["$comment"].(string); comment != "" {
		if id, ok := strings.CutPrefix(comment, "requirement "); ok {
			at.requirement = id
		}
	}
	for _, keyword := range slices.Sorted(maps.Keys(object)) {
		value := object[keyword]
		var err error
		switch keyword {
		case "$schema", "$id", "$comment", "$defs", "title", "description", "examples", "x-invalid", "if", "then", "else":
		case "required":
			names, _ := value.([]any)
			for _, name := range names {
				w.say(at, keyword, name)
			}
		case "properties":
			err = w.members(value, at)
		case "items":
			err = w.inside(value, at, "*")
		case "allOf":
			all, _ := value.([]any)
			for _, one := range all {
				if err = w.inside(one, at, ""); err != nil {
					break
				}
			}
		case "$ref":
			err = w.reference(value, at)
		default:
			w.say(at, keyword, value)
		}
		if err != nil {
			return err
		}
	}
	return w.conditions(object, at)
}

// inside visits a schema of the same value, or of a part of it.
func (w *walker) inside(schema any, at position, part string) error {
	object, ok := schema.(map[string]any)
	if !ok {
		return nil
	}
	if part != "" {
		at.path += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(part)
	}
	return w.object(object, at)
}

func (w *walker) members(value any, at position) error {
	members, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		of := at
		if object, ok := members[name].(map[string]any); ok {
			if id, ok := strings.CutPrefix(text(object["$comment"]), `"requirement `); ok {
				of.requirement = strings.TrimSuffix(id, `"`)
			}
			if not, _ := object["not"].(map[string]any); not != nil && len(not) == 0 {
				w.say(of, "not", name) // a member that must not be there is none that was defined
				if lenient, ok := object["x-lenient"]; ok {
					of.path += "/" + name
					w.say(of, "x-lenient", lenient)
				}
				continue
			}
		}
		w.say(of, keywordMember, name)
		if err := w.inside(members[name], at, name); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) reference(value any, at position) error {
	ref, _ := value.(string)
	name, pointer, _ := strings.Cut(ref, "#")
	to := at
	if name != "" {
		to.file = path.Join(path.Dir(at.file), name)
	}
	object, err := w.keywords.file(to.file)
	if err != nil {
		return err
	}
	for part := range strings.SplitSeq(strings.Trim(pointer, "/"), "/") {
		if part == "" {
			continue
		}
		next, ok := object[part].(map[string]any)
		if !ok {
			return fmt.Errorf("reading the keywords of %s: nothing is at %s", at.file, ref)
		}
		object = next
	}
	return w.object(object, to)
}

// conditions visits the conditional parts of a schema.
func (w *walker) conditions(object map[string]any, at position) error {
	condition, ok := object["if"]
	if !ok {
		return nil
	}
	for _, branch := range []struct{ keyword, word string }{{"then", "if "}, {"else", "unless "}} {
		behind := at
		behind.condition = strings.TrimSpace(at.condition + " " + branch.word + at.path + text(condition))
		if err := w.inside(object[branch.keyword], behind, ""); err != nil {
			return err
		}
	}
	return nil
}
