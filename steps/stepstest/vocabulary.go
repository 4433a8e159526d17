package stepstest

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
	keyword features.Keyword // And and But are resolved
	text    string           // the placeholders of an outline are filled in
}

// sentences returns the steps of a pack's feature files, with the location of one of each and whether it has a block.
func sentences(t *testing.T, pack string) (locations map[sentence]string, blocks map[sentence]bool) {
	t.Helper()
	scenarios, err := features.Load(features.FS, pack)
	if err != nil {
		t.Fatal(err)
	}
	locations, blocks = map[sentence]string{}, map[sentence]bool{}
	for _, sc := range scenarios {
		for _, row := range sc.Rows {
			for _, st := range row.Steps {
				s := sentence{st.Keyword, st.Text}
				locations[s] = sc.Location()
				blocks[s] = st.Doc || st.Table
			}
		}
	}
	return locations, blocks
}

// matching returns the definitions of one keyword that match a text.
func matching(ds []steps.Definition, s sentence) []steps.Definition {
	var out []steps.Definition
	for _, d := range ds {
		if d.Keyword == s.keyword && d.Pattern.MatchString(s.text) {
			out = append(out, d)
		}
	}
	return out
}

// Vocabulary checks the vocabulary of a pack against the pack's feature files: each of their steps is one sentence, each
// sentence is used, and its handler takes its captures.
func Vocabulary(t *testing.T, pack string, v *steps.Vocabulary) {
	t.Helper()
	locations, blocks := sentences(t, pack)
	t.Run("every sentence has one definition", func(t *testing.T) { haveDefinitions(t, v.Definitions(), locations, blocks) })
	t.Run("sentences differ without their keywords", func(t *testing.T) { differ(t, v.Definitions(), locations) })
	t.Run("definitions are well formed", func(t *testing.T) { wellFormed(t, v.Definitions()) })
	t.Run("a scenario uses what its steps match", func(t *testing.T) { haveUsed(t, v, locations) })
	t.Run("a step without a world is a fault", func(t *testing.T) { needWorld(t, v.Definitions(), locations) })
}

func haveDefinitions(t *testing.T, ds []steps.Definition, locations map[sentence]string, blocks map[sentence]bool) {
	t.Helper()
	used := map[string]bool{}
	for s, place := range locations {
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

// differ: godog matches without regard to the keyword where its options don't request it, and people read without.
func differ(t *testing.T, ds []steps.Definition, locations map[sentence]string) {
	t.Helper()
	for s, place := range locations {
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

func wellFormed(t *testing.T, ds []steps.Definition) {
	t.Helper()
	seen := map[sentence]bool{}
	for _, d := range ds {
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

// anchored reports whether no text can come before or after a match of a pattern: a ^ in only one branch doesn't suffice.
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

// needWorld: a step that godog runs without the hook that makes its world is a fault of the kit.
func needWorld(t *testing.T, ds []steps.Definition, locations map[sentence]string) {
	t.Helper()
	called := false
	for s := range locations {
		for _, d := range matching(ds, s) {
			if d.Arity > 0 {
				continue
			}
			called = true
			var fault *steps.Fault
			if err := d.Call(context.Background(), s.text); !errors.As(err, &fault) {
				t.Errorf("%q: got %v", s.text, err)
			}
		}
	}
	if !called {
		t.Error("no step was called")
	}
}

// haveUsed: what is bound for a scenario is all that its steps match, and nothing else.
func haveUsed(t *testing.T, v *steps.Vocabulary, locations map[sentence]string) {
	t.Helper()
	for s, place := range locations {
		used := v.Used([]features.Step{{Keyword: s.keyword, Text: s.text}})
		want := matching(v.Definitions(), s)
		if len(used) != len(want) || used[0].Pattern != want[0].Pattern {
			t.Errorf("%s: %q uses %d definitions, expected %d", place, s.text, len(used), len(want))
		}
	}
	if used := v.Used([]features.Step{{Text: "nobody says this"}}); len(used) != 0 {
		t.Errorf("a step that no definition matches uses %v", used)
	}
}
