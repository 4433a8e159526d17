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

// clientRooms lists the files that may make HTTP clients or transports; a folder ends in /.
func clientRooms() []string {
	return []string{
		"runner/httpclient/",        // the clients of the kit
		"reference/model/client.go", // asks a model; the reference imports nothing of the kit
	}
}

// TestClientsAreBounded: HTTP clients come from runner/httpclient, so that each has its policy on redirects and its bounds.
func TestClientsAreBounded(t *testing.T) {
	if got := directClients(moduleSources(t)); len(got) > 0 {
		t.Errorf("expected clients of package httpclient:\n%s", strings.Join(got, "\n"))
	}
}

func TestDirectClients(t *testing.T) {
	file := func(body string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("package a\n\nimport \"net/http\"\n\n" + body + "\n")}
	}
	sources, err := readSources(fstest.MapFS{
		"a/literal.go": file("var c = http.Client{}"), "a/pointer.go": file("var c = &http.Client{}"), "a/zero.go": file("var c http.Client"),
		"a/new.go": file("var c = new(http.Client)"), "a/field.go": file("type c struct { http http.Client }"), "a/default.go": file("var c = http.DefaultClient"),
		"a/get.go": file("func f() { http.Get(\"\") }"), "a/carrier.go": file("var c = http.Transport{}"),
		"a/uses.go":      file("type c struct { http *http.Client }\n\nfunc f(c *http.Client) *http.Transport { return nil }\n\nvar h = http.Header{}"),
		"a/made_test.go": file("var c = http.Client{}"), "runner/httpclient/made.go": file("var c = http.Client{}"), "reference/model/client.go": file("var c = http.Client{}"),
		"reference/model/other.go": file("var c = http.Client{}"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a/carrier.go:5", "a/default.go:5", "a/field.go:5", "a/get.go:5", "a/literal.go:5", "a/new.go:5", "a/pointer.go:5", "a/zero.go:5", "reference/model/other.go:5"}
	if diff := cmp.Diff(want, directClients(sources)); diff != "" {
		t.Error(diff)
	}
}

// directClients lists where clients are made, or the default one is used, outside the rooms that may.
func directClients(sources []source) []string {
	makes := []string{"Client", "Transport", "DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm"}
	return madeOutside(sources, makes, func(s source) bool {
		return slices.ContainsFunc(clientRooms(), func(room string) bool {
			return s.name == room || strings.HasSuffix(room, "/") && strings.HasPrefix(s.name, room)
		})
	})
}

// directServers lists where servers are made or started outside the rooms that may.
func directServers(sources []source) []string {
	makes := []string{"Server", "ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS"}
	return madeOutside(sources, makes, func(s source) bool { return s.dir() == "runner/httpserver" })
}

// madeOutside lists uses of names of net/http, except pointers to values made elsewhere. Tests, and packages that only
// tests use, are exempt.
func madeOutside(sources []source, makes []string, room func(source) bool) []string {
	var out []string
	for _, s := range sources {
		if s.isTest() || strings.HasSuffix(s.dir(), "test") || room(s) {
			continue
		}
		pointers := map[ast.Expr]bool{}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if star, is := n.(*ast.StarExpr); is {
				pointers[star.X] = true
			}
			of, is := n.(*ast.SelectorExpr)
			if !is {
				return true
			}
			name, is := of.X.(*ast.Ident)
			if is && name.Name == "http" && slices.Contains(makes, of.Sel.Name) && !pointers[of] {
				out = append(out, fmt.Sprintf("%s:%d", s.name, s.set.Position(of.Pos()).Line))
			}
			return true
		})
	}
	slices.Sort(out)
	return out
}
