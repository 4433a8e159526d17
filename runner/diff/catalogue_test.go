package diff_test

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/streamcert/streamcert/runner/diff"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/release"
	"github.com/streamcert/streamcert/spec"
)

// base reads the first release of a pack, which stays as it is, into files that a test may change.
func base(t testing.TB, pack string) fstest.MapFS {
	t.Helper()
	source, err := release.Opener{Spec: spec.FS}.Open(context.Background(), release.Versions(spec.FS, pack)[0], pack)
	if err != nil {
		t.Fatal(err)
	}
	out := fstest.MapFS{}
	err = fs.WalkDir(source.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(source.Files, name)
		out[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func read(t testing.TB, name string, files fs.FS, pack string) *diff.Version {
	t.Helper()
	v, err := diff.Read(release.Source{Name: name, Files: files}, pack)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// change is one entry of the catalogue, a file in testdata/changes: a description, its true class, and edits.
type change struct {
	what        string
	class       diff.Class
	requirement string
	disagree    bool // the two methods say different things of it at first sight
	edits       string
}

func readChange(t testing.TB, file string) change {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, edits, _ := strings.Cut(string(text), "\n\n=== ")
	c := change{edits: edits}
	for _, line := range strings.Split(head, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch key {
		case "what":
			c.what = value
		case "class":
			c.class = diff.Class(value)
		case "requirement":
			c.requirement = value
		case "methods":
			c.disagree = value == "disagree"
		default:
			t.Fatalf("%s: unknown key %q", file, key)
		}
	}
	if c.what == "" || c.class == "" || edits == "" {
		t.Fatalf("%s: expected what, class and an edit", file)
	}
	return c
}

// apply makes the changed version.
func (c change) apply(t testing.TB, files fstest.MapFS) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	for name, f := range files {
		out[name] = f
	}
	for _, edit := range strings.Split(c.edits, "\n\n=== ") {
		first, rest, _ := strings.Cut(edit, "\n")
		verb, name, _ := strings.Cut(strings.TrimSpace(first), " ")
		switch verb {
		case "create":
			out[name] = &fstest.MapFile{Data: []byte(rest)}
			continue
		case "delete":
			if out[name] == nil {
				t.Fatalf("there is no %s to delete", name)
			}
			delete(out, name)
			continue
		}
		was, is, ok := strings.Cut(strings.TrimPrefix(rest, "--- was\n"), "\n+++ is\n")
		is = strings.TrimSuffix(is, "\n")
		if !ok || verb != "edit" || out[name] == nil || strings.Count(string(out[name].Data), was) != 1 {
			t.Fatalf("%s doesn't hold once: %q", name, was)
		}
		out[name] = &fstest.MapFile{Data: []byte(strings.Replace(string(out[name].Data), was, is, 1))}
	}
	return out
}

// TestCatalogue: every change of the catalogue has its true class. In enough of them the two methods disagree, so that
// neither alone would do. Without STREAMCERT_SOAK a third is compared, another each time.
func TestCatalogue(t *testing.T) {
	const least, leastDisagreeing = 60, 15
	every := 3
	switch {
	case os.Getenv("STREAMCERT_SOAK") != "":
		every = 1
	case testing.Short():
		every = 8
	}
	turn := rand.IntN(every)
	entries, disagreeing := 0, 0
	seen := map[diff.Class]int{}
	for _, pack := range packs.Names() {
		files, err := filepath.Glob(filepath.Join("testdata", "changes", pack, "*.txt"))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 {
			continue // a pack may be younger than the catalogue
		}
		original := base(t, pack)
		old := read(t, "old", original, pack)
		for i, file := range files {
			c := readChange(t, file)
			entries++
			seen[c.class]++
			if c.disagree {
				disagreeing++
			}
			if i%every != turn {
				continue // each is a comparison of complete versions
			}
			t.Run(pack+"/"+strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
				r, err := diff.Compare(old, read(t, "new", c.apply(t, original), pack))
				if err != nil {
					t.Fatal(err)
				}
				item := r.Item(c.requirement)
				if r.Class != c.class || item == nil || item.Class != c.class || c.disagree != (r.Disagreements() > 0) {
					var b strings.Builder
					_ = r.WriteConsole(&b)
					t.Errorf("%s\nclass %q, want %q of %s, methods disagree %t\n%s", c.what, r.Class, c.class, c.requirement, c.disagree, b.String())
				}
			})
		}
	}
	if entries < least || disagreeing < leastDisagreeing {
		t.Errorf("%d changes, in %d of which the methods disagree; expected at least %d and %d", entries, disagreeing, least, leastDisagreeing)
	}
	for _, class := range diff.Classes() {
		if seen[class] == 0 {
			t.Errorf("no change is %s", class)
		}
	}
}
