package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/explain"
	"github.com/streamcert/streamcert/runner/pack"
)

func newExplain(a *App) *cobra.Command {
	var protocol string
	cmd := &cobra.Command{
		Use:   "explain ID",
		Short: "Show a requirement, why it is one, and everything that tests it",
		Long: "Print the sentence of a requirement, why it is one, the scenarios that prove it, the mutants that break it, the\n" +
			"schemas that carry it, the lines of code that keep it and check it, and an example. With --dir of a checkout, also\n" +
			"the lines of the model, the steps and the campaigns that name it. ID may be a glob such as 'resume.*', or the name\n" +
			"of a mutant.",
		Args: Arguments("the ID of a requirement"),
		RunE: func(_ *cobra.Command, args []string) error {
			suites, err := a.Suites(protocol)
			if err != nil {
				return err
			}
			var found []explain.Explanation
			if _, err := Selecting(suites, func(suite *pack.Suite) error {
				told, err := a.servers.Altered(suite.Pack.Name)
				if err != nil {
					return err
				}
				more, err := explain.Find(suite, told.Mutants, args[0])
				found = append(found, more...)
				return err
			}); err != nil {
				return Misused(err) // a name that nothing has, or a file of the working copy
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
	PackFlag(cmd, &protocol)
	return cmd
}
