package main

import (
	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/reference/mutant"
	aepmutant "github.com/streamcert/streamcert/reference/mutant/aep"
	"github.com/streamcert/streamcert/reference/variant"
	aepvariant "github.com/streamcert/streamcert/reference/variant/aep"
	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/lint"
	"github.com/streamcert/streamcert/steps"
)

func newLint(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Check that spec, schemas, features, goldens, mutants and variants belong together",
		Long: "Follow each requirement from the spec to the scenarios that prove it, the schemas that name it, the mutants that\n" +
			"break it and the transcripts that show it, and say where the thread is cut.\n\n" +
			"Exit codes: 0 when it is whole, 1 when there are problems, 2 for a mistake in the call.",
		Args: arguments(),
		RunE: func(*cobra.Command, []string) error {
			if err := knownFormat(format); err != nil {
				return err
			}
			files, err := a.files()
			if err != nil {
				return err
			}
			r := lint.Run(linted(files))
			write := r.WriteConsole
			if format == "json" {
				write = r.WriteJSON
			}
			if err := write(a.out); err != nil {
				return err
			}
			if len(r.Problems) > 0 {
				return code(broken)
			}
			return nil
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

// linted hands lint what it may not fetch by itself.
func linted(files runner.Files) lint.Input {
	in := lint.Input{
		Spec: files.Spec, Schemas: files.Schemas, Features: files.Features, Golden: files.Golden,
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
	return in
}
