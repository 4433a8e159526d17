package spec

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// good returns a small specification without a problem; each test breaks one part.
func good() map[string]string {
	return map[string]string{
		"demo/VERSION":      "1.2.3\n",
		"demo/CHANGELOG.md": "# Changes\n\n## 1.2.3\n\nFirst.\n",
		"README.md":         "# All\n\nSee [demo](demo/README.md) and [the log](demo/CHANGELOG.md#123), of [this](demo/VERSION).\n",
		"demo/README.md": strings.Join([]string{
			"# Demo", "",
			"[resume](2-resume.md), [wire](1-wire.md), [control](control.md), [why](rationale.md)", "",
			"## Capabilities", "",
			"| name | meaning |", "|---|---|", "| resume | goes on |", "| extra | more |", "",
			"## Classes", "",
			"| class | includes | chapters | capabilities |", "|---|---|---|---|",
			"| Core | | wire | |",
			"| Resumable | Core | resume | resume |", "",
			"## Roles", "",
			"| role | what it is |", "|---|---|", "| server | sends |", "",
		}, "\n"),
		"demo/1-wire.md": strings.Join([]string{
			"# The wire", "", "Words. `MUST` is fine in code.", "",
			"#### demo.wire.json",
			"> The data MUST be one",
			"> `MUST` value.", "",
			"`tier: observe` · `origin: D-ONE-01, C-1`", "",
			"Because *readers* parse it. See `demo.resume.after`.", "",
			"| a | b |", "|---|---|", "| 1 | [schema](../../schemas/demo/x.json) |", "",
			"#### demo.wire.extra",
			"> A frame SHOULD NOT be long.", "",
			"`capability: extra` · `tier: scripted` · `origin: D-ONE-01`", "",
			"Long ones are slow.", "",
		}, "\n"),
		"demo/2-resume.md": strings.Join([]string{
			"# Resume", "",
			"#### demo.resume.after",
			"> A resume MUST go on after the cursor.", "",
			"`capability: resume, extra` · `tier: scripted` · `origin: D-ONE-02`", "",
			"Nothing twice.", "", "And nothing lost.", "",
			"## More", "",
			"#### demo.resume.reader",
			"> A reader MUST resume.", "",
			"`role: reader` · `origin: decision 1`", "",
			"Or else.", "",
		}, "\n"),
		"demo/control.md": strings.Join([]string{
			"# Control", "",
			"#### demo.control.message",
			"> An adapter MAY listen.", "",
			"`role: kit` · `origin: Q-1` · `untestable: nobody looks`", "",
			"So be it.", "",
		}, "\n"),
		"demo/rationale.md": strings.Join([]string{
			"# Why", "",
			"## Inventory", "", "| group | rules |", "|---|---|", "| `D-ONE` | 3 |", "",
			"## Conflicts", "", "| code | reason |", "|---|---|", "| C-1 | so |", "",
			"## Decisions", "", "| code | reason |", "|---|---|", "| decision 1 | so |", "",
			"## Questions", "", "| code | reason |", "|---|---|", "| Q-1 | so |", "",
			"## Rules without a requirement", "",
			"### Later", "", "| code | reason |", "|---|---|", "| D-ONE-03 | comes later |", "",
		}, "\n"),
	}
}

func load(t *testing.T, files map[string]string) (*Book, []Problem) {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, content := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(content)}
	}
	book, problems, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return book, problems
}

func TestLoadReadsEveryPart(t *testing.T) {
	for _, ends := range []string{"\n", "\r\n"} {
		files := good()
		for name, content := range files {
			files[name] = strings.ReplaceAll(content, "\n", ends)
		}
		book, problems := load(t, files)
		if len(problems) > 0 {
			t.Fatalf("line ends %q: %v", ends, problems)
		}
		want := Requirement{
			ID: "demo.wire.json", Pack: "demo", Chapter: "wire", Slug: "json", Level: Must,
			Sentence: "The data MUST be one `MUST` value.",
			Why:      "Because *readers* parse it. See `demo.resume.after`.\n\n| a | b |\n|---|---|\n| 1 | [schema](../../schemas/demo/x.json) |",
			Tier:     TierObserve, Role: RoleServer, Origin: []string{"D-ONE-01", "C-1"}, File: "demo/1-wire.md", Line: 5,
		}
		if diff := cmp.Diff(want, book.Requirements[0]); diff != "" {
			t.Error(diff)
		}
		after, ok := book.Get("demo.resume.after")
		if !ok || after.Why != "Nothing twice.\n\nAnd nothing lost." || after.Line != 3 {
			t.Errorf("demo.resume.after read as %+v", after)
		}
		if diff := cmp.Diff([]string{"resume", "extra"}, after.Capabilities); diff != "" {
			t.Error(diff)
		}
	}
}

