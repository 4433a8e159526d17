package lint

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
)

// scenarioShapes: a scenario is in a rule, has givens, one event, and expectations, of which one is a fact.
func scenarioShapes(t *tree) {
	for _, p := range t.packs {
		for _, sc := range p.scenarios {
			if sc.Rule == "" && sc.RuleLine == 0 {
				t.report("scenario", "features/"+sc.File, sc.Line, "the scenario %q stands outside of a rule", sc.Title)
			}
			if len(sc.Rows) == 0 {
				t.report("scenario", "features/"+sc.File, sc.Line, "the scenario %q never runs: it has no example", sc.Title)
			}
			t.order(sc)
		}
	}
}

// order checks the order of a scenario's steps: Givens, one When, Thens.
func (t *tree) order(sc features.Scenario) {
	report := func(line int, format string, args ...any) {
		t.report("scenario", "features/"+sc.File, line, format, args...)
	}
	counts := map[features.Keyword]int{}
	last := features.Given
	for _, st := range sc.Steps {
		if st.Line < sc.Line {
			if st.Keyword != features.Given {
				report(st.Line, "a %s in a background, which holds Givens only", st.Keyword)
			}
			continue
		}
		counts[st.Keyword]++
		if st.Keyword < last {
			report(st.Line, "a %s after a %s", st.Keyword, last)
		}
		if st.Keyword == features.When && counts[features.When] == 2 {
			report(st.Line, "a second When: a scenario is about one event")
		}
		last = max(last, st.Keyword)
	}
	switch {
	case counts[features.Then] == 0:
		report(sc.Line, "the scenario %q has no Then", sc.Title)
	case !slices.ContainsFunc(sc.Steps, factual):
		report(sc.Line, "the scenario %q says no fact: expected a Then beside %q", sc.Title, unspecific)
	}
	if counts[features.When] == 0 && counts[features.Then] > 0 {
		report(sc.Line, "the scenario %q has no When", sc.Title)
	}
}

// unspecific is the Then that runs the judge. A reader of a scenario can't see by it what is looked at.
const unspecific = "no exchange of this scenario breaks this rule"

// factual reports whether a step is a Then that states a fact.
func factual(st features.Step) bool { return st.Keyword == features.Then && st.Text != unspecific }

// descriptions: the parser reads lines before the first step that don't begin with a keyword as a description, so that a
// misspelt Given would vanish.
func descriptions(t *tree) {
	for _, p := range t.packs {
		for _, o := range p.outlines {
			for _, place := range o.other {
				if first, _, _ := strings.Cut(strings.TrimSpace(place.description), "\n"); first != "" {
					t.report("scenario", "features/"+o.file, place.line, "%q is no step; a %s has no description, use a # comment", first, place.what)
				}
			}
		}
	}
}

// titles: an expanded title names one row of the pack, and the file of its transcript one scenario.
func titles(t *tree) {
	for _, p := range t.packs {
		rows := map[string]string{}
		files := map[string]string{}
		for _, sc := range p.scenarios {
			for _, row := range sc.Rows {
				if row.Title == "" {
					t.report("title", "features/"+sc.File, sc.Line, "the scenario has no title")
				} else if first, taken := rows[row.Title]; taken {
					t.report("title", "features/"+sc.File, sc.Line, "the title %q is taken by features/%s", row.Title, first)
				}
				rows[row.Title] = sc.Location()
			}
			if sc.NoTranscript != "" {
				continue
			}
			first, taken := files[sc.GoldenPath()]
			if taken && first != sc.Location() {
				t.report("title", "features/"+sc.File, sc.Line, "the transcript golden/%s belongs to features/%s too", sc.GoldenPath(), first)
			}
			files[sc.GoldenPath()] = sc.Location()
		}
	}
}
