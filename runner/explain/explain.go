package explain

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove/listed"
	"github.com/streamcert/streamcert/runner/similar"
	"github.com/streamcert/streamcert/runner/trace"
	"github.com/streamcert/streamcert/spec"
)

// Explanation is all that the kit knows about one requirement.
type Explanation struct {
	Requirement    spec.Requirement
	Scenarios      []features.Scenario // that prove it
	Mutants        []listed.Mutant     // that break it: those that are meant to, then those that do by necessity
	Keywords       []string            // where a schema carries its id: file#pointer
	ReferenceLines []trace.Line        // lines of the reference that keep it
	JudgeLines     []trace.Line        // lines of the judge that check it
	Asserted       []trace.Line        // lines that register the Thens of its scenarios, each once
	Expected       []trace.Line        // lines of the model, the steps and the campaigns that name it; only of a working copy
	Golden         string              // file of the example, "" when there is none
	Example        golden.Transcript
}

// Find returns the requirements that a pattern selects: an id or a glob of ids, with or without the name of the pack, or
// the name of a mutant, which selects the requirement that it breaks. The error is a *pack.SelectionError with similar
// names.
func Find(s *pack.Suite, catalogue []listed.Mutant, pattern string) ([]Explanation, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, &pack.SelectionError{Message: fmt.Sprintf("%q is not a pattern: a [ is not closed", pattern)}
	}
	meant := func(id string) bool {
		return pack.Matches(pattern, id) || slices.ContainsFunc(catalogue, func(m listed.Mutant) bool {
			return m.Name == pattern && m.Requirement == id
		})
	}
	code, err := trace.Read(s.Files.Sources, []string{s.Pack.Name})
	if err != nil {
		return nil, err
	}
	carried, err := schemaKeywords(s.Files.Schemas, s.Pack.Name)
	if err != nil {
		return nil, err
	}
	var out []Explanation
	for _, q := range s.Book.Pack(s.Pack.Name) {
		if !meant(q.ID) {
			continue
		}
		e := explain(s, catalogue, q)
		e.ReferenceLines, e.JudgeLines, e.Expected, e.Keywords = code.Reference(q.ID), code.Judge(q.ID), code.Expected(q.ID), carried[q.ID]
		out = append(out, e)
	}
	if len(out) == 0 {
		return nil, unknown(s, catalogue, pattern)
	}
	return out, nil
}

func explain(s *pack.Suite, catalogue []listed.Mutant, q spec.Requirement) Explanation {
	e := Explanation{Requirement: q}
	var played []features.Step
	for _, sc := range s.Scenarios {
		if sc.Requirement == q.ID {
			e.Scenarios = append(e.Scenarios, sc)
			for _, row := range sc.Rows {
				played = append(played, row.Steps...)
			}
		}
	}
	for _, d := range s.Vocabulary.Used(played) {
		if d.Keyword == features.Then {
			file, line := d.Source()
			e.Asserted = append(e.Asserted, trace.Line{File: file, Line: line, Text: strings.Trim(d.Pattern.String(), "^$")})
		}
	}
	for _, m := range catalogue {
		if m.Requirement == q.ID {
			e.Mutants = append(e.Mutants, m)
		}
	}
	for _, m := range catalogue {
		if slices.Contains(m.Also, q.ID) {
			e.Mutants = append(e.Mutants, m)
		}
	}
	for _, sc := range e.Scenarios {
		file, err := golden.Read(s.Files.Golden, sc.GoldenPath())
		if err == nil && len(file.Transcripts) > 0 {
			e.Golden, e.Example = "golden/"+sc.GoldenPath(), file.Transcripts[0]
			break
		}
	}
	return e
}

// nearest limits the suggested names, and mostEdits their edit distance.
const (
	nearest   = 3
	mostEdits = 12
)

// unknown suggests the names that a pattern may have meant. A part of a name is
// as near as a misspelt one.
func unknown(s *pack.Suite, catalogue []listed.Mutant, pattern string) error {
	var names []string
	for _, q := range s.Book.Pack(s.Pack.Name) {
		names = append(names, q.ID)
	}
	for _, m := range catalogue {
		names = append(names, m.Name)
	}
	distance := func(name string) int {
		switch {
		case pattern == "":
			return mostEdits + 1
		case strings.Contains(name, pattern):
			return 0
		}
		return min(similar.Distance(pattern, name, mostEdits+1), similar.Distance(pattern, strings.TrimPrefix(name, s.Pack.Name+"."), mostEdits+1))
	}
	slices.SortStableFunc(names, func(a, b string) int { return distance(a) - distance(b) })
	var near []string
	for _, name := range names {
		// A name that is much more distant than the first is no suggestion.
		if len(near) < nearest && distance(name) <= min(mostEdits, len(pattern)/2) && distance(name) <= distance(names[0])+2 {
			near = append(near, name)
		}
	}
	message := fmt.Sprintf("no requirement of pack %s and no mutant is named %q", s.Pack.Name, pattern)
	switch n := len(near); {
	case n == 0:
		message += "; `streamcert certify --reference --list` lists the requirements"
	case n == 1:
		message += "; did you mean " + near[0] + "?"
	case n > 1:
		message += "; did you mean " + strings.Join(near[:n-1], ", ") + " or " + near[n-1] + "?"
	}
	return &pack.SelectionError{Message: message}
}

// schemaKeywords finds where the schemas of a pack carry which id.
func schemaKeywords(fsys fs.FS, pack string) (map[string][]string, error) {
	places := map[string][]string{}
	err := fs.WalkDir(fsys, pack, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".json" {
			return err
		}
		source, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		var doc any
		if err := json.Unmarshal(source, &doc); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		carriers(doc, "", func(id, pointer string) { places[id] = append(places[id], "schemas/"+name+"#"+pointer) })
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for ids in the schemas of %s: %w", pack, err)
	}
	return places, nil
}

// carriers visits the objects of a schema whose comment names a requirement, in a fixed order, except examples.
func carriers(value any, pointer string, visit func(id, pointer string)) {
	switch v := value.(type) {
	case map[string]any:
		if comment, ok := v["$comment"].(string); ok {
			if id, ok := strings.CutPrefix(comment, "requirement "); ok {
				visit(id, pointer)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name != "examples" && name != "x-invalid" {
				carriers(v[name], pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), visit)
			}
		}
	case []any:
		for i, item := range v {
			carriers(item, pointer+"/"+strconv.Itoa(i), visit)
		}
	}
}
