package runner_test

import (
	"go/ast"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/spec"
)

var cited = regexp.MustCompile("`([a-z/]+): ((?:Test|Fuzz)[A-Za-z]+)`")

// missingTests lists the tests that a text names and that are in no source, as "package: test".
func missingTests(text string, sources []source) []string {
	have := map[string]bool{}
	for _, s := range sources {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.isTest() {
				have[s.dir()+": "+f.Name.Name] = true
			}
		}
	}
	var out []string
	for _, m := range cited.FindAllStringSubmatch(text, -1) {
		if name := m[1] + ": " + m[2]; !have[name] {
			out = append(out, name)
		}
	}
	return out
}

// TestCitedTests: a rationale names the tests of rules that no requirement covers.
func TestCitedTests(t *testing.T) {
	sources := moduleSources(t)
	names, err := fs.Glob(spec.FS, "*/rationale.md")
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(spec.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, missing := range missingTests(string(text), sources) {
			t.Errorf("spec/%s names %s, which isn't there", path.Clean(name), missing)
		}
	}
	if got := strings.Join(missingTests("see `runner: TestCitedTests` and `runner: TestThatIsNot`", sources), " "); got != "runner: TestThatIsNot" {
		t.Errorf("got %q", got)
	}
}
