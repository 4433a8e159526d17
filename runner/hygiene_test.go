package runner_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const (
	mostFileLines     = 400
	mostFunctionLines = 60
	mostMethods       = 25 // of a type in steps, where a world is what sentences work on and not what does their work
)

func moduleSources(t *testing.T) []source {
	t.Helper()
	sources, err := readSources(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	if len(sources) == 0 {
		t.Fatal("no Go file was found")
	}
	return sources
}

// longFiles lists files that are to be split by meaning.
func longFiles(sources []source) []string {
	var out []string
	for _, s := range sources {
		if n := strings.Count(string(s.text), "\n"); !s.isTest() && n > mostFileLines {
			out = append(out, fmt.Sprintf("%s: %d lines, expected at most %d", s.name, n, mostFileLines))
		}
	}
	return out
}

// longFunctions lists functions that are to be split. A table may be as long as its entries, in a test or in a catalogue.
func longFunctions(sources []source) []string {
	var out []string
	for _, s := range sources {
		for _, decl := range s.file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || s.isTest() || isTable(f) {
				continue
			}
			from, to := s.set.Position(f.Pos()).Line, s.set.Position(f.End()).Line
			if n := to - from + 1; n > mostFunctionLines {
				out = append(out, fmt.Sprintf("%s:%d: %s has %d lines, expected at most %d", s.name, from, f.Name.Name, n, mostFunctionLines))
			}
		}
	}
	return out
}

// crowdedTypes lists types of the vocabularies that have methods of verbs instead of sentences.
func crowdedTypes(sources []source) []string {
	methods := map[string]int{}
	for _, s := range sources {
		if s.isTest() || !strings.HasPrefix(s.dir()+"/", "steps/") {
			continue
		}
		for _, decl := range s.file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[s.dir()+": "+receiver(f.Recv.List[0].Type)]++
			}
		}
	}
	var out []string
	for name, n := range methods {
		if n > mostMethods {
			out = append(out, fmt.Sprintf("%s has %d methods, expected at most %d", name, n, mostMethods))
		}
	}
	slices.Sort(out)
	return out
}

// receiver returns the name of the type that a method belongs to.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// undocumented lists packages without a doc.go that describes them, and packages with a meaningless name.
func undocumented(sources []source) []string {
	documented := map[string]bool{}
	for _, s := range sources {
		if path.Base(s.name) == "doc.go" && s.file.Doc != nil {
			documented[s.dir()] = true
		}
	}
	var out []string
	for _, s := range sources {
		if !documented[s.dir()] {
			out = append(out, s.dir()+": no doc.go with a comment on the package")
		}
		if slices.Contains([]string{"util", "utils", "common", "helpers", "types"}, s.file.Name.Name) {
			out = append(out, s.dir()+": "+s.file.Name.Name+" is no name of a package")
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// machinePath matches paths that exist only on one person's machine.
var machinePath = regexp.MustCompile(`(^|[\s"'=(\x60:])/(work|root|home|Users)/[A-Za-z0-9._-]`)

// ignoredFolders lists the folders that are made in a checkout and not committed: the lines of .gitignore that name one.
func ignoredFolders(fsys fs.FS) ([]string, error) {
	text, err := fs.ReadFile(fsys, ".gitignore")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "/") && strings.HasSuffix(line, "/") {
			out = append(out, strings.Trim(line, "/"))
		}
	}
	return out, nil
}

// machinePaths lists the positions of such paths in text files, outside of testdata and of files that git ignores.
func machinePaths(fsys fs.FS) ([]string, error) {
	built, err := ignoredFolders(fsys)
	if err != nil {
		return nil, err
	}
	var out []string
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git" || slices.Contains(built, name)):
			return fs.SkipDir
		case d.Name() == ".git": // of a linked worktree: a file with the path of the repository
			return nil
		case d.IsDir() || !d.Type().IsRegular():
			return nil
		}
		b, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		if slices.Contains(b[:min(len(b), 8000)], 0) {
			return nil // a binary that was built into the checkout
		}
		for i, line := range strings.Split(string(b), "\n") {
			if machinePath.MatchString(line) {
				out = append(out, fmt.Sprintf("%s:%d: %s", name, i+1, strings.TrimSpace(line)))
			}
		}
		return nil
	})
	return out, err
}

// topLevel lists the names that the root of the repository may have other than dot files and those that git ignores.
var topLevel = strings.Fields("go.mod go.sum spec schemas features steps reference runner golden Makefile README.md LICENSE")

// otherFiles lists the other names at the root.
func otherFiles(fsys fs.FS) ([]string, error) {
	built, err := ignoredFolders(fsys)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") && !slices.Contains(topLevel, name) && !slices.Contains(built, name) {
			out = append(out, name+": not one of "+strings.Join(topLevel, ", "))
		}
	}
	return out, nil
}

