package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func one(name, heading string) File {
	return File{Transcripts: []Transcript{{Name: name, Title: "t", Exchanges: []Exchange{{Heading: heading, Status: 200}}}}}
}

func TestWriteAll(t *testing.T) {
	dir := t.TempDir()
	files := map[string]File{"helix/resume/zero.txt": one("helix.resume.zero", "a"), "helix/http/get.txt": one("helix.http.get", "b")}
	changed, err := WriteAll(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	want := []Change{{Name: "helix/http/get.txt", Kind: Added, Requirements: []string{"helix.http.get"}},
		{Name: "helix/resume/zero.txt", Kind: Added, Requirements: []string{"helix.resume.zero"}}}
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("first (-want +got):\n%s", diff)
	}
	if changed, err = WriteAll(dir, files); err != nil || changed != nil {
		t.Errorf("again: %v, %v", changed, err)
	}
	if problems := Check(os.DirFS(dir), files); problems != nil {
		t.Errorf("what was just written has problems: %v", problems)
	}

	files["helix/resume/zero.txt"] = one("helix.resume.zero", "c")
	changed, err = WriteAll(dir, files)
	if err != nil || len(changed) != 1 || changed[0].Kind != Updated || !strings.Contains(changed[0].Diff, "-== a\n+== c\n") {
		t.Errorf("update: %+v, %v", changed, err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", "*", ".golden-*"))
	if err != nil || left != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestWriteAllKeepsAlternatives(t *testing.T) {
	dir := t.TempDir()
	written := one("helix.resume.zero", "a")
	written.Transcripts[0].Exchanges[0].Also = []int{204}
	written.Transcripts[0].Exchanges[0].Alternatives = []Alternative{{Reason: "refused", Status: 400}}
	if _, err := WriteAll(dir, map[string]File{"h/r/z.txt": written}); err != nil {
		t.Fatal(err)
	}
	fresh := one("helix.resume.zero", "a")
	if changed, err := WriteAll(dir, map[string]File{"h/r/z.txt": fresh}); err != nil || changed != nil {
		t.Errorf("a run without alternatives changed %v, %v", changed, err)
	}
	fresh.Transcripts[0].Exchanges[0].Answer = []byte("x")
	if _, err := WriteAll(dir, map[string]File{"h/r/z.txt": fresh}); err != nil {
		t.Fatal(err)
	}
	got, err := Read(os.DirFS(dir), "h/r/z.txt")
	if err != nil {
		t.Fatal(err)
	}
	written.Transcripts[0].Exchanges[0].Answer = []byte("x")
	if diff := cmp.Diff(written, got); diff != "" {
		t.Errorf("updated (-want +got):\n%s", diff)
	}
	if fresh.Transcripts[0].Exchanges[0].Also != nil {
		t.Error("the argument was changed")
	}
}

func TestWriteAllWritesNothingOnError(t *testing.T) {
	odd := one("helix.a.b", "h")
	odd.Transcripts[0].Exchanges[0].End = "falls asleep"
	for _, c := range []struct {
		name  string
		files map[string]File
		want  string
	}{
		{"outside", map[string]File{"a/b/c.txt": one("n", "h"), "../x.txt": one("n", "h")}, `writing golden "../x.txt": expected a name like <pack>/resume/after-cursor.txt`},
		{"other suffix", map[string]File{"a/b/c.txt": one("n", "h"), "z.md": one("n", "h")}, `writing golden "z.md": expected a name like <pack>/resume/after-cursor.txt`},
		{"nothing in it", map[string]File{"a/b/c.txt": one("n", "h"), "b.txt": {}}, `writing golden b.txt: not a transcript: golden/b.txt:1: expected "# name · title", found end of file`},
		{"odd end", map[string]File{"a/b/c.txt": one("n", "h"), "b.txt": odd}, `writing golden b.txt: "falls asleep" is no end of an exchange`},
		{"old one broken", map[string]File{"a/b/c.txt": one("n", "h"), "broken.txt": one("n", "h")},
			`updating golden (mend or remove it first): golden/broken.txt:1: expected "# name · title", found "no golden"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "broken.txt"), []byte("no golden\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := WriteAll(dir, c.files)
			if err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
			entries, err := os.ReadDir(dir)
			if err != nil || len(entries) != 1 {
				t.Errorf("there are %v now, %v", entries, err)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	fsys := fstest.MapFS{
		"helix/a/same.txt":      {Data: Format(one("helix.a.same", "h"))},
		"helix/a/drift.txt":     {Data: Format(one("helix.a.drift", "h"))},
		"helix/a/orphan.txt":    {Data: Format(one("helix.a.orphan.row-2", "h"))},
		"helix/a/broken.txt":    {Data: []byte("# x\n")},
		"helix/a/bad.txt":       {Data: []byte("x\n")},
		"testdata/a/passed.txt": {Data: []byte("x\n")},
		"FORMAT.md":             {},
	}
	problems := Check(fsys, map[string]File{
		"helix/a/same.txt":  one("helix.a.same", "h"),
		"helix/a/drift.txt": one("helix.a.drift", "g"),
		"helix/a/gone.txt":  one("helix.a.gone", "h"),
		"helix/a/bad.txt":   one("helix.a.bad", "h"),
	})
	want := []Problem{
		{"helix/a/bad.txt", Unparsed, []string{"helix.a.bad"}, `golden/helix/a/bad.txt:1: expected "# name · title", found "x"`, ""},
		{"helix/a/broken.txt", Orphan, []string{"x"}, "no scenario writes golden/helix/a/broken.txt", ""},
		{"helix/a/drift.txt", Drift, []string{"helix.a.drift"}, "golden/helix/a/drift.txt is not what the reference does",
			"# helix.a.drift · t\n # helix.a.drift · t\n-== h\n+== g\n < 200\n"},
		{"helix/a/gone.txt", Missing, []string{"helix.a.gone"}, "golden/helix/a/gone.txt is missing", ""},
		{"helix/a/orphan.txt", Orphan, []string{"helix.a.orphan"}, "no scenario writes golden/helix/a/orphan.txt", ""},
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	groups := ProblemsByRequirement(problems)
	if len(groups) != 5 || groups[0].Requirement != "helix.a.bad" || len(groups[0].Items) != 1 {
		t.Errorf("groups %+v", groups)
	}
}

func TestByRequirement(t *testing.T) {
	two := Change{Name: "two", Requirements: []string{"a.b.c", "a.b.d"}}
	other := Change{Name: "other", Requirements: []string{"a.b.c"}}
	none := Change{Name: "none"}
	want := []Group[Change]{{"", []Change{none}}, {"a.b.c", []Change{two, other}}, {"a.b.d", []Change{two}}}
	if diff := cmp.Diff(want, ByRequirement([]Change{two, other, none})); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

func TestDiffOfOutlines(t *testing.T) {
	both := File{Transcripts: append(one("a.b.c", "h").Transcripts, one("a.b.d", "h").Transcripts...)}
	first := one("a.b.c", "h")
	if got := Diff(both, first); !strings.Contains(got, "-== h\n") {
		t.Errorf("an example less: %q", got)
	}
	if got := Diff(first, both); !strings.Contains(got, "+== h\n") {
		t.Errorf("an example more: %q", got)
	}
}

// TestEmbedded reads every golden that is there.
func TestEmbedded(t *testing.T) {
	names, err := Names(FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if _, err := Read(FS, name); err != nil {
			t.Error(err)
		}
	}
	if _, err := FS.ReadFile("FORMAT.md"); err != nil {
		t.Error(err)
	}
}
