package lint

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

// fixtures: every Then has a pair of worlds that differ in one fact, a bug of the catalogue or one step. The tests of the
// vocabulary play the pairs; here none may be missing, or be about something that isn't there.
func fixtures(t *tree) {
	played := func(d steps.Definition) bool {
		return slices.ContainsFunc(t.packs, func(p *pack) bool { return slices.ContainsFunc(p.Fixtures, plays(d)) })
	}
	for _, d := range t.definitions() {
		if d.Keyword == features.Then && !played(d) {
			t.report("pair", stepsFolder, 0, "no pair of worlds has seen the Then %s fail", d.Pattern)
		}
	}
	for _, p := range t.packs {
		for _, fixture := range p.Fixtures {
			t.checkFixture(p, fixture)
		}
	}
}

// plays reports of a pair whether it is of a definition.
func plays(d steps.Definition) func(steps.Fixture) bool {
	return func(p steps.Fixture) bool {
		return d.Keyword == features.Then && d.Pattern.MatchString(sentenceOf(p.Then))
	}
}

func (t *tree) checkFixture(of *pack, p steps.Fixture) {
	if !slices.ContainsFunc(of.Definitions, func(d steps.Definition) bool { return plays(d)(p) }) {
		t.report("pair", stepsFolder, 0, "the pair %q is of no Then", p.Name())
	}
	if (p.Mutant == "") == (p.Other == nil) {
		t.report("pair", stepsFolder, 0, "the worlds of the pair %q must differ in a mutant or in a step, one of the two", p.Name())
	}
	known := func(m Mutant) bool { return m.Name == p.Mutant && m.Pack == of.Name }
	if p.Mutant != "" && t.altered(of) && !slices.ContainsFunc(t.in.Mutants, known) {
		t.report("pair", stepsFolder, 0, "the pair %q needs the mutant %s, which is not in the catalogue", p.Name(), p.Mutant)
	}
}

// sentenceOf returns a step without the doc string below it.
func sentenceOf(step string) string {
	sentence, _, _ := strings.Cut(step, "\n")
	return sentence
}
