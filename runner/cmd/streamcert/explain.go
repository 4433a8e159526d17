package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/reference/mutant"
	"github.com/streamcert/streamcert/runner"
)

func newExplain(a *app) *cobra.Command {
	var pack string
	cmd := &cobra.Command{
		Use:   "explain ID",
		Short: "Show a requirement, why it is one, and everything that tests it",
		Long: "Print the sentence of a requirement, why it is one, the scenarios that prove it, the mutants that break it, the\n" +
			"schemas that carry it, and an example. ID may be a glob such as 'helix.resume.*', or the name of a mutant.",
		Args: arguments("the ID of a requirement"),
		RunE: func(_ *cobra.Command, args []string) error {
			suite, err := a.suite(pack)
			if err != nil {
				return err
			}
			found, err := suite.Explain(described(), args[0])
			var unknown *runner.SelectionError
			switch {
			case errors.As(err, &unknown):
				return misused(err)
			case err != nil:
				return err
			}
			for i, e := range found {
				if i > 0 {
					if _, err := fmt.Fprintln(a.out); err != nil {
						return fmt.Errorf("writing the explanation: %w", err)
					}
				}
				if err := e.Write(a.out); err != nil {
					return err
				}
			}
			return nil
		},
	}
	packFlag(cmd, &pack)
	return cmd
}

// described is the catalogue as far as words go.
func described() []runner.Mutant {
	var out []runner.Mutant
	for _, m := range mutant.Catalogue() {
		out = append(out, runner.Mutant{Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Also: m.Also, Stateful: m.Stateful})
	}
	return out
}
