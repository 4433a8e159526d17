package runner_test

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// readingRooms lists, by function, where unbounded reads may be called; a folder ends in /. The reference imports nothing
// of the kit, and its servers are for tests.
func readingRooms() map[string][]string {
	files := []string{"runner/files/", "reference/"}
	return map[string][]string{
		"os.Open":     slices.Concat(files, []string{"runner/report/folder.go"}),                                       // regular files that it has looked at
		"os.ReadFile": slices.Concat(files, []string{"runner/launch/", "runner/model/modeltest/", "runner/cmd/dist/"}), // dist reads what this build wrote
		"os.DirFS":    files,
		"io.ReadAll": slices.Concat(files, []string{
			"runner/provider/", "runner/target/budget.go", "runner/report/exchange.go", "runner/client/request.go", // bounded, of servers
		}),
		"yaml.Unmarshal":    {"runner/files/yaml/"},
		"yaml.NewDecoder":   {"runner/files/yaml/"},
		"parser.ParseBytes": {"runner/files/yaml/"},
	}
}

// unboundedReads lists the calls of those functions elsewhere. Tests are exempt.
func unboundedReads(sources []source) []string {
	rooms := readingRooms()
	var out []string
	for _, s := range sources {
		if s.isTest() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, ok := sel.X.(*ast.Ident)
			if !ok {
				return true
			}
			name := of.Name + "." + sel.Sel.Name
			allowed, watched := rooms[name]
			in := slices.ContainsFunc(allowed, func(room string) bool {
				return s.name == room || strings.HasSuffix(room, "/") && strings.HasPrefix(s.name, room)
			})
			if watched && !in {
				out = append(out, fmt.Sprintf("%s:%s: %s: use runner/files or runner/files/yaml",
					s.name, strconv.Itoa(s.set.Position(sel.Pos()).Line), name))
			}
			return true
		})
	}
	slices.Sort(out)
	return out
}

func TestFilesAndAnswersAreReadInTheirRooms(t *testing.T) {
	for _, offender := range unboundedReads(moduleSources(t)) {
		t.Error(offender)
	}
}

func TestUnboundedReadsAreSeen(t *testing.T) {
	text := &fstest.MapFile{Data: []byte("package p\n\nimport \"os\"\n\nfunc f() { os.ReadFile(\"x\"); io.ReadAll(r); yaml.Unmarshal(b, &v) }\n")}
	sources, err := readSources(fstest.MapFS{"runner/a/a.go": text, "runner/a/a_test.go": text, "reference/a.go": text, "runner/files/b.go": text})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range unboundedReads(sources) {
		got = append(got, strings.Join(strings.SplitN(line, ": ", 3)[:2], ": "))
	}
	want := []string{
		"reference/a.go:5: yaml.Unmarshal", "runner/a/a.go:5: io.ReadAll", "runner/a/a.go:5: os.ReadFile",
		"runner/a/a.go:5: yaml.Unmarshal", "runner/files/b.go:5: yaml.Unmarshal",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
