package lint

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

// fixtures: every Then has a fixture, two servers that differ in one fact, a bug of the catalogue or one step. The tests of the
// vocabulary play the fixtures; here none may be missing, or name an unknown Then or mutant.
func fixtures(t *tree) {
	played := func(d steps.Definition) bool {
		return slices.ContainsFunc(t.packs, func(p *pack) bool { return slices.ContainsFunc(p.Fixtures, plays(d)) })
	}
	for _, d := range t.definitions() {
		if d.Keyword == features.Then && !played(d) {
			t.report("fixture", stepsFolder, 0, "no fixture has seen the Then %s fail", d.Pattern)
		}
	}
	for _, p := range t.packs {
		for _, fixture := range p.Fixtures {
			t.checkFixture(p, fixture)
		}
	}
}

// plays reports whether a fixture is of a definition.
func plays(d steps.Definition) func(steps.Fixture) bool {
	return func(p steps.Fixture) bool {
		return d.Keyword == features.Then && d.Pattern.MatchString(sentenceOf(p.Then))
	}
}

// checkFixture checks one fixture of a pack. A pack without a mutant may name one that doesn't exist yet.
func (t *tree) checkFixture(of *pack, p steps.Fixture) {
	if !slices.ContainsFunc(of.Definitions, func(d steps.Definition) bool { return plays(d)(p) }) {
		t.report("fixture", stepsFolder, 0, "the fixture %q is of no Then", p.Name())
	}
	if (p.Mutant == "") == (p.Other == nil) {
		t.report("fixture", stepsFolder, 0, "the servers of the fixture %q must differ in a mutant or in a step, one of the two", p.Name())
	}
	known := func(m Mutant) bool { return m.Name == p.Mutant && m.Pack == of.Name }
	if p.Mutant != "" && t.altered(of) && !slices.ContainsFunc(t.in.Mutants, known) {
		t.report("fixture", stepsFolder, 0, "the fixture %q needs the mutant %s, which is not in the catalogue", p.Name(), p.Mutant)
	}
}

// sentenceOf returns a step without the doc string below it.
func sentenceOf(step string) string {
	sentence, _, _ := strings.Cut(step, "\n")
	return sentence
}
