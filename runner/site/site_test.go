package site_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/prove/listed"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/site"
	"github.com/streamcert/streamcert/runner/trace"
	"github.com/streamcert/streamcert/schemas"
)

// input returns a site of every pack, with a mutant and a variant of the first requirement that servers can be tested by.
func input(t testing.TB) site.Input {
	t.Helper()
	var in site.Input
	for _, name := range packs.Names() {
		s := *certifytest.Load(t, name)
		s.Files.Sources = trace.Sources{Reference: reference.FS, Judge: judge.FS}
		p := site.Pack{Suite: &s}
		for _, q := range s.Book.Pack(name) {
			if q.Testable() {
				p.Mutants = []listed.Mutant{{Name: "forgets-" + name, Requirement: q.ID, Summary: "It <forgets> what it said."}}
				p.Variants = []listed.Variant{{Name: "differs-" + name, Freedom: q.ID, Summary: "It is right, too."}}
				break
			}
		}
		in.Packs = append(in.Packs, p)
	}
	in.Judge = fstest.MapFS{"judge.wasm.gz": {Data: []byte("program")}, "wasm_exec.js": {Data: []byte("starter")}}
	return in
}

// built is the site of the tests, made once.
var built sync.Map

func completeSite(t testing.TB) site.Files {
	t.Helper()
	if files, ok := built.Load("files"); ok {
		return files.(site.Files)
	}
	files, err := site.Build(input(t))
	if err != nil {
		t.Fatal(err)
	}
	built.Store("files", files)
	return files
}

// pageParts are the ids and the links of a page.
type pageParts struct {
	ids   map[string]int
	links []string // that a reader follows
	loads []string // that the browser follows by itself
}

func partsOf(t testing.TB, name string, content []byte) pageParts {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(content))
	if err != nil {
		t.Fatal(name, err)
	}
	p := pageParts{ids: map[string]int{}}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				p.ids[a.Val]++
			case a.Key == "href" && n.Data == "a":
				p.links = append(p.links, a.Val)
			case a.Key == "src", a.Key == "href", a.Key == "action", a.Key == "srcset", a.Key == "poster", a.Key == "data":
				p.loads = append(p.loads, a.Val)
			}
		}
	}
	return p
}

