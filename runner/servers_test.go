package runner_test

import (
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestServersAreBounded: only package httpserver makes HTTP servers, which have its deadlines and bounds, and packages that
// only tests use.
func TestServersAreBounded(t *testing.T) {
	sources, err := readSources(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	if got := directServers(sources); len(got) > 0 {
		t.Errorf("expected servers of package httpserver, or httptest in a test:\n%s", strings.Join(got, "\n"))
	}
}

func TestDirectServers(t *testing.T) {
	file := func(body string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("package a\n\nimport \"net/http\"\n\n" + body + "\n")}
	}
	sources, err := readSources(fstest.MapFS{
		"a/made.go": file("var s = &http.Server{}"), "a/zero.go": file("var s http.Server"), "a/called.go": file("func f() { http.ListenAndServe(\"\", nil) }"),
		"a/uses.go": file("func f(s *http.Server) { _ = http.NotFoundHandler() }"), "a/made_test.go": file("var s = http.Server{}"),
		"a/atest/made.go": file("var s = http.Server{}"), "runner/httpserver/made.go": file("var s = http.Server{}"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a/called.go:5", "a/made.go:5", "a/zero.go:5"}
	if diff := cmp.Diff(want, directServers(sources)); diff != "" {
		t.Error(diff)
	}
}

// directServers lists where servers are made or begun outside the rooms that may.
func directServers(sources []source) []string {
	var out []string
	for _, s := range sources {
		if s.isTest() || strings.HasSuffix(s.dir(), "test") || s.dir() == "runner/httpserver" {
			continue
		}
		pointers := map[ast.Expr]bool{} // types that somebody else has made
		ast.Inspect(s.file, func(n ast.Node) bool {
			if star, is := n.(*ast.StarExpr); is {
				pointers[star.X] = true
			}
			of, is := n.(*ast.SelectorExpr)
			if !is {
				return true
			}
			name, is := of.X.(*ast.Ident)
			makes := []string{"Server", "ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS"}
			if is && name.Name == "http" && slices.Contains(makes, of.Sel.Name) && !pointers[of] {
				out = append(out, fmt.Sprintf("%s:%d", s.name, s.set.Position(of.Pos()).Line))
			}
			return true
		})
	}
	slices.Sort(out)
	return out
}
