package schemas

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what the schemas of a versioned protocol promise anew")

// surface lists the promises of a pack's schemas, a line each: documents, their members, which of them are required, and
// their possible values.
func surface(fsys fs.FS, pack string) ([]string, error) {
	lines := map[string]bool{}
	err := fs.WalkDir(fsys, pack, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".json" || path.Base(name) == "pack.json" {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		var schema any
		if err := json.Unmarshal(text, &schema); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		document := strings.TrimSuffix(strings.TrimPrefix(name, pack+"/"), ".json")
		lines[document+" document"] = true
		promises(schema, document, func(line string) { lines[line] = true })
		return nil
	})
	return slices.Sorted(maps.Keys(lines)), err
}

// promises visits the members and values of a schema.
func promises(schema any, at string, visit func(string)) {
	switch schema := schema.(type) {
	case []any:
		for _, one := range schema {
			promises(one, at, visit)
		}
	case map[string]any:
		for _, name := range items(schema["required"]) {
			visit(at + " required " + name)
		}
		for _, value := range items(schema["enum"]) {
			visit(at + " value " + value)
		}
		if value, ok := schema["const"]; ok {
			visit(at + " value " + fmt.Sprint(value))
		}
		members, _ := schema["properties"].(map[string]any)
		for name, member := range members {
			visit(at + " member " + name)
			promises(member, at+"/"+name, visit)
		}
		for _, keyword := range []string{"allOf", "oneOf", "anyOf", "then", "else", "items"} {
			promises(schema[keyword], at, visit)
		}
		definitions, _ := schema["$defs"].(map[string]any)
		for name, definition := range definitions {
			promises(definition, at+"#"+name, visit)
		}
	}
}

func items(list any) []string {
	var out []string
	all, _ := list.([]any)
	for _, one := range all {
		out = append(out, fmt.Sprint(one))
	}
	return out
}

// breaking lists the changes that a version can't take: a promise is gone, or a new demand on an existing member. A weaker
// demand on a request is none.
func breaking(before, after []string) []string {
	had, has := map[string]bool{}, map[string]bool{}
	for _, line := range before {
		had[line] = true
	}
	for _, line := range after {
		has[line] = true
	}
	var out []string
	for _, line := range before {
		where, what, _ := strings.Cut(line, " ")
		lessAsked := strings.HasPrefix(what, "required ") && (where == "request" || strings.HasPrefix(where, "request/") || strings.HasPrefix(where, "request#"))
		if !has[line] && !lessAsked {
			out = append(out, "gone: "+line)
		}
	}
	for _, line := range after {
		where, what, _ := strings.Cut(line, " ")
		document, _, _ := strings.Cut(strings.ReplaceAll(where, "#", "/"), "/")
		known := had[where+" document"] || had[document+" document"] || slices.ContainsFunc(before, func(l string) bool { return strings.HasPrefix(l, where+" ") })
		if !had[line] && strings.HasPrefix(what, "required ") && known {
			out = append(out, "asked for: "+line)
		}
	}
	return out
}

// TestChangesKeepTheVersion is the gate of the protocol's rule: additive changes keep the path, breaking ones need a
// new one. The promises of a version are in testdata; a new version gets a new file.
func TestChangesKeepTheVersion(t *testing.T) {
	readme, err := os.ReadFile("../spec/aep/README.md")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`POST /(v\d+)/agents`).FindSubmatch(readme)
	if version == nil {
		t.Fatal("spec/aep/README.md names no route POST /v…/agents")
	}
	after, err := surface(FS, "aep")
	if err != nil {
		t.Fatal(err)
	}
	file := "testdata/surface/aep-" + string(version[1]) + ".txt"
	text, err := os.ReadFile(file)
	if *update && (err == nil || os.IsNotExist(err)) {
		before := strings.Fields("")
		if err == nil {
			before = strings.Split(strings.TrimSpace(string(text)), "\n")
		}
		if found := breaking(before, after); len(found) == 0 {
			err = os.WriteFile(file, []byte(strings.Join(after, "\n")+"\n"), 0o644)
			text = []byte(strings.Join(after, "\n"))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, change := range breaking(before, after) {
		t.Errorf("%s; a breaking change needs the path of a new version, not %s", change, version[1])
	}
	if diff := cmp.Diff(before, after); diff != "" && !t.Failed() {
		t.Errorf("additive changes: run go test ./schemas -run TestChangesKeepTheVersion -update (-was +is)\n%s", diff)
	}
}

func TestBreaking(t *testing.T) {
	before := []string{"done document", "done member content", "done required content", "done/finishReason value stop", "request document", "request required messages"}
	for name, c := range map[string]struct {
		add, remove string
		want        []string
	}{
		"nothing":             {"", "", nil},
		"a new member":        {"done member usage", "", nil},
		"a new document":      {"paused document", "", nil},
		"a new value":         {"done/finishReason value length", "", nil},
		"a member less":       {"", "done member content", []string{"gone: done member content"}},
		"a value less":        {"", "done/finishReason value stop", []string{"gone: done/finishReason value stop"}},
		"no longer required":  {"", "done required content", []string{"gone: done required content"}},
		"more is asked":       {"done required usage", "", []string{"asked for: done required usage"}},
		"a request asks more": {"request required threadId", "", []string{"asked for: request required threadId"}},
		"a request asks less": {"", "request required messages", nil},
	} {
		after := slices.DeleteFunc(slices.Clone(before), func(l string) bool { return l == c.remove })
		if c.add != "" {
			after = append(after, c.add)
		}
		if diff := cmp.Diff(c.want, breaking(before, after)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
