package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/reference/mutant"
	aepmutant "github.com/streamcert/streamcert/reference/mutant/aep"
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
			suites, err := a.suites(pack)
			if err != nil {
				return err
			}
			var found []runner.Explanation
			if _, err := selecting(suites, func(suite *runner.Suite) error {
				more, err := suite.Explain(described(suite.Pack), args[0])
				found = append(found, more...)
				return err
			}); err != nil {
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

// described is the catalogue of a pack as far as words go.
func described(pack string) []runner.Mutant {
	var out []runner.Mutant
	if pack == "aep" {
		for _, m := range aepmutant.Catalogue() {
			out = append(out, runner.Mutant{Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Also: m.Also, Stateful: m.Stateful})
		}
		return out
	}
	for _, m := range mutant.Catalogue() {
		out = append(out, runner.Mutant{Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Also: m.Also, Stateful: m.Stateful})
	}
	return out
}
