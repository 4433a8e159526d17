package lint

import (
	"cmp"
	"slices"
)

// Run does all checks.
func Run(in Input) Report {
	t := load(in)
	for _, check := range []func(*tree){
		links, packFolders, rooms,
		ruleIDs, levelTags, otherTags, capabilityTags, transcriptTags,
		scenarioShapes, descriptions, titles,
		vocabulary, definitions, fixtures, modelled,
		schemaFiles, schemaIDs, judgedIDs, typesShown,
		proven, mutants, variants, accepted, idleServers, goldens,
		checkReference, checkJudge, mentioned, samples, readers, guesses, numbers, tables, wording, freedoms,
		actors, wire, diagrams,
	} {
		check(t)
	}
	r := Report{Mutants: len(in.Mutants), Sources: t.code.Files, Problems: t.problems}
	if t.book != nil {
		r.Requirements = len(t.book.Requirements)
		for _, q := range t.book.Requirements {
			if q.Untestable != "" {
				r.Untestable++
			}
		}
	}
	for _, p := range t.packs {
		r.Scenarios += len(p.scenarios)
		for _, sc := range p.scenarios {
			r.Rows += len(sc.Rows)
		}
	}
	slices.SortFunc(r.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	r.Problems = slices.Compact(r.Problems)
	return r
}