func TestTopLevel(t *testing.T) {
	offenders, err := otherFiles(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, offender := range offenders {
		t.Error(offender)
	}
}

// TestLicense: LICENSE is the text of apache.org byte by byte, and each sample in Node names it.
func TestLicense(t *testing.T) {
	fsys := os.DirFS(root)
	text, err := fs.ReadFile(fsys, "LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	const verbatim = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
	if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != verbatim {
		t.Errorf("LICENSE has the SHA-256 %s, expected %s", got, verbatim)
	}
	samples := 0
	err = fs.WalkDir(fsys, "reference", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == "node_modules":
			return fs.SkipDir
		case d.Name() != "package.json":
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if !strings.Contains(string(text), `"license": "Apache-2.0"`) {
			t.Errorf("%s names no license; expected Apache-2.0", name)
		}
		samples++
		return err
	})
	if err != nil || samples == 0 {
		t.Errorf("%d samples, %v", samples, err)
	}
}

func TestFilesAreShort(t *testing.T) {
	for _, offender := range longFiles(moduleSources(t)) {
		t.Error(offender)
	}
}

func TestFunctionsAreShort(t *testing.T) {
	for _, offender := range longFunctions(moduleSources(t)) {
		t.Error(offender)
	}
}

func TestWorldsHaveNoVerbs(t *testing.T) {
	for _, offender := range crowdedTypes(moduleSources(t)) {
		t.Error(offender)
	}
}

// TestCrowdedTypesAreSeen: the check above must be able to fail.
func TestCrowdedTypesAreSeen(t *testing.T) {
	text := "package p\n\ntype world struct{}\n"
	for n := range mostMethods + 1 {
		text += fmt.Sprintf("\nfunc (w *world) f%d() {}\n", n)
	}
	sources, err := readSources(fstest.MapFS{"steps/toy/a.go": {Data: []byte(text)}, "runner/a.go": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"steps/toy: world has 26 methods, expected at most 25"}, crowdedTypes(sources)); diff != "" {
		t.Error(diff)
	}
}

func TestPackagesAreDocumented(t *testing.T) {
	for _, offender := range undocumented(moduleSources(t)) {
		t.Error(offender)
	}
}

func TestNoPathOfAMachine(t *testing.T) {
	offenders, err := machinePaths(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, offender := range offenders {
		t.Error(offender)
	}
}

// TestHygieneSeesOffences: the checks above must be able to fail.
func TestHygieneSeesOffences(t *testing.T) {
	fsys := fstest.MapFS{
		"a/doc.go":           {Data: []byte("// Package a does.\npackage a\n")},
		"a/long.go":          {Data: []byte("package a\n" + strings.Repeat("\n", 400))},
		"a/function.go":      {Data: []byte("package a\n\nfunc f() {\n" + strings.Repeat("\n", 59) + "}\n")},
		"a/selection.go":     {Data: []byte("package a\n\nfunc s(n int) []Mutant {\n" + strings.Repeat("\n", 59) + "return nil\n}\n")},
		"a/table.go":         {Data: []byte("package a\n\ntype Mutant int\n\nfunc t() []Mutant {\n" + strings.Repeat("\n", 59) + "return nil\n}\n")},
		"a/b/doc.go":         {Data: []byte("package util\n")},
		"a/b/path.go":        {Data: []byte("package util\n\nconst p = \"" + "/wo" + "rk/main\" // and https://x.y/work/z\n")},
		"a/testdata/x.txt":   {Data: []byte("see /ro" + "ot/.config\n")},
		".git":               {Data: []byte("gitdir: /wo" + "rk/main/.git/worktrees/a\n")},
		".gitignore":         {Data: []byte("/out/\n*.prof\n")},
		"out/report.txt":     {Data: []byte("see /ro" + "ot/.config\n")},
		"a/out/notes.txt":    {Data: []byte("see /ro" + "ot/.config\n")},
		"a/built":            {Data: []byte("\x00\n/ro" + "ot/.config\n")},
		"a/fine_test.go":     {Data: []byte("package a\n" + strings.Repeat("\n", 500))},
		"a/fine_function.go": {Data: []byte("package a\n\nfunc g() {\n" + strings.Repeat("\n", 58) + "}\n")},
	}
	sources, err := readSources(fsys)
	if err != nil {
		t.Fatal(err)
	}
	paths, err := machinePaths(fsys)
	if err != nil {
		t.Fatal(err)
	}
	others, err := otherFiles(fsys)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ got, want []string }{
		{longFiles(sources), []string{"a/long.go: 401 lines, expected at most 400"}},
		{longFunctions(sources), []string{"a/function.go:3: f has 61 lines, expected at most 60", "a/selection.go:3: s has 62 lines, expected at most 60"}},
		{undocumented(sources), []string{"a/b: no doc.go with a comment on the package", "a/b: util is no name of a package"}},
		{others, []string{"a: not one of " + strings.Join(topLevel, ", ")}},
		{paths, []string{"a/b/path.go:3: const p = \"" + "/wo" + "rk/main\" // and https://x.y/work/z", "a/out/notes.txt:1: see /ro" + "ot/.config"}},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Error(diff)
		}
	}
}
