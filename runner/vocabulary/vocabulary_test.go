package vocabulary_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/vocabulary"
	"github.com/streamcert/streamcert/steps"
)

// TestSentences: a sentence has names and descriptions of its arguments.
func TestSentences(t *testing.T) {
	v := steps.NewVocabulary(func(w *steps.World) *steps.World { return w }, func(v *steps.Sentences[*steps.World]) {
		num := func(*steps.World, int) error { return nil }
		text := func(*steps.World, string) error { return nil }
		steps.Both(func(k features.Keyword) { steps.Step1(v, k, `^the client (?:has )?resumed after event (\d+)$`, num) })
		steps.Step2(v, features.When, `^"([^"]+)" asks in the (header|query)$`, func(*steps.World, string, string) error { return nil })
		steps.Step1(v, features.When, `^version ([12]) is asked$`, num)
		steps.Step1(v, features.Then, `^it ends( at once|)$`, text)
		steps.Step1(v, features.Then, `^(the client|client "[^"]+") sees (?:one|the same) thread$`, text)
		steps.Step1(v, features.Then, `^it says `+steps.JSONString+`$`, text)
		steps.Step1(v, features.Then, `^it says nothing(?:, or (\d+) times this)?$`, text)
		steps.Step1(v, features.Then, `^events? (\d[\d, to]*) are there$`, text)
		steps.Doc2(v, features.Given, `^a script for (\w+):$`, func(*steps.World, string, string) error { return nil })
	})
	row := features.Row{Steps: []features.Step{
		{Keyword: features.When, Text: "the client resumed after event 3", Line: 4},
		{Keyword: features.Then, Text: "events 1 to 4 are there", Line: 9},
	}}
	var got []string
	for _, s := range vocabulary.Of(v.Definitions(), []features.Scenario{{File: "p/a.feature", Rows: []features.Row{row}}}) {
		if s.Shared {
			continue
		}
		line := strings.Join(s.Keywords, "/") + " " + s.Text
		for _, a := range s.Arguments {
			line += fmt.Sprintf("; %s: %s", a.Name, a.Takes)
		}
		if s.DocString {
			line += "; doc string"
		}
		if s.Example != "" {
			line += fmt.Sprintf("; %s (%s)", s.Example, s.Location)
		}
		got = append(got, line)
	}
	want := []string{
		"Given/When the client [has ]resumed after event {number}; number: a number; the client resumed after event 3 (features/p/a.feature:4)",
		`When "{text}" asks in the {choice}; text: a text without quotes; choice: 'header' or 'query'`,
		"When version {number} is asked; number: 1 or 2",
		"Then it ends{option}; option: ' at once', or nothing",
		`Then {choice} sees (one|the same) thread; choice: 'the client' or 'client "…"'`,
		"Then it says {string}; string: a JSON string in its quotes",
		"Then it says nothing[, or {number} times this]; number: a number",
		`Then event[s] {text} are there; text: a text such as "1 to 4"; events 1 to 4 are there (features/p/a.feature:9)`,
		"Given a script for {word}:; word: a word; doc string",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// patterns reads the expressions of a script.
func patterns(t *testing.T, sentences []vocabulary.Sentence) (script []byte, all []string) {
	t.Helper()
	var b bytes.Buffer
	if err := vocabulary.Script(&b, sentences); err != nil {
		t.Fatal(err)
	}
	for _, line := range regexp.MustCompile(`(?m)^(?:Given|When|Then)\(/(.*)/, \(\) => \{\}\);$`).FindAllSubmatch(b.Bytes(), -1) {
		all = append(all, string(line[1]))
	}
	return b.Bytes(), all
}

// TestFeaturesFitTheScript: each step of the features matches one expression of the script for editors, by Go and, where
// there is one, by node. Each sentence has an example.
func TestFeaturesFitTheScript(t *testing.T) {
	for _, p := range packs.All() {
		t.Run(p.Name, func(t *testing.T) {
			scenarios, err := features.Load(features.FS, p.Name)
			if err != nil {
				t.Fatal(err)
			}
			sentences := vocabulary.Of(p.Vocabulary().Definitions(), scenarios)
			for _, s := range sentences {
				if (s.Example == "" || s.Location == "") && !s.Shared {
					t.Errorf("%s has no example", s.Text)
				}
			}
			script, all := patterns(t, sentences)
			if len(all) != len(sentences) {
				t.Fatalf("%d of %d sentences are in the script", len(all), len(sentences))
			}
			var compiled []*regexp.Regexp
			for _, pattern := range all {
				compiled = append(compiled, regexp.MustCompile(strings.ReplaceAll(pattern, `\/`, "/")))
			}
			texts := used(scenarios)
			for _, text := range texts {
				n := 0
				for _, re := range compiled {
					if re.MatchString(text) {
						n++
					}
				}
				if n != 1 {
					t.Errorf("%q matches %d expressions, want 1", text, n)
				}
			}
			byNode(t, script, texts)
		})
	}
}

// used lists the steps of scenarios, each once.
func used(scenarios []features.Scenario) []string {
	seen := map[string]bool{}
	var out []string
	for _, sc := range scenarios {
		for _, row := range sc.Rows {
			for _, step := range row.Steps {
				if !seen[step.Text] {
					seen[step.Text] = true
					out = append(out, step.Text)
				}
			}
		}
	}
	return out
}

// byNode runs a script by node, and matches texts with its expressions.
func byNode(t *testing.T, script []byte, texts []string) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Log("there is no node on the PATH: the expressions were matched by Go alone")
		return
	}
	list, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	const cucumber = "const all = []; const add = (p) => all.push(p); require = () => ({ Given: add, When: add, Then: add });\n"
	program := cucumber + string(script) + "for (const text of " + string(list) +
		") { const n = all.filter((p) => p.test(text)).length; if (n !== 1) console.log(`${text} matches ${n}`); }\n"
	file := filepath.Join(t.TempDir(), "steps.cjs")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "node", file).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("node: %v\n%s", err, out)
	}
}

// TestWriteShowsUnused: a sentence without an example is marked, and slashes don't end an expression early.
func TestWriteShowsUnused(t *testing.T) {
	s := vocabulary.Sentence{Keywords: []string{"Then"}, Text: "a/b", Pattern: `^a/b\/c$`}
	var b bytes.Buffer
	if err := vocabulary.Write(&b, []vocabulary.Sentence{s}); err != nil || !strings.Contains(b.String(), "no feature uses it") {
		t.Errorf("%q, %v", b.String(), err)
	}
	if _, all := patterns(t, []vocabulary.Sentence{s}); len(all) != 1 || all[0] != `^a\/b\/c$` {
		t.Errorf("%q", all)
	}
}
