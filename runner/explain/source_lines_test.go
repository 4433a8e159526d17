package explain_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/scanner"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/explain"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/trace"
)

func explanation(t *testing.T, sources trace.Sources, id string) string {
	t.Helper()
	s := *certifytest.Load(t, "helix")
	s.Files.Sources = sources
	var b bytes.Buffer
	if err := explained(t, &s, id)[0].Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestExplainShowsCode: the embedded sources lead from a requirement to the code, without a working copy.
func TestExplainShowsCode(t *testing.T) {
	text := explanation(t, trace.Sources{Reference: reference.FS, Judge: judge.FS}, "helix.wire.blank-line")
	for _, want := range []string{
		"\nkept by\n  reference/helix/encoder.go:", "    return append(dst, \"\\n\\n\"...)\n",
		"\nheld by\n  runner/judge/helix/", "\nasserted by\n  steps/judge.go:",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

func TestExplainWithoutCode(t *testing.T) {
	if text := explanation(t, trace.Sources{}, "helix.wire.blank-line"); strings.Contains(text, "kept by") || strings.Contains(text, "held by") {
		t.Error(text)
	}
}

// TestExplainShowsExpectations: a working copy has the code that states what a server must send.
func TestExplainShowsExpectations(t *testing.T) {
	code := func(text string) fstest.MapFS { return fstest.MapFS{"helix/a.go": {Data: []byte(text)}} }
	text := explanation(t, trace.Sources{Reference: fstest.MapFS{}, Judge: fstest.MapFS{}, Expectations: map[string]fs.FS{
		"runner/campaign": code("package helix\n\nvar c = \"helix.wire.blank-line\"\n"), "runner/model": code("package helix\n\nvar m = \"helix.wire.blank-line\" // here\n"),
	}}, "helix.wire.blank-line")
	const want = "\nexpected by\n  runner/model/helix/a.go:3\n    var m = \"helix.wire.blank-line\" // here\n  runner/campaign/helix/a.go:3\n    var c = \"helix.wire.blank-line\"\n"
	if !strings.Contains(text, want) {
		t.Errorf("%q is missing in\n%s", want, text)
	}
}

func TestExplainShortensManyLines(t *testing.T) {
	var code strings.Builder
	code.WriteString("package helix\n")
	for i := range 10 {
		fmt.Fprintf(&code, "var v%d int // helix.wire.blank-line\n", i)
	}
	text := explanation(t, trace.Sources{Reference: fstest.MapFS{"a.go": {Data: []byte(code.String())}}, Judge: fstest.MapFS{}},
		"helix.wire.blank-line")
	for _, want := range []string{"  reference/a.go:9\n    var v7 int", "\n  … and 2 more\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "reference/a.go:10") {
		t.Error(text)
	}
}

// TestExplainNamesBadCode: a file of a working copy that isn't Go is named.
func TestExplainNamesBadCode(t *testing.T) {
	s := *certifytest.Load(t, "helix")
	s.Files.Sources = trace.Sources{Reference: fstest.MapFS{"a.go": {Data: []byte("package")}}, Judge: fstest.MapFS{}}
	_, err := explain.Find(&s, broken(), "helix.wire.blank-line")
	var syntax scanner.ErrorList
	if !errors.As(err, &syntax) || !strings.Contains(err.Error(), "reference/a.go:1:") {
		t.Error(err)
	}
}
