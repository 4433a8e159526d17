package command

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/vocabulary"
	"github.com/streamcert/streamcert/schemas"
)

// TestSteps: the sentences of each pack are listed for people, for programs and for editors.
func TestSteps(t *testing.T) {
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packs.All() {
		people := streamcert(t, "", "steps", "--pack", p.Name)
		programs := streamcert(t, "", "steps", "--pack", p.Name, "--format", "json")
		editors := streamcert(t, "", "steps", "--pack", p.Name, "--format", "js")
		var document struct {
			Pack      string
			Sentences []vocabulary.Sentence
		}
		if err := json.Unmarshal([]byte(programs.Out), &document); err != nil || document.Pack != p.Name || len(document.Sentences) == 0 {
			t.Fatalf("%s: %v: %+v", p.Name, err, document)
		}
		for _, f := range kit.Document("steps", schemas.Strict, []byte(programs.Out)).Findings {
			t.Errorf("%s: the sentences aren't what schemas/steps.json describes: %+v", p.Name, f)
		}
		for _, s := range document.Sentences {
			if !strings.Contains(people.Out, strings.Join(s.Keywords, "/")+" "+s.Text+"\n") {
				t.Errorf("%s: people don't see %s", p.Name, s.Text)
			}
		}
		if n := strings.Count(editors.Out, ", () => {});\n"); n != len(document.Sentences) {
			t.Errorf("%s: editors see %d of %d sentences", p.Name, n, len(document.Sentences))
		}
	}
	all := streamcert(t, "", "steps", "--format", "js")
	seen := map[string]bool{}
	for line := range strings.Lines(all.Out) {
		_, pattern, _ := strings.Cut(line, "(")
		if strings.HasSuffix(line, "{});\n") && seen[pattern] {
			t.Errorf("stands twice: %s", line)
		}
		seen[pattern] = true
	}
	streamcert(t, "", "steps", "--format", "xml").OneLine(t, misuse, "console, json or js")
	streamcert(t, "", "steps", "--pack", "helx").OneLine(t, misuse, "helx")
}
