package diff_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/streamcert/streamcert/runner/diff"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/release"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// compared returns a report on a kit with edits.
func compared(t *testing.T, edits ...edit) *diff.Report {
	t.Helper()
	files := kit()
	for _, e := range edits {
		e.apply(t, files)
	}
	r, err := diff.Compare(read(t, "old", kit(), "toy"), read(t, "new", files, "toy"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func written(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestReports: each form shows the change, its class, the position, and the number of documents.
func TestReports(t *testing.T) {
	r := compared(t,
		edit{words, "SHOULD send a word", "MUST send a word"},
		edit{words, "A server MUST send every word.", "A server MUST speak every | word."},
		edit{"schemas/toy/frames/word.json", `"text": {"type": "string"}`, `"text": {"type": ["string"]}`},
		edit{"golden/toy/words/a.txt", "< date: today\n", ""}, edit{"golden/toy/words/b.txt", "< date: today\n", ""},
	)
	if err := r.Gate(); err != nil {
		t.Fatal(err)
	}
	console := written(t, func(b *bytes.Buffer) error { return r.WriteConsole(b) })
	for _, want := range []string{
		"toy: old (1.2.3) → new (1.2.3): breaking for servers\n", "\n  BREAKING FOR SERVERS  2\n    toy.words.all\n",
		"“speak” in place of “send”", "no rule tells the class", "MUST was SHOULD · spec/toy/1-words.md",
		"structure says breaking for readers, evidence says editorial; followed is editorial",
		"    toy.words.all, toy.words.late\n      header `date` of a response removed · 2 lines in 2 files\n",
		"the methods disagree on 1 change\n", "\n  GATE  ",
	} {
		if !strings.Contains(console, want) {
			t.Errorf("the console has no %q:\n%s", want, console)
		}
	}
	markdown := written(t, func(b *bytes.Buffer) error { return r.WriteMarkdown(b) })
	for _, want := range []string{
		"## toy: old (1.2.3) → new (1.2.3): breaking for servers\n", "### Breaking for servers\n\n| requirement | change | where |\n|---|---|---|\n| `toy.words.all` |",
		"### Goldens: 2 files of 2 requirements", "| header `date` of a response removed | 2 | 2 | toy.words.all, toy.words.late |", "### The gate: ",
	} {
		if !strings.Contains(markdown, want) {
			t.Errorf("the Markdown has no %q:\n%s", want, markdown)
		}
	}
	lists := written(t, func(b *bytes.Buffer) error { return r.WriteChangeLog(b) })
	if want := "- breaking for servers: `toy.words.all`, `toy.words.late`\n"; lists != want {
		t.Errorf("the lists are %q, want %q", lists, want)
	}
	set, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []*diff.Report{r, compared(t)} {
		text := written(t, func(b *bytes.Buffer) error { return one.WriteJSON(b) })
		if got := set.Document("diff", schemas.Strict, []byte(text)); !got.OK() {
			t.Errorf("schemas/diff.json refuses the report: %+v\n%s", got.Findings, text)
		}
	}
}

// TestPackThatIsNew: a part that only one version has is not compared, and breaks no server or reader.
func TestPackThatIsNew(t *testing.T) {
	empty := fstest.MapFS{"spec/README.md": {Data: []byte("# All\n")}}
	r, err := diff.Compare(read(t, "old", empty, "toy"), read(t, "new", kit(), "toy"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Class != diff.Additive || r.Old.Number != "" {
		t.Errorf("class %q, old version %q", r.Class, r.Old.Number)
	}
	if err := r.Gate(); err != nil || len(r.Problems) > 0 {
		t.Errorf("the gate asks for %q, %v", r.Problems, err)
	}
	if _, err := diff.Compare(read(t, "old", empty, "toy"), read(t, "new", empty, "toy")); err == nil || !strings.Contains(err.Error(), "spec/toy") {
		t.Errorf("a pack that is nowhere: %v", err)
	}
}

// TestBrokenVersions: a file that can't be read is an error that names the version and the file.
func TestBrokenVersions(t *testing.T) {
	for file, text := range map[string]string{
		"schemas/toy/frames/word.json": "{", "features/toy/words/words.feature": "Rule", "golden/toy/words/a.txt": "hello",
	} {
		files := kit()
		files[file] = &fstest.MapFile{Data: []byte(text)}
		_, err := diff.Compare(read(t, "old", kit(), "toy"), read(t, "new", files, "toy"))
		name := file[strings.Index(file, "toy/"):]
		if err == nil || !strings.Contains(err.Error(), "new") || !strings.Contains(err.Error(), strings.TrimPrefix(name, "toy/words/")) && !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// rewritten returns a release in which every kind of file changed.
func rewritten(old fstest.MapFS) fstest.MapFS {
	now := fstest.MapFS{}
	for name, f := range old {
		data := f.Data
		switch {
		case strings.HasSuffix(name, ".md"):
			data = append([]byte("\n"), data...)
		case strings.HasPrefix(name, "schemas/"):
			data = bytes.ReplaceAll(data, []byte(`"minLength": 1`), []byte(`"minLength": 2`))
		case strings.HasPrefix(name, "golden/"):
			data = bytes.ReplaceAll(data, []byte("< cache-control: no-cache\n"), nil)
		}
		now[name] = &fstest.MapFile{Data: data}
	}
	return now
}

// TestSameChangeEverywhere: one change in all goldens is one line, and one in all schemas is one a requirement.
func TestSameChangeEverywhere(t *testing.T) {
	for _, pack := range packs.Names() {
		if len(release.Versions(spec.FS, pack)) == 0 {
			continue
		}
		old := base(t, pack)
		r, err := diff.Compare(read(t, "old", old, pack), read(t, "new", rewritten(old), pack))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Goldens) != 1 || r.Goldens[0].What != "header `cache-control` of a response removed" || len(r.Goldens[0].Files) < 50 {
			t.Errorf("%s: goldens %+v", pack, r.Goldens)
		}
		if !r.Class.Breaking() {
			t.Errorf("%s: class %s", pack, r.Class)
		}
	}
}

// BenchmarkCompare compares two complete versions that differ in every file, a pack each.
func BenchmarkCompare(b *testing.B) {
	for _, pack := range packs.Names() {
		if len(release.Versions(spec.FS, pack)) == 0 {
			continue
		}
		old := base(b, pack)
		now := rewritten(old)
		b.Run(pack, func(b *testing.B) {
			for b.Loop() {
				if _, err := diff.Compare(read(b, "old", old, pack), read(b, "new", now, pack)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
