package schemas

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Problem is something that is wrong with a schema file.
type Problem struct {
	File    string // path from the root of the schemas
	Pointer string // into the file
	Message string // one line
}

// annotates lists the keywords that assert nothing.
func annotates(keyword string) bool {
	switch keyword {
	case "$schema", "$id", "$comment", "$defs", "$ref", "title", "description", examplesKeyword, tolerantKeyword, invalidKeyword,
		"properties", "items", "allOf", "if", "then", "else":
		return true
	}
	return false
}

// asserts lists the keywords that a value can break, as far as the kit's schemas use them.
func asserts(keyword string) bool {
	switch keyword {
	case "type", "const", "enum", "required", "additionalProperties", "minProperties", "maxProperties",
		"minItems", "minLength", "pattern", "format", "minimum", "exclusiveMinimum", "maximum", "not", "oneOf":
		return true
	}
	return false
}

// knownFormat lists the formats that the library checks and the kit uses. An unknown format would pass silently.
func knownFormat(format string) bool {
	switch format {
	case "uri", "date-time":
		return true
	}
	return false
}

// Problems checks the schema files themselves: every file has its address, describes its purpose and each property, and has valid examples, of which each
// passes, and invalid ones, of which each breaks the requirement it names; every keyword and format is a known one; every
// asserting keyword resolves to a requirement. The kit's documents have no requirements. That the files are valid
// against the meta-schema is checked when they are compiled.
func (s *Set) Problems() []Problem {
	var out []Problem
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		f := s.files[name]
		report := func(pointer, format string, args ...any) {
			out = append(out, Problem{name, pointer, fmt.Sprintf(format, args...)})
		}
		root, _ := f.doc.(map[string]any)
		for _, keyword := range []string{"$schema", "$id", "title", "description"} {
			if text, _ := root[keyword].(string); text == "" {
				report("", "%s is missing", keyword)
			}
		}
		walk(f.doc, "", func(pointer string, object map[string]any) {
			s.objectProblems(f, pointer, object, report)
		})
	}
	for _, name := range s.Names() {
		out = append(out, s.exampleProblems(s.entries[name])...)
	}
	return out
}

type reporter func(pointer, format string, args ...any)

func (s *Set) objectProblems(f *file, pointer string, object map[string]any, report reporter) {
	for _, keyword := range slices.Sorted(maps.Keys(object)) {
		here := pointer + "/" + escapePointer(keyword)
		switch {
		case asserts(keyword):
			if s.pack != "" && nearest(f.doc, here) == "" {
				report(here, "%s resolves to no requirement", keyword)
			}
		case !annotates(keyword):
			report(here, "%s is not a keyword that the kit knows", keyword)
		}
	}
	// A condition defines nothing, and a patch leaves the description.
	if in := pointer + "/"; !strings.Contains(in, "/if/") && !strings.Contains(in, "/not/") && !strings.Contains(in, "/"+tolerantKeyword+"/") {
		for name, member := range properties(object) {
			if about, _ := member.(map[string]any); about["description"] == nil {
				report(pointer+"/properties/"+escapePointer(name), "the property has no description")
			}
		}
	}
	if format, ok := object["format"].(string); ok && !knownFormat(format) {
		report(pointer+"/format", "%q is not a format that the kit knows", format)
	}
	if comment, ok := object["$comment"].(string); ok {
		if id, ok := requirementOf(object); !ok || s.pack != "" && !strings.HasPrefix(id, s.pack+".") {
			report(pointer+"/$comment", "%q names no requirement of the pack", comment)
		}
	}
}

// exampleProblems validates the examples of the file.
func (s *Set) exampleProblems(e *entry) []Problem {
	var out []Problem
	report := func(x Example, format string, args ...any) {
		out = append(out, Problem{e.file.path, "", x.Name + ": " + fmt.Sprintf(format, args...)})
	}
	if len(e.file.valid) == 0 {
		report(Example{Name: examplesKeyword}, "there is no valid example")
	}
	if len(e.file.invalid) == 0 {
		report(Example{Name: invalidKeyword}, "there is no invalid example")
	}
	for _, x := range e.file.valid {
		for p := range Profile(profiles) {
			for _, f := range s.check(e, p, x.Value).Findings {
				report(x, "a valid example is refused (%s): %s", p, f.Message)
			}
		}
	}
	seen := map[string]bool{}
	for _, x := range e.file.invalid {
		if x.Name == "" || seen[x.Name] {
			report(x, "an invalid example needs a name of its own")
		}
		seen[x.Name] = true
		s.invalidProblems(e, x, report)
	}
	return out
}

func (s *Set) invalidProblems(e *entry, x Example, report func(Example, string, ...any)) {
	if (s.pack != "") != (x.Requirement != "") {
		report(x, "names requirement %q", x.Requirement)
	}
	for p := range Profile(profiles) {
		findings := s.check(e, p, x.Value).Findings
		accepted := len(findings) == 0
		if want := p == Lenient && x.Lenient; accepted != want {
			report(x, "accepted is %t (%s), want %t", accepted, p, want)
			continue
		}
		for _, f := range findings {
			if f.Requirement != x.Requirement {
				report(x, "breaks %s too (%s): %s", f.Requirement, p, f.Message)
			}
		}
	}
}

// check runs a document through the method that the schema is for.
func (s *Set) check(e *entry, p Profile, data []byte) Result {
	switch {
	case strings.HasPrefix(e.name, "chunks/"):
		return s.Chunk(p, data)
	case strings.HasPrefix(e.name, "frames/"):
		return s.Event(p, strings.TrimPrefix(e.name, "frames/"), data)
	}
	return s.Document(e.name, p, data)
}
