package lint

import (
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

// stepsFolder is reported as the file of a definition, which is code.
const stepsFolder = "steps"

// sentence is a step text that a definition matches.
type sentence struct {
	keyword features.Keyword
	text    string
}

// matching finds the definitions of each sentence once.
type matching struct {
	definitions []steps.Definition // of one pack
	seen        map[sentence][]int // results of earlier calls of [matching.of]
}

// of returns the indexes of the definitions that match a sentence.
func (m *matching) of(s sentence) []int {
	found, ok := m.seen[s]
	if !ok {
		for i, d := range m.definitions {
			if d.Keyword == s.keyword && d.Pattern.MatchString(s.text) {
				found = append(found, i)
			}
		}
		m.seen[s] = found
	}
	return found
}

// vocabulary: every step is a sentence of its pack's vocabulary, and of one definition only.
func vocabulary(t *tree) {
	t.eachStep(func(m *matching, sc features.Scenario, st features.Step) {
		switch found := m.of(sentence{st.Keyword, st.Text}); len(found) {
		case 0:
			t.report("step", "features/"+sc.File, st.Line, "no definition matches %s %q", st.Keyword, st.Text)
		case 1:
		default:
			t.report("step", "features/"+sc.File, st.Line, "%s %q matches both %s and %s", st.Keyword, st.Text,
				m.definitions[found[0]].Pattern, m.definitions[found[1]].Pattern)
		}
	})
}

// definitions: every sentence of a vocabulary is used by a pack that has it, anchored, and its handler takes all captures.
// One pack must use a common sentence; a single pack needn't.
func definitions(t *tree) {
	used, blocks := map[string]bool{}, map[string]bool{}
	t.eachStep(func(m *matching, _ features.Scenario, st features.Step) {
		for _, i := range m.of(sentence{st.Keyword, st.Text}) {
			pattern := m.definitions[i].Pattern.String()
			used[pattern] = true
			blocks[pattern] = blocks[pattern] || st.Doc || st.Table
		}
	})
	for _, d := range t.definitions() {
		pattern := d.Pattern.String()
		if !strings.HasPrefix(pattern, "^") || !strings.HasSuffix(pattern, "$") {
			t.report("definition", stepsFolder, 0, "the definition %s is not anchored with ^ and $", pattern)
		}
		// A sentence that is a Given as well as a When is one sentence.
		if !used[pattern] {
			if !t.partial() && (!d.Shared || len(t.packs) > 1) {
				t.report("definition", stepsFolder, 0, "no step uses the definition %s", pattern)
			}
			continue
		}
		want := d.Pattern.NumSubexp()
		if blocks[pattern] {
			want++
		}
		if d.Arity != want {
			t.report("definition", stepsFolder, 0, "the definition %s takes %s, expected %d: one for each capture and one for a block",
				pattern, count(d.Arity, "parameter"), want)
		}
	}
}

// definitions returns the definitions of all packs; common ones occur several times.
func (t *tree) definitions() []steps.Definition {
	var out []steps.Definition
	for _, p := range t.packs {
		out = append(out, p.Definitions...)
	}
	return out
}

// eachStep visits the steps of all packs, each with a matcher of the sentences of its pack.
func (t *tree) eachStep(visit func(*matching, features.Scenario, features.Step)) {
	for _, p := range t.packs {
		m := &matching{p.Definitions, map[sentence][]int{}}
		for _, sc := range p.scenarios {
			for _, row := range sc.Rows {
				for _, st := range row.Steps {
					visit(m, sc, st)
				}
			}
		}
	}
}
