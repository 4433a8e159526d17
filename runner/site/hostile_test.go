package site_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/streamcert/streamcert/runner/site"
)

// TestTextsAreNoMarkup: an untrusted working copy puts text onto pages, and nothing that a browser runs or follows.
func TestTextsAreNoMarkup(t *testing.T) {
	in := input(t)
	suite := in.Packs[0].Suite
	name := suite.Pack.Name + "/README.md"
	spec := in.Packs[0].Suite.Files.Spec
	f, err := spec.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	hostile := "# A pack\n\n<meta http-equiv=refresh content=0>\n\nA <img src=x onerror=run()> and <script>run()</script>, [a](javascript:run()), [b](<data:text/html,x>), " +
		"![c](javascript:run()), <javascript:run()>, [d](//example.org/x), [e](https://example.org/).\n"
	overlay := fstest.MapFS{name: {Data: []byte(hostile)}}
	suite.Files.Spec = over{overlay, spec}
	pages, err := site.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	page := string(pages[suite.Pack.Name+"/index.html"])
	for _, bad := range []string{"<script>run", "onerror", "http-equiv=refresh", `href="javascript:`, `src="javascript:`, `href="data:text`, `href="//`} {
		if at := strings.Index(page, bad); at >= 0 {
			t.Errorf("the page has %s", page[at:min(len(page), at+60)])
		}
	}
	if !strings.Contains(page, `href="https://example.org/"`) {
		t.Error("a link to a page of others is gone")
	}
}

// TestWriteStaysInTheFolder: the folder may come from an untrusted author, with links and another list.
func TestWriteStaysInTheFolder(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	write := func(name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mine := []string{"src/main.c", "index.htm", "notes.txt", "assets/data.bin", "a/b/c/d.html"}
	for _, name := range mine {
		write(filepath.Join(dir, filepath.FromSlash(name)))
	}
	write(filepath.Join(outside, "old.html"))
	if err := os.WriteFile(filepath.Join(dir, "site.txt"), []byte(strings.Join(mine, "\n")+"\ntoy/old.html\n../x.html\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "toy")); err != nil {
		t.Skip(err)
	}
	if err := (site.Files{"index.html": []byte("1"), "toy/new.html": []byte("2")}).Write(dir); err == nil {
		t.Error("a page was written through a link")
	}
	if err := (site.Files{"index.html": []byte("1")}).Write(dir); err == nil {
		t.Error("a page was removed through a link")
	}
	if err := os.Remove(filepath.Join(dir, "toy")); err != nil {
		t.Fatal(err)
	}
	if err := (site.Files{"index.html": []byte("1")}).Write(dir); err != nil {
		t.Error(err)
	}
	for _, name := range mine {
		if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || string(text) != "mine" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if found, _ := os.ReadDir(outside); len(found) != 1 {
		t.Errorf("outside there is %v", found)
	}
}

// TestNamesOfASite: a page that is gone is removed only if its name is one of a site.
func TestNamesOfASite(t *testing.T) {
	shape := regexp.MustCompile(site.Shape)
	for _, name := range completeSite(t).Names() {
		if !shape.MatchString(name) {
			t.Errorf("%s would never be removed", name)
		}
	}
}

// over is a file system with files of another instead of some.
type over struct{ first, then fs.FS }

func (o over) Open(name string) (fs.File, error) {
	if f, err := o.first.Open(name); err == nil && name != "." && path.Ext(name) != "" {
		return f, nil
	}
	return o.then.Open(name)
}
