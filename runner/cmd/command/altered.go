package command

import "github.com/streamcert/streamcert/runner/prove"

// altered lists the mutants and variants of a pack; nothing starts them.
func (a *App) altered(pack string) ([]prove.Mutant, []prove.Variant, error) {
	of, err := a.servers.Altered(pack)
	if err != nil {
		return nil, nil, err
	}
	var mutants []prove.Mutant
	for _, m := range of.Mutants {
		mutants = append(mutants, prove.Mutant{Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Also: m.Also})
	}
	var variants []prove.Variant
	for _, v := range of.Variants {
		variants = append(variants, prove.Variant{Name: v.Name, Freedom: v.Freedom, Summary: v.Summary, Warns: v.Warns})
	}
	return mutants, variants, nil
}
