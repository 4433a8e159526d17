package judge_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/judge/aep"
	"github.com/streamcert/streamcert/runner/judge/helix"
	"github.com/streamcert/streamcert/runner/judge/merlin"
	"github.com/streamcert/streamcert/spec"
)

// rulesOf lists the constants of a judge's rules.go, name and value, in their order.
func rulesOf(file *ast.File) (names, ids []string) {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			names = append(names, v.Names[0].Name)
			ids = append(ids, strings.Trim(v.Values[0].(*ast.BasicLit).Value, `"`))
		}
	}
	return names, ids
}

// unused returns the rules that no check names. The list of Requirements is no check.
func unused(t *testing.T, dir string, names []string) []string {
	t.Helper()
	used := map[string]bool{}
	for name, f := range sources(t, dir) {
		if name == "rules.go" {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
			}
			return true
		})
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return used[name] })
}

func sources(t *testing.T, dir string) map[string]*ast.File {
	t.Helper()
	files, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*ast.File{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), dir+"/"+name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = f
	}
	return out
}

// TestRulesAreRequirements: a judge names requirements that the spec has, each once, and each constant leads to a check.
func TestRulesAreRequirements(t *testing.T) {
	book, problems, err := spec.Load(spec.FS)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for pack, listed := range map[string][]string{"helix": helix.Requirements(), "aep": aep.Requirements(), "merlin": merlin.Requirements()} {
		names, ids := rulesOf(sources(t, pack)["rules.go"])
		if diff := cmp.Diff(ids, listed); diff != "" {
			t.Errorf("%s: the constants of rules.go aren't those that Requirements lists (-constants +list):\n%s", pack, diff)
		}
		for i, id := range ids {
			if bare := strings.NewReplacer(pack+".", "", ".", "", "-", "").Replace(id); !strings.EqualFold(bare, names[i]) {
				t.Errorf("%s: the constant of %s is called %s", pack, id, names[i])
			}
			if _, ok := book.Get(id); !ok || !strings.HasPrefix(id, pack+".") || slices.Index(ids, id) != i {
				t.Errorf("%s: %s is no requirement of the spec, or is there twice", pack, id)
			}
		}
		if left := unused(t, pack, names); len(left) > 0 {
			t.Errorf("%s: no check names %v", pack, left)
		}
	}
	if left := unused(t, "aep", []string{"eventsClock", "eventsForgotten"}); !slices.Equal(left, []string{"eventsForgotten"}) {
		t.Errorf("a rule without a check isn't found: %v", left)
	}
}
