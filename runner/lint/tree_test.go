package lint_test

import (
	"testing"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/reference/mutant"
	aepmutant "github.com/streamcert/streamcert/reference/mutant/aep"
	"github.com/streamcert/streamcert/reference/variant"
	aepvariant "github.com/streamcert/streamcert/reference/variant/aep"
	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/lint"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
	"github.com/streamcert/streamcert/steps"
)

// TestTheThreadIsWhole holds the kit itself to every check.
func TestTheThreadIsWhole(t *testing.T) {
	in := lint.Input{
		Spec: spec.FS, Schemas: schemas.FS, Features: features.FS, Golden: golden.FS,
		Definitions: steps.NewVocabulary().Definitions(), Pairs: steps.Pairs(),
	}
	for _, name := range runner.Packs() {
		in.Packs = append(in.Packs, lint.Pack{Name: name, Judged: runner.Judged(name)})
	}
	for _, m := range mutant.Catalogue() {
		in.Mutants = append(in.Mutants, lint.Mutant{Pack: "helix", Name: m.Name, Requirement: m.Requirement, Also: m.Also})
	}
	for _, m := range aepmutant.Catalogue() {
		in.Mutants = append(in.Mutants, lint.Mutant{Pack: "aep", Name: m.Name, Requirement: m.Requirement, Also: m.Also})
	}
	for _, v := range variant.Catalogue() {
		in.Variants = append(in.Variants, lint.Variant{Pack: "helix", Name: v.Name, Freedom: v.Freedom, Warns: v.Warns})
	}
	for _, v := range aepvariant.Catalogue() {
		in.Variants = append(in.Variants, lint.Variant{Pack: "aep", Name: v.Name, Freedom: v.Freedom, Warns: v.Warns})
	}
	r := lint.Run(in)
	for _, p := range r.Problems {
		t.Errorf("%s (%s)", p, p.Check)
	}
	if r.Requirements == 0 || r.Scenarios == 0 || r.Mutants == 0 {
		t.Errorf("nothing was read: %+v", r)
	}
}