func TestBookAnswersForAPack(t *testing.T) {
	book, _ := load(t, good())
	wantClasses := []Class{
		{Name: "Core", Chapters: []string{"wire"}, Requirements: []string{"demo.wire.json"}},
		{
			Name: "Resumable", Chapters: []string{"wire", "resume"}, Capabilities: []string{"resume"},
			Requirements: []string{"demo.wire.json"}, Conditional: []string{"demo.resume.after"},
		},
	}
	if diff := cmp.Diff(wantClasses, book.Classes("demo")); diff != "" {
		t.Error("classes", diff)
	}
	wantChapters := []Chapter{
		{"wire", 1, "The wire", "demo/1-wire.md"}, {"resume", 2, "Resume", "demo/2-resume.md"}, {"control", 0, "Control", "demo/control.md"},
	}
	if diff := cmp.Diff(wantChapters, book.Chapters("demo")); diff != "" {
		t.Error("chapters", diff)
	}
	if diff := cmp.Diff([]Capability{{"resume", "goes on"}, {"extra", "more"}}, book.Capabilities("demo")); diff != "" {
		t.Error("capabilities", diff)
	}
	if diff := cmp.Diff([]Link{{"demo/1-wire.md", 15, "schemas/demo/x.json"}}, book.Links); diff != "" {
		t.Error("links", diff)
	}
	if got := len(book.Pack("demo")); got != 5 {
		t.Errorf("pack demo has %d requirements", got)
	}
	if diff := cmp.Diff([]Role{{"server", "sends"}}, book.Roles("demo")); diff != "" {
		t.Error(diff)
	}
	if book.Pack("none") != nil || book.Roles("none") != nil || book.Classes("none") != nil || book.Chapters("none") != nil || book.Capabilities("none") != nil {
		t.Error("an unknown pack has content")
	}
	if _, ok := book.Get("demo.none.none"); ok {
		t.Error("an unknown id was found")
	}
	if book.Version("demo") != "1.2.3" || book.Version("none") != "" || !cmp.Equal(book.Packs(), []string{"demo"}) {
		t.Errorf("version %q, packs %q", book.Version("demo"), book.Packs())
	}
}

