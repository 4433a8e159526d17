package steps_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

// sentence is a step as a feature file has it, its outline expanded.
type sentence struct {
	keyword features.Keyword
	text    string
}

// sentences are the steps of all feature files, with the place of one of each and whether it has a block.
func sentences(t *testing.T) (places map[sentence]string, blocks map[sentence]bool) {
	t.Helper()
	var scenarios []features.Scenario
	for _, pack := range []string{"helix", "aep"} {
		more, err := features.Load(features.FS, pack)
		if err != nil {
			t.Fatal(err)
		}
		scenarios = append(scenarios, more...)
	}
	places, blocks = map[sentence]string{}, map[sentence]bool{}
	for _, sc := range scenarios {
		for _, row := range sc.Rows {
			for _, st := range row.Steps {
				s := sentence{st.Keyword, st.Text}
				places[s] = sc.Place()
				blocks[s] = st.Doc || st.Table
			}
		}
	}
	return places, blocks
}

// matching are the definitions of one keyword that match a text.
func matching(ds []steps.Definition, s sentence) []steps.Definition {
	var out []steps.Definition
	for _, d := range ds {
		if d.Keyword == s.keyword && d.Pattern.MatchString(s.text) {
			out = append(out, d)
		}
	}
	return out
}

func TestEverySentenceHasOneDefinition(t *testing.T) {
	ds := steps.NewVocabulary().Definitions()
	places, blocks := sentences(t)
	used := map[string]bool{}
	for s, place := range places {
		found := matching(ds, s)
		if len(found) != 1 {
			t.Errorf("%s: %s %q matches %d definitions", place, s.keyword, s.text, len(found))
			continue
		}
		d := found[0]
		used[d.Pattern.String()] = true
		want := d.Pattern.NumSubexp()
		if blocks[s] {
			want++
		}
		if d.Arity != want || d.Block != blocks[s] {
			t.Errorf("%s: %s takes %d parameters (block: %v), expected %d (block: %v)", place, d.Pattern, d.Arity, d.Block, want, blocks[s])
		}
	}
	for _, d := range ds {
		if !used[d.Pattern.String()] {
			t.Errorf("no step uses %s %s", d.Keyword, d.Pattern)
		}
	}
}

// TestSentencesAreToldApart: godog matches without regard to the keyword unless it is told to, and people read without.
func TestSentencesAreToldApart(t *testing.T) {
	ds := steps.NewVocabulary().Definitions()
	places, _ := sentences(t)
	for s, place := range places {
		patterns := map[string]bool{}
		for _, d := range ds {
			if d.Pattern.MatchString(s.text) {
				patterns[d.Pattern.String()] = true
			}
		}
		if len(patterns) != 1 {
			t.Errorf("%s: %q matches %d patterns: %v", place, s.text, len(patterns), patterns)
		}
	}
}

func TestDefinitionsAreWellFormed(t *testing.T) {
	seen := map[sentence]bool{}
	for _, d := range steps.NewVocabulary().Definitions() {
		p := d.Pattern.String()
		if !anchored(p) {
			t.Errorf("%s is not anchored", p)
		}
		if d.Takes() != d.Arity {
			t.Errorf("%s says that it takes %d and takes %d", p, d.Arity, d.Takes())
		}
		key := sentence{d.Keyword, p}
		if seen[key] {
			t.Errorf("%s %s is defined twice", d.Keyword, p)
		}
		seen[key] = true
	}
	if len(seen) == 0 {
		t.Error("the vocabulary is empty")
	}
}

// anchored says whether nothing can stand before or after what a pattern matches: a ^ that only one branch has doesn't.
func anchored(pattern string) bool {
	if !strings.HasPrefix(pattern, "^") || !strings.HasSuffix(pattern, "$") {
		return false
	}
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			end := regexp.MustCompile(`^\[\^?\]?(?:[^\]\\]|\\.)*\]`).FindString(pattern[i:])
			i += max(0, len(end)-1)
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			return false
		}
	}
	return true
}

func TestAnchored(t *testing.T) {
	for pattern, want := range map[string]bool{
		`^a$`: true, `^(a|b)$`: true, `^[|(]\|$`: true, `^("(?:[^"\\]|\\.)*")$`: true,
		`a$`: false, `^a`: false, `^a|b$`: false, `^(a)|(b)$`: false,
	} {
		if got := anchored(pattern); got != want {
			t.Errorf("%s: got %v", pattern, got)
		}
	}
}

// TestStepWithoutWorld: a step that godog runs without the hook that makes its world is a fault of the kit.
func TestStepWithoutWorld(t *testing.T) {
	for _, d := range steps.NewVocabulary().Definitions() {
		if d.Pattern.MatchString("a new stream") {
			var fault *steps.Fault
			if err := d.Call(context.Background(), "a new stream"); !errors.As(err, &fault) {
				t.Errorf("got %v", err)
			}
		}
	}
}
