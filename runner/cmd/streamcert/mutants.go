package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/report"
)

func newMutants(a *app) *cobra.Command {
	var pack, format string
	var only []string
	cmd := &cobra.Command{
		Use:   "mutants",
		Short: "Run the broken servers; each must be found out by its own requirement",
		Long: "Start every server of the catalogue, each with one bug, and run the scenarios of the requirement that it breaks,\n" +
			"until the first finding. Exit code 1 if one survives, or is found out only by another requirement, or if a\n" +
			"testable requirement has no mutant that it found out.",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := knownFormat(format); err != nil {
				return err
			}
			suite, err := a.suite(pack)
			if err != nil {
				return err
			}
			own, err := newEmbedded()
			if err != nil {
				return err
			}
			progress := report.NewProgress(a.errs, terminal(a.errs), time.Now, "mutants")
			rep, err := suite.Mutants(cmd.Context(), own.catalogue(), runner.MutantOptions{
				Config: own.config, Healthy: own.reference, Only: only,
				Progress: func(done, total int, r runner.MutantResult) {
					survivors := 0
					if r.Outcome != runner.Killed {
						survivors = 1
					}
					progress.Step(done, total, survivors)
				},
			})
			progress.Finish()
			var unknown *runner.SelectionError
			switch {
			case errors.As(err, &unknown):
				return misused(err)
			case err != nil:
				return err
			}
			write := rep.WriteConsole
			if format == "json" {
				write = rep.WriteJSON
			}
			if err := write(a.out); err != nil {
				return err
			}
			if !rep.OK() {
				return code(broken)
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&only, "only", nil, "`NAME` of a mutant, or ID of a requirement, or a glob of either; may be given again")
	packFlag(cmd, &pack)
	formatFlag(cmd, &format)
	return cmd
}
