package trace_test

import (
	"errors"
	"fmt"
	"go/scanner"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/trace"
)

func folder(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func read(t *testing.T, reference, judge map[string]string) trace.Index {
	t.Helper()
	x, err := trace.Read(trace.Sources{Reference: folder(reference), Judge: folder(judge)}, []string{"toy", "tin"})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// texts returns the lines, each with its text.
func texts(list []trace.Line) []string {
	var out []string
	for _, p := range list {
		out = append(out, fmt.Sprintf("%s %s", p, p.Text))
	}
	return out
}

func TestReference(t *testing.T) {
	x := read(t, map[string]string{
		"toy/echo.go": `// Package toy is about toy.echo.all.
package toy

// echo keeps toy.echo.doc.
func echo() {
	// toy.echo.above, toy.echo.as-well: two of them,
	// over two lines, and toy.echo.more.

	say() // toy.echo.beside; no id is toy.echo or other.echo.above
	/* toy.echo.block */ cry()
	if loud {
		// toy.echo.last: below it nothing is.
	}
	quote("toy.echo.text")
}
`,
		"toy/echo_test.go":   "package toy\n\n// toy.echo.doc\nvar x int\n",
		"mutant/toy/echo.go": "package toy\n\n// toy.echo.doc\nvar x int\n",
		"variant/echo.go":    "package toy\n\n// toy.echo.doc\nvar x int\n",
		"alter/echo.go":      "package toy\n\n// toy.echo.doc\nvar x int\n",
		"toy/testdata/a.go":  "package toy\n\n// toy.echo.doc\nvar x int\n",
	}, nil)
	for id, want := range map[string][]string{
		"toy.echo.all":     nil,
		"toy.echo.doc":     {"reference/toy/echo.go:5 func echo() {"},
		"toy.echo.above":   {"reference/toy/echo.go:9 say() // toy.echo.beside; no id is toy.echo or other.echo.above"},
		"toy.echo.as-well": {"reference/toy/echo.go:9 say() // toy.echo.beside; no id is toy.echo or other.echo.above"},
		"toy.echo.more":    {"reference/toy/echo.go:9 say() // toy.echo.beside; no id is toy.echo or other.echo.above"},
		"toy.echo.beside":  {"reference/toy/echo.go:9 say() // toy.echo.beside; no id is toy.echo or other.echo.above"},
		"toy.echo.block":   {"reference/toy/echo.go:10 /* toy.echo.block */ cry()"},
		"toy.echo.last":    nil,
		"toy.echo.text":    nil,
	} {
		if diff := cmp.Diff(want, texts(x.Reference(id))); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
	if x.Files != 1 || len(x.Mentions) != 8 {
		t.Errorf("%d files, %v", x.Files, x.Mentions)
	}
}

func TestJudge(t *testing.T) {
	x := read(t, nil, map[string]string{
		"toy/rules.go": `package toy

const (
	same  = "toy.echo.same"
	typed = rule("toy.echo.typed")
	loud  = iota
	counted
	listed
	unsaid
)

var ids = [...]string{
	loud:    "toy.echo.loud",
	counted: "toy.echo.counted",
	listed:  "toy.echo.listed",
}

func Requirements() []string { return []string{same, listed} }
`,
		"toy/check.go": `package toy

func (m machine) same() {
	m.Saw(same)
	m.add(same, "is another")
	m.loud()
	m.add(typed)
	m.add(loud); m.see(loud)
	r := rules{first: loud, name: "toy.echo.table"}
	m.Saw(counted); m.show(r, name)
	m.breach("toy.echo.plain")
	m.text("about toy.echo.prose")
	// toy.echo.comment: here.
	m.schema()
}
`,
		"toy/check_test.go": "package toy\n\nfunc x() { add(listed) }\n",
		"tin/check.go":      "package tin\n\nfunc x() { add(same, \"tin.echo.same\") }\n",
		"judge.go":          "package judge\n\nfunc x() { add(\"toy.echo.elsewhere\") }\n",
	})
	const check, rules = "runner/judge/toy/check.go:", "runner/judge/toy/rules.go:"
	for id, want := range map[string][]string{
		"toy.echo.same":      {check + `5 m.add(same, "is another")`},
		"toy.echo.typed":     {check + "7 m.add(typed)"},
		"toy.echo.loud":      {check + "8 m.add(loud); m.see(loud)", check + `9 r := rules{first: loud, name: "toy.echo.table"}`},
		"toy.echo.table":     {check + `9 r := rules{first: loud, name: "toy.echo.table"}`},
		"toy.echo.counted":   {check + "10 m.Saw(counted); m.show(r, name)"},
		"toy.echo.plain":     {check + `11 m.breach("toy.echo.plain")`},
		"toy.echo.prose":     nil,
		"toy.echo.comment":   {check + "14 m.schema()"},
		"toy.echo.listed":    {rules + `15 listed:  "toy.echo.listed",`},
		"tin.echo.same":      {`runner/judge/tin/check.go:3 func x() { add(same, "tin.echo.same") }`},
		"toy.echo.elsewhere": nil,
	} {
		if diff := cmp.Diff(want, texts(x.Judge(id))); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
}

func TestReadWithoutSources(t *testing.T) {
	for _, s := range []trace.Sources{{}, {Reference: folder(nil)}, {Judge: folder(nil)}} {
		if x, err := trace.Read(s, []string{"toy"}); err != nil || x.Files != 0 || x.Reference("toy.echo.same") != nil || s.Known() {
			t.Errorf("%+v, %v", x, err)
		}
	}
	x, err := trace.Read(trace.Sources{Reference: folder(map[string]string{"a.go": "package a\n"}), Judge: folder(nil)}, nil)
	if err != nil || x.Files != 0 {
		t.Errorf("without packs: %+v, %v", x, err)
	}
}

func TestReadNamesWhatIsNoGo(t *testing.T) {
	for _, s := range []trace.Sources{
		{Reference: folder(map[string]string{"toy/a.go": "package toy\nfunc {"}), Judge: folder(nil)},
		{Reference: folder(nil), Judge: folder(map[string]string{"toy/a.go": "package toy\nfunc {"})},
	} {
		_, err := trace.Read(s, []string{"toy"})
		var syntax scanner.ErrorList
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), "toy/a.go:2:6: ") {
			t.Error(err)
		}
	}
}