// broken lists mistakes in the links, the ids and the loads of a site.
func broken(t testing.TB, files site.Files) []string {
	t.Helper()
	pages := map[string]pageParts{}
	for _, name := range files.Names() {
		if path.Ext(name) == ".html" {
			pages[name] = partsOf(t, name, files[name])
		}
	}
	var out []string
	for _, name := range files.Names() {
		p, ok := pages[name]
		if !ok {
			continue
		}
		for id, n := range p.ids {
			if n > 1 {
				out = append(out, fmt.Sprintf("%s: the id %s stands %d times", name, id, n))
			}
		}
		for _, to := range slices.Concat(p.links, p.loads) {
			u, err := url.Parse(to)
			switch {
			case err != nil:
				out = append(out, fmt.Sprintf("%s: %v", name, err))
				continue
			case u.Scheme == "data":
				continue
			case u.IsAbs() || u.Host != "":
				if slices.Contains(p.loads, to) {
					out = append(out, fmt.Sprintf("%s: loads %s from elsewhere", name, to))
				}
				continue
			}
			file := name
			if u.Path != "" {
				file = path.Join(path.Dir(name), u.Path)
			}
			if _, ok := files[file]; !ok {
				out = append(out, fmt.Sprintf("%s: %s leads to no file", name, to))
			} else if to, isPage := pages[file]; isPage && u.Fragment != "" && to.ids[u.Fragment] == 0 {
				out = append(out, fmt.Sprintf("%s: nothing on %s has the id %s", name, file, u.Fragment))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestLinksLeadSomewhere(t *testing.T) {
	for _, problem := range broken(t, completeSite(t)) {
		t.Error(problem)
	}
}

// TestBrokenLinksAreSeen: the check above must be able to fail.
func TestBrokenLinksAreSeen(t *testing.T) {
	got := broken(t, site.Files{
		"index.html": []byte(`<link href="https://elsewhere.example/x.css"><p id="a"><p id="a"><a href="b/c.html#d">x</a><a href="gone.html">y</a><a href="https://elsewhere.example">z</a>`),
		"b/c.html":   []byte(`<img src="pixel.png"><a href="../index.html#a">x</a>`),
	})
	want := []string{
		"b/c.html: pixel.png leads to no file",
		"index.html: gone.html leads to no file",
		"index.html: loads https://elsewhere.example/x.css from elsewhere",
		"index.html: nothing on b/c.html has the id d",
		"index.html: the id a stands 2 times",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestEveryRequirementIsShown: each has a section with its id, its level and whatever the kit has of it, and the search
// finds it.
func TestEveryRequirementIsShown(t *testing.T) {
	files, in := completeSite(t), input(t)
	index := string(files["assets/index.js"])
	for _, p := range in.Packs {
		name := p.Suite.Pack.Name
		for _, q := range p.Suite.Book.Pack(name) {
			where, _, _ := strings.Cut(strings.TrimPrefix(report.Address(q.ID), schemas.Site), "#") // where reports lead
			text := string(files[where])
			_, section, ok := strings.Cut(text, `id="`+q.ID+`">`)
			section, _, _ = strings.Cut(section, `</section>`)
			if !ok || !strings.Contains(section, ">"+string(q.Level)+"</li>") || !strings.Contains(section, "<blockquote>") {
				t.Errorf("%s isn't shown", q.ID)
			}
			if !strings.Contains(index, `"`+q.ID+`"`) {
				t.Errorf("%s isn't found", q.ID)
			}
			if len(q.Origin) > 0 && !strings.Contains(section, ">"+q.Origin[0]+"</a>") {
				t.Errorf("%s doesn't say where it comes from", q.ID)
			}
		}
		text := string(files[name+"/"+p.Suite.Book.Pack(name)[0].Chapter+".html"]) + string(files[name+"/coverage.html"])
		for _, want := range []string{"forgets-" + name, "It &lt;forgets&gt; what it said.", "differs-" + name, `class="steps"`, `class="wire"`, "runner/judge/" + name, "reference/" + name} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing", name, want)
			}
		}
		for _, s := range p.Suite.Schemas.Names() {
			text := string(files[name+"/schemas.html"])
			if !strings.Contains(text, ">"+s+"</code>") || files["schemas/"+name+"/"+s+".json"] == nil || files["schemas/"+name+"/lenient/"+s+".json"] == nil {
				t.Errorf("%s: the schema %s isn't shown", name, s)
			}
		}
	}
}

// TestStartShowsAStream: the first page has the sequence, drawn, with its arrows as a list.
func TestStartShowsAStream(t *testing.T) {
	text := string(completeSite(t)["index.html"])
	for _, want := range []string{`<section class="screen">`, `<svg class="diagram sequence"`, "the connection is cut", "truncated, chunks above step 1 are void", "204, no more chunks", `<ol>`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(text, "mermaid") {
		t.Error("a diagram isn't drawn")
	}
}

// TestChangesAreShown: the page of a version shows the comparison of versions.
func TestChangesAreShown(t *testing.T) {
	in := input(t)
	q := in.Packs[0].Suite.Book.Requirements[0]
	version := in.Packs[0].Suite.Book.Version(q.Pack)
	in.Changes = []site.Change{
		{Version: version, Pack: q.Pack, Requirement: q.ID, Class: "additive", Summary: "It has `one` <more> member."},
		{Version: version, Pack: q.Pack, Requirement: q.Pack + ".words.gone", Class: "withdrawn", Summary: "It is gone."},
		{Version: "0.0.1", Pack: q.Pack, Requirement: q.ID, Class: "additive", Summary: "It is of another version."},
	}
	files, err := site.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	text := string(files[q.Pack+"/versions/"+strings.ReplaceAll(version, ".", "-")+".html"])
	for _, want := range []string{"<b>1</b> additive", "It has <code>one</code> &lt;more&gt; member.", `#` + q.ID + `">`, "<code>" + q.Pack + ".words.gone</code>"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "of another version") {
		t.Error("a change of another version is shown")
	}
	if plain := string(completeSite(t)[q.Pack+"/versions/"+strings.ReplaceAll(version, ".", "-")+".html"]); strings.Contains(plain, `id="changes"`) {
		t.Error("a version without a comparison shows one")
	}
}

// TestVersionsOfPacks: a pack may have a separate change log.
func TestVersionsOfPacks(t *testing.T) {
	in := input(t)
	pack := in.Packs[0].Suite.Pack.Name
	overlay := fstest.MapFS{pack + "/CHANGELOG.md": {Data: []byte("# Changes to the pack\n\n## 7.1.0\n\nSomething.\n\n## 7.0.0\n\nAll.\n")}}
	err := fs.WalkDir(in.Packs[0].Suite.Files.Spec, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(in.Packs[0].Suite.Files.Spec, name)
		if overlay[name] == nil {
			overlay[name] = &fstest.MapFile{Data: text}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	in.Packs[0].Suite.Files.Spec = overlay
	in.Changes = []site.Change{{Version: "7.1.0", Pack: pack, Class: "editorial", Summary: "A word."}}
	files, err := site.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(files[pack+"/versions/7-1-0.html"]); !strings.Contains(text, "Changes since 7.0.0") || !strings.Contains(text, "A word.") {
		t.Error(text)
	}
	if !strings.Contains(string(files[pack+"/index.html"]), `href="../`+pack+`/versions/index.html"`) {
		t.Error("nothing leads to the versions of the pack")
	}
	for _, problem := range broken(t, files) {
		t.Error(problem)
	}
}

// TestSiteWithoutJudge: no page leads to a playground that isn't there.
func TestSiteWithoutJudge(t *testing.T) {
	in := input(t)
	in.Judge = nil
	files, err := site.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files.Names() {
		if strings.Contains(name, "playground") || strings.Contains(name, "judge") {
			t.Errorf("%s is there", name)
		}
	}
	for _, problem := range broken(t, files) {
		t.Error(problem)
	}
	in.Judge = fstest.MapFS{"judge.wasm.gz": {}}
	if _, err := site.Build(in); err == nil || !strings.Contains(err.Error(), "make judge") {
		t.Error(err)
	}
}

// TestBuildRepeats: the same packs give the same bytes.
func TestBuildRepeats(t *testing.T) {
	again, err := site.Build(input(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range completeSite(t).Names() {
		if !bytes.Equal(again[name], completeSite(t)[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "site")
	if err := (site.Files{"index.html": []byte("1"), "toy/old.html": []byte("2")}).Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (site.Files{"index.html": []byte("3")}).Write(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"index.html": "3", "mine.txt": "x", "toy/old.html": ""} {
		if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got) != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "index.html"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := (site.Files{"index.html": []byte("1")}).Write(foreign)
	if got, _ := os.ReadFile(filepath.Join(foreign, "index.html")); !errors.Is(err, site.ErrOtherFiles) || string(got) != "mine" {
		t.Errorf("%v, %q", err, got)
	}
}

func BenchmarkBuild(b *testing.B) {
	in := input(b)
	for b.Loop() {
		if _, err := site.Build(in); err != nil {
			b.Fatal(err)
		}
	}
}