// TestProblems breaks one part of the good specification a case, and expects a report with its position.
func TestProblems(t *testing.T) {
	const wire, resume, why = "demo/1-wire.md", "demo/2-resume.md", "demo/rationale.md"
	for _, c := range []struct {
		name, file, old, new string
		want                 string // file:line: part of the message
	}{
		{"id twice", resume, "demo.resume.reader", "demo.resume.after", "demo/2-resume.md:14: demo.resume.after is coined twice, first at demo/2-resume.md:3"},
		{"id of another chapter", wire, "demo.wire.extra", "demo.resume.extra", "demo/1-wire.md:17: demo.resume.extra does not belong here: this file holds demo.wire.*"},
		{"no id", wire, "demo.wire.extra", "demo.wire", "demo/1-wire.md:17: \"demo.wire\" is no id"},
		{"capitals in an id", wire, "demo.wire.extra", "demo.wire.Extra", "demo/1-wire.md:17: \"demo.wire.Extra\" is no id"},
		{"no sentence", resume, "> A reader MUST resume.\n", "A reader resumes.\n", "demo/2-resume.md:14: demo.resume.reader has no sentence"},
		{"two paragraphs", resume, "> A reader MUST resume.\n", "> A reader MUST resume.\n>\n> Always.\n", "demo/2-resume.md:15: demo.resume.reader: the quotation must hold one paragraph"},
		{"no full stop", resume, "MUST resume.", "MUST resume", "demo/2-resume.md:15: demo.resume.reader: the sentence does not end with a full stop"},
		{"no keyword", resume, "A reader MUST resume.", "A reader resumes.", "demo/2-resume.md:15: demo.resume.reader: the sentence has 0 RFC 2119 keywords"},
		{"two keywords", resume, "MUST resume.", "MUST resume and SHOULD hurry.", "demo/2-resume.md:15: demo.resume.reader: the sentence has 2 RFC 2119 keywords"},
		{"another keyword", resume, "MUST resume.", "SHALL resume.", "demo/2-resume.md:15: demo.resume.reader: SHALL is not one of MUST"},
		{"capitals in prose", wire, "Long ones are slow.", "They MUST NOT be.", "demo/1-wire.md:22: MUST NOT in capitals outside"},
		{"capitals in a heading", resume, "## More", "## What MAY be", "demo/2-resume.md:12: MAY in capitals outside"},
		{"capitals in the index", "README.md", "# All", "# All OPTIONAL", "README.md:1: OPTIONAL in capitals outside"},
		{"stray quotation", resume, "Or else.", "> Or else.", "demo/2-resume.md:19: a quotation that does not follow an id"},
		{"unknown capability", wire, "capability: extra", "capability: extra, magic", "demo/1-wire.md:20: demo.wire.extra: \"magic\" is no capability of demo"},
		{"unknown tier", wire, "tier: scripted", "tier: dreamt", "demo/1-wire.md:20: demo.wire.extra: \"dreamt\" is no tier"},
		{"unknown role", resume, "role: reader", "role: writer", "demo/2-resume.md:17: demo.resume.reader: \"writer\" is no role"},
		{"unknown attribute", wire, "`tier: scripted`", "`tier: scripted` · `mood: good`", "demo/1-wire.md:20: demo.wire.extra: unknown attribute \"mood\""},
		{"attribute twice", wire, "`tier: scripted`", "`tier: scripted` · `tier: observe`", "demo/1-wire.md:20: demo.wire.extra: attribute \"tier\" stands twice"},
		{"attribute without value", wire, "`tier: scripted`", "`tier: scripted` · `untestable`", "demo/1-wire.md:20: demo.wire.extra: attribute \"untestable\" has no value"},
		{"no tier", wire, "`tier: scripted` · ", "", "demo/1-wire.md:17: demo.wire.extra has no tier"},
		{"reader with a tier", resume, "`role: reader`", "`role: reader` · `tier: observe`", "demo/2-resume.md:14: demo.resume.reader is for the role reader"},
		{"no origin", wire, " · `origin: D-ONE-01`", "", "demo/1-wire.md:17: demo.wire.extra has no origin"},
		{"no prose", resume, "Or else.", "", "demo/2-resume.md:14: demo.resume.reader has no prose"},
		{"unknown origin", resume, "origin: decision 1", "origin: decision 2", "demo/2-resume.md:14: demo.resume.reader: origin \"decision 2\" is neither"},
		{"another level", why, "| group | rules |\n|---|---|\n| `D-ONE` | 3 |", "| group | rules | about | levels |\n|---|---|---|---|\n| `D-ONE` | 3 | x | `SHOULD` 02 |", "demo/1-wire.md:17: demo.wire.extra is a SHOULD NOT and D-ONE-01 a MUST: say why below \"Levels that differ\" in demo/rationale.md"},
		{"a level of no rule", why, "| group | rules |\n|---|---|\n| `D-ONE` | 3 |", "| group | rules | about | levels |\n|---|---|---|---|\n| `D-ONE` | 3 | x | `SHOULD` 04 |", "demo/rationale.md:7: group D-ONE has no rule 04"},
		{"no level", why, "| group | rules |\n|---|---|\n| `D-ONE` | 3 |", "| group | rules | about | levels |\n|---|---|---|---|\n| `D-ONE` | 3 | x | 04 |", "demo/rationale.md:7: group D-ONE: \"04\" is no level with numbers of rules"},
		{"rule lost", resume, "origin: D-ONE-02", "origin: C-1", "demo/rationale.md: D-ONE-02 is neither the origin"},
		{"rule cited and listed", why, "| D-ONE-03 |", "| D-ONE-03, D-ONE-02 |", "demo/rationale.md:33: D-ONE-02 is listed as a rule without a requirement, but demo.resume.after cites it (demo/2-resume.md:3)"},
		{"rule listed twice", why, "| D-ONE-03 |", "| D-ONE-03, D-ONE-03 |", "demo/rationale.md:33: D-ONE-03 is listed twice"},
		{"rule without reason", why, "comes later", "", "demo/rationale.md:33: D-ONE-03 has no reason"},
		{"rule of no inventory", why, "| D-ONE-03 |", "| D-ONE-03, D-TWO-01 |", "demo/rationale.md:33: D-TWO-01 is no rule of the inventory"},
		{"inventory without count", why, "| 3 |", "| 3 |\n| `D-NIL` | some |", "demo/rationale.md:8: group D-NIL: \"some\" is no number"},
		{"chapter not linked", "demo/README.md", "[control](control.md), ", "", "demo/control.md: not linked from demo/README.md"},
		{"rationale not linked", "demo/README.md", ", [why](rationale.md)", "", "demo/rationale.md: not linked from demo/README.md"},
		{"pack not linked", "README.md", "[demo](demo/README.md)", "demo", "demo/README.md: not linked from README.md"},
		{"link to no file", resume, "Or else.", "See [it](3-more.md).", "demo/2-resume.md:19: link to demo/3-more.md, which does not exist"},
		{"link to no heading", resume, "Or else.", "See [it](1-wire.md#more).", "demo/2-resume.md:19: link to demo/1-wire.md#more, which has no such heading"},
		{"unknown id", resume, "Or else.", "See `demo.wire.xml`.", "demo/2-resume.md:19: demo.wire.xml is no requirement"},
		{"capability twice", "demo/README.md", "| extra | more |", "| extra | more |\n| extra | less |", "demo/README.md:11: capability \"extra\" is empty or listed twice"},
		{"role twice", "demo/README.md", "| server | sends |", "| server | sends |\n| server | lends |", "demo/README.md:24: role \"server\" is empty or listed twice"},
		{"class twice", "demo/README.md", "| Resumable | Core |", "| Core | |", "demo/README.md:17: class \"Core\" is empty or listed twice"},
		{"class whose id is taken", "demo/README.md", "| Resumable | Core |", "| core | |", "demo/README.md:17: class \"core\" is empty or listed twice"},
		{"class of no class", "demo/README.md", "| Resumable | Core |", "| Resumable | Base |", "demo/README.md:17: class Resumable includes \"Base\""},
		{"class of no chapter", "demo/README.md", "| resume | resume |", "| resume, more | resume |", "demo/README.md:17: class Resumable names the unknown chapter \"more\""},
		{"class of no capability", "demo/README.md", "| resume | resume |", "| resume | resume, more |", "demo/README.md:17: class Resumable names the unknown capability \"more\""},
		{"no classes", "demo/README.md", "## Classes", "## Certificates", "demo/README.md: no heading \"Classes\""},
		{"no inventory", why, "## Inventory", "## Sources", "demo/rationale.md: no heading \"Inventory\""},
		{"version in no log", "demo/VERSION", "1.2.3", "1.2.4", "demo/CHANGELOG.md: no heading for version 1.2.4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := good()
			if strings.Count(files[c.file], c.old) < 1 {
				t.Fatalf("the good specification does not hold %q in %s", c.old, c.file)
			}
			files[c.file] = strings.Replace(files[c.file], c.old, c.new, 1)
			_, problems := load(t, files)
			for _, p := range problems {
				if strings.Contains(p.String(), c.want) {
					return
				}
			}
			t.Errorf("want a problem %q, got %q", c.want, problems)
		})
	}
}

