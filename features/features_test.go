package features

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestLoadReadsTheTree loads the real features: every scenario can run, has a requirement, and is at its lines.
func TestLoadReadsTheTree(t *testing.T) {
	scenarios, err := Load(FS, "helix")
	if err != nil {
		t.Fatal(err)
	}
	if len(scenarios) < 100 {
		t.Errorf("%d scenarios, expected the whole pack", len(scenarios))
	}
	for _, sc := range scenarios {
		for _, problem := range problemsOf(sc) {
			t.Errorf("%s: %s", sc.Location(), problem)
		}
	}
	for _, problem := range misplaced(t, FS, scenarios) {
		t.Error(problem)
	}
}

// problemsOf lists what a scenario lacks to be run.
func problemsOf(sc Scenario) []string {
	var problems []string
	expect := func(ok bool, problem string) {
		if !ok {
			problems = append(problems, problem)
		}
	}
	expect(sc.Pack != "" && sc.Chapter != "", "no pack or no chapter")
	expect(strings.HasPrefix(sc.Requirement, sc.Pack+"."), "no requirement of its pack")
	expect(sc.Rule != "" && sc.RuleLine > 0 && sc.RuleLine < sc.Line, "not in a rule")
	expect(sc.Title != "", "no title")
	expect(len(sc.Rows) > 0, "no row")
	expect(len(sc.Steps) > 0, "no step")
	for _, row := range sc.Rows {
		expect(row.Title != "" && !placeholder.MatchString(row.Title), "the title of a row isn't expanded: "+row.Title)
		expect(len(row.Steps) == len(sc.Steps), "a row with other steps than its scenario: "+row.Title)
		for i, st := range row.Steps {
			expect(!strings.Contains(st.Text, "<") || strings.Contains(sc.Steps[i].Text, "<"), "a step that isn't expanded: "+st.Text)
			expect(st.Line == sc.Steps[i].Line && st.Keyword == sc.Steps[i].Keyword, "a step that moved: "+st.Text)
		}
	}
	return problems
}

// misplaced compares the lines of scenarios, rules and steps with the files.
func misplaced(t *testing.T, fsys fs.FS, scenarios []Scenario) []string {
	t.Helper()
	var problems []string
	for _, sc := range scenarios {
		src, err := fs.ReadFile(fsys, sc.File)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(src), "\n")
		check := func(line int, ends string) {
			if line < 1 || line > len(lines) || !strings.HasSuffix(strings.TrimSpace(lines[line-1]), ends) {
				problems = append(problems, sc.Location()+": nothing that ends in "+ends+" in that line")
			}
		}
		check(sc.Line, sc.Title)
		check(sc.RuleLine, "Rule: "+sc.Rule)
		for _, st := range sc.Steps {
			check(st.Line, st.Text)
		}
	}
	return problems
}

func TestProblemsOf(t *testing.T) {
	scenarios := loadText(t, "Feature: f\n  Scenario: no rule\n    Given a thing\n  Scenario Outline: no <row>\n    Given <row>\n    Examples:\n      | row |\n")
	if got := problemsOf(scenarios[0]); !slices.Contains(got, "not in a rule") || !slices.Contains(got, "no requirement of its pack") {
		t.Errorf("got %q", got)
	}
	if got := problemsOf(scenarios[1]); !slices.Contains(got, "no row") {
		t.Errorf("got %q", got)
	}
	scenarios[0].Line++
	if got := misplaced(t, textFS("Feature: f\n  Scenario: no rule\n    Given a thing\n"), scenarios[:1]); len(got) == 0 {
		t.Error("a wrong line goes unnoticed")
	}
}

// TestFSHoldsEveryFeature: a file that no pattern embeds would never run.
func TestFSHoldsEveryFeature(t *testing.T) {
	list := func(fsys fs.FS) []string {
		var files []string
		err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && path.Ext(p) == ".feature" {
				files = append(files, p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	if diff := cmp.Diff(list(os.DirFS(".")), list(FS)); diff != "" {
		t.Errorf("on disk (-), embedded (+):\n%s", diff)
	}
	if _, err := fs.Stat(FS, "features_test.go"); err == nil {
		t.Error("Go files are embedded")
	}
}

const textFile = "helix/toy/x.feature"

func textFS(text string) fs.FS { return fstest.MapFS{textFile: {Data: []byte(text)}} }

func loadText(t *testing.T, text string) []Scenario {
	t.Helper()
	scenarios, err := Load(textFS(text), "helix")
	if err != nil {
		t.Fatal(err)
	}
	return scenarios
}

const outline = `@resume
Feature: Toys

  Background:
    Given a box
    And a lid

  @helix.toy.first @must @no-transcript:the-lid-hides-it
  Rule: A toy is taken out

    Background:
      Given a child

    @slow
    Scenario Outline: Taking out <n> "<what>"
      When the child takes <n> of
        | kind   |
        | <what> |
      And looks at it
        """
        <what>
        """
      Then the box holds <left>
      But the lid is open
      * the child is glad

      Examples:
        | n | what | left |
        | 1 | car  | 2    |
        | 2 | ball | 1    |

      Examples: more
        | n | what | left |
        | 3 | cube | 0    |

  @helix.toy.second @should
  Rule: A toy is put back

    Scenario: Putting back
      When the child is bored
      Then the box holds 3
`

func TestLoadOutline(t *testing.T) {
	scenarios := loadText(t, outline)
	step := func(k Keyword, text string, line int) Step { return Step{Keyword: k, Text: text, Line: line} }
	steps := func(n, what, left string) []Step {
		table, doc := step(When, "the child takes "+n+" of", 16), step(When, "looks at it", 19)
		table.Table, doc.Doc = true, true
		if what != "<what>" { // a row has its doc string
			doc.Content = what
		}
		return []Step{
			step(Given, "a box", 5), step(Given, "a lid", 6), step(Given, "a child", 12), table, doc,
			step(Then, "the box holds "+left, 23), step(Then, "the lid is open", 24), step(Then, "the child is glad", 25),
		}
	}
	want := []Scenario{{
		Pack: "helix", Chapter: "toy", File: textFile, Line: 15, Rule: "A toy is taken out", RuleLine: 9,
		Title:       `Taking out <n> "<what>"`,
		Tags:        []string{"@resume", "@helix.toy.first", "@must", "@no-transcript:the-lid-hides-it", "@slow"},
		Requirement: "helix.toy.first", IDs: []string{"helix.toy.first"}, NoTranscript: "the lid hides it",
		Rows: []Row{
			{Title: `Taking out 1 "car"`, Steps: steps("1", "car", "2")},
			{Title: `Taking out 2 "ball"`, Steps: steps("2", "ball", "1")},
			{Title: `Taking out 3 "cube"`, Steps: steps("3", "cube", "0")},
		},
		Steps: steps("<n>", "<what>", "<left>"),
	}, {
		Pack: "helix", Chapter: "toy", File: textFile, Line: 39, Rule: "A toy is put back", RuleLine: 37, Title: "Putting back",
		Tags: []string{"@resume", "@helix.toy.second", "@should"}, Requirement: "helix.toy.second", IDs: []string{"helix.toy.second"},
	}}
	plain := []Step{
		step(Given, "a box", 5), step(Given, "a lid", 6), step(When, "the child is bored", 40), step(Then, "the box holds 3", 41),
	}
	want[1].Steps, want[1].Rows = plain, []Row{{Title: "Putting back", Steps: plain}}
	if diff := cmp.Diff(want, scenarios, cmpopts.IgnoreUnexported(Row{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestKeywordsResolve(t *testing.T) {
	for _, c := range []struct {
		steps string
		want  []Keyword
	}{
		{"Given a\nAnd b\nBut c\n* d", []Keyword{Given, Given, Given, Given}},
		{"Given a\nWhen b\nAnd c\nThen d\nAnd e\nBut f", []Keyword{Given, When, When, Then, Then, Then}},
		{"And a\nWhen b", []Keyword{Given, When}},
		{"* a\nThen b\n* c\nGiven d\nAnd e", []Keyword{Given, Then, Then, Given, Given}},
	} {
		var got []Keyword
		for _, st := range loadText(t, "Feature: f\nScenario: s\n"+c.steps+"\n")[0].Steps {
			got = append(got, st.Keyword)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.steps, got, c.want)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"an empty file":           {"", ":1: expected a Feature, found none"},
		"comments only":           {"# nothing\n\n# here\n", ":1: expected a Feature, found none"},
		"a misspelt keyword":      {"Feature: f\n\n  Scenario: s\n    Given a\n    Whn b\n    Thn c\n", ":5: expected: #EOF, #TableRow, #DocStringSeparator, #StepLine, #TagLine, #ExamplesLine, #ScenarioLine, #RuleLine, #Comment, #Empty, got '    Whn b'"},
		"text before":             {"Scenario: s\n", ":1: expected: #EOF, #Language, #TagLine, #FeatureLine, #Comment, #Empty, got 'Scenario: s'"},
		"a ragged table":          {"Feature: f\n  Scenario: s\n    Given a\n      | a |\n      | a | b |\n", ":5: inconsistent cell count within the table"},
		"an open doc string":      {"Feature: f\n  Scenario: s\n    Given a\n      \"\"\"\n      b\n", ":6: unexpected end of file, expected: #DocStringSeparator, #Other"},
		"a tag of two words":      {"Feature: f\n  @a b\n  Scenario: s\n", ":2: A tag may not contain whitespace"},
		"an unknown language":     {"# language: zz\nFeature: f\n", ":1: Language not supported: zz"},
		"a line that is too long": {"Feature: f\n  # " + strings.Repeat("x", 70_000) + "\n", ":2: the line is longer than 32768 bytes"},
		"one that ends the file":  {"Feature: f\n" + strings.Repeat("x", 70_000), ":2: the line is longer than 32768 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load(textFS(c.text), "helix")
			var mistake *ParseError
			if !errors.As(err, &mistake) || mistake.File != textFile || mistake.Line < 1 {
				t.Fatalf("got %#v", err)
			}
			if got, want := err.Error(), "features/"+textFile+c.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestParseErrorOfAnotherForm: an error of the parser in an unknown form still becomes one line.
func TestParseErrorOfAnotherForm(t *testing.T) {
	for said, want := range map[string]string{
		"it broke\n  badly":                         "features/x:1: it broke badly",
		"(99999999999999999999:1): far":             "features/x:1: far",
		"Parser errors:\n(4:5): first\n(9:1): next": "features/x:4: first",
	} {
		if got := parseError("x", errors.New(said)).Error(); got != want {
			t.Errorf("%q: got %q, want %q", said, got, want)
		}
	}
}

func TestLoadWithoutPack(t *testing.T) {
	_, err := Load(FS, "nosuch")
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "pack nosuch") {
		t.Errorf("got %v", err)
	}
}

// TestLoadOrder: files come in the order of their paths, scenarios in that of their lines, and nothing but .feature counts.
func TestLoadOrder(t *testing.T) {
	fsys := fstest.MapFS{
		"helix/b/a.feature": {Data: []byte("Feature: f\nScenario: third\nScenario: fourth\n")},
		"helix/a/z.feature": {Data: []byte("Feature: f\nScenario: second\n")},
		"helix/a/b.feature": {Data: []byte("Feature: f\r\nScenario: first\r\n  Given a\r\n")},
		"helix/a/notes.md":  {Data: []byte("Scenario: none")},
		"other/a/b.feature": {Data: []byte("no Gherkin")},
	}
	scenarios, err := Load(fsys, "helix")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, sc := range scenarios {
		got = append(got, sc.Location()+" "+sc.Title)
	}
	want := []string{"helix/a/b.feature:2 first", "helix/a/z.feature:2 second", "helix/b/a.feature:2 third", "helix/b/a.feature:3 fourth"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if text := scenarios[0].Steps[0].Text; text != "a" {
		t.Errorf("a step of a file with CRLF is %q", text)
	}
}

func TestTags(t *testing.T) {
	for tag, want := range map[string]Scenario{
		"@helix.toy.a-b":                {Requirement: "helix.toy.a-b"},
		"@helix.toy":                    {},
		"@helix.toy.a.b":                {},
		"@Helix.toy.a":                  {},
		"@no-transcript:reason-by-word": {NoTranscript: "reason by word"},
		"@no-transcript":                {},
		"@no-transcript:":               {},
	} {
		got := loadText(t, tag+"\nFeature: f\nScenario: s\n")[0]
		if got.Requirement != want.Requirement || got.NoTranscript != want.NoTranscript {
			t.Errorf("%s: requirement %q, no transcript %q", tag, got.Requirement, got.NoTranscript)
		}
	}
}

func TestGoldenPath(t *testing.T) {
	for title, slug := range map[string]string{
		"Cut in mid-frame":                       "cut-in-mid-frame",
		"Resuming after event <last>":            "resuming-after-event",
		"<what>":                                 "",
		`The cursor "<cursor>" in the <place>`:   "the-cursor-in-the",
		"Résumé -- of  9→10, twice!":             "r-sum-of-9-10-twice",
		"Resuming a stream that has <finished>.": "resuming-a-stream-that-has",
	} {
		sc := Scenario{Pack: "helix", Chapter: "resume", File: "helix/resume/cursor.feature", Line: 7, Title: title}
		if got := sc.Slug(); got != slug {
			t.Errorf("%q: got %q, want %q", title, got, slug)
		}
		if got, want := sc.GoldenPath(), "helix/resume/"+slug+".txt"; got != want {
			t.Errorf("%q: got %q, want %q", title, got, want)
		}
		if got := sc.Location(); got != "helix/resume/cursor.feature:7" {
			t.Errorf("place %q", got)
		}
	}
}

func TestKeywordString(t *testing.T) {
	if got := Given.String() + When.String() + Then.String(); got != "GivenWhenThen" {
		t.Errorf("got %q", got)
	}
}