func TestMissingFiles(t *testing.T) {
	for file, want := range map[string]string{
		"demo/VERSION":      "demo/VERSION: the file is missing",
		"demo/CHANGELOG.md": "demo/CHANGELOG.md: the file is missing",
		"README.md":         "README.md: the file is missing",
		"demo/README.md":    "demo/README.md: the file is missing",
		"demo/rationale.md": "demo/rationale.md: the file is missing",
	} {
		files := good()
		delete(files, file)
		_, problems := load(t, files)
		found := false
		for _, p := range problems {
			found = found || strings.HasPrefix(p.String(), want)
		}
		if !found {
			t.Errorf("without %s: want %q, got %q", file, want, problems)
		}
	}
	if _, _, err := Load(fstest.MapFS{}); err == nil {
		t.Error("an empty folder was read without an error")
	}
	if _, _, err := Load(fstest.MapFS{"README.md": {Data: []byte("# All")}}); err == nil {
		t.Error("a folder without a pack was read without an error")
	}
}

func TestProblemsAreSorted(t *testing.T) {
	files := good()
	files["demo/VERSION"] = "01.x\n"
	files["demo/1-wire.md"] = strings.NewReplacer("extra`", "magic`", "observe", "dreamt").Replace(files["demo/1-wire.md"])
	_, problems := load(t, files)
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	want := []string{
		"demo/1-wire.md:9: demo.wire.json: \"dreamt\" is no tier: expected observe, scripted, launched or replicated",
		"demo/1-wire.md:20: demo.wire.extra: \"magic\" is no capability of demo",
		"demo/CHANGELOG.md: no heading for version 01.x",
		"demo/VERSION:1: \"01.x\" is no version: expected major.minor.patch",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWithdrawnKeepsItsID(t *testing.T) {
	files := good()
	files["demo/1-wire.md"] = strings.Replace(files["demo/1-wire.md"],
		"`capability: extra` · `tier: scripted` · `origin: D-ONE-01`", "`withdrawn: nobody needs it`", 1)
	book, problems := load(t, files)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if r, ok := book.Get("demo.wire.extra"); !ok || r.Withdrawn != "nobody needs it" || r.Testable() {
		t.Errorf("got %+v", r)
	}
}

func TestFreedoms(t *testing.T) {
	files := good()
	files["demo/1-wire.md"] = strings.Replace(files["demo/1-wire.md"], "`tier: observe` ·", "`tier: observe` · `freedom: demo.wire.extra, long frames` ·", 1)
	book, problems := load(t, files)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if r, _ := book.Get("demo.wire.json"); !slices.Equal(r.Freedoms, []string{"demo.wire.extra", "long frames"}) {
		t.Errorf("got %+v", r)
	}
	if core := book.Classes("demo")[0]; !slices.Equal(core.Requirements, []string{"demo.wire.json"}) {
		t.Errorf("got %+v", core)
	}
}

func TestLevels(t *testing.T) {
	for level, want := range map[Level]string{Must: "must", MustNot: "must-not", Should: "should", ShouldNot: "should-not", May: "may"} {
		if level.Tag() != want {
			t.Errorf("%s has the tag %s", level, level.Tag())
		}
		if level.Mandatory() == level.Advisory() && level != May {
			t.Errorf("%s is both or neither", level)
		}
	}
}

// FuzzLoad feeds arbitrary text as a chapter, an index and a rationale: it never panics, and every requirement
// that comes out has a well-formed id.
func FuzzLoad(f *testing.F) {
	for _, content := range good() {
		f.Add(content)
	}
	f.Add("#### \n> MUST.\n\n``")
	f.Add("> #### a.b.c\n> > MUST.\n")
	f.Fuzz(func(t *testing.T, content string) {
		files := good()
		for _, file := range []string{"demo/1-wire.md", "demo/README.md", "demo/rationale.md"} {
			files[file] = content
		}
		book, problems := load(t, files)
		for _, r := range book.Requirements {
			if !validID(r.ID) {
				t.Errorf("id %q", r.ID)
			}
		}
		for _, p := range problems {
			if p.File == "" || p.Line < 0 || p.Message == "" {
				t.Errorf("problem %+v", p)
			}
		}
	})
}

// TestNestingIsBounded: a quote in a quote, and so on, is refused before it is parsed, which would take minutes.
func TestNestingIsBounded(t *testing.T) {
	for text, line := range map[string]int{
		"# A\n" + strings.Repeat("> ", 400_000) + "a\n": 2, strings.Repeat("- ", 101) + "a\n": 1, strings.Repeat("1", 200) + "\n" + strings.Repeat(">", 101): 2,
		strings.Repeat("-", 300) + "\n" + strings.Repeat("> ", 100) + "a\n": 0, "**" + strings.Repeat("a - b * ", 200) + "**\n": 0,
	} {
		_, _, err := Load(fstest.MapFS{"toy/1-a.md": {Data: []byte(text)}})
		if line == 0 {
			if err != nil {
				t.Errorf("%.20q: %v", text, err)
			}
			continue
		}
		if want := fmt.Sprintf("toy/1-a.md:%d: quotes and lists are nested deeper than 100 levels", line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, expected %q", text, err, want)
		}
	}
}
