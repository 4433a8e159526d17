package lab

import (
	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/lint"
	"github.com/streamcert/streamcert/runner/pack"
)

func newLint(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Check that spec, schemas, features, goldens, mutants, variants and idle servers belong together",
		Long: "Follow each requirement from the spec to the scenarios that prove it, the schemas that name it, the mutants that\n" +
			"break it, the transcripts that show it, and the lines of the reference and of the judges that name it, and say\n" +
			"where the thread is cut. Each sentence has to say whom it binds, each chapter to show an exchange as its golden has\n" +
			"it, and each arrow of a diagram to name the requirement that demands it. With --dir, the code is read if the working copy has reference and runner/judge.\n\n" +
			"Exit codes: 0 when it is whole, 1 when there are problems, 2 for a mistake in the call.",
		Args: command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			if err := command.KnownFormat(format); err != nil {
				return err
			}
			files, err := a.Files()
			if err != nil {
				return err
			}
			r := lint.Run(a.linted(files))
			write := r.WriteConsole
			if format == "json" {
				write = r.WriteJSON
			}
			if err := write(a.Out()); err != nil {
				return err
			}
			if len(r.Problems) > 0 {
				return command.Code(command.Broken)
			}
			return nil
		},
	}
	command.FormatFlag(cmd, &format)
	return cmd
}

// linted returns the input of lint, including the data that lint may not import.
func (a *app) linted(files pack.Files) lint.Input {
	in := lint.Input{
		Spec: files.Spec, Schemas: files.Schemas, Features: files.Features, Golden: files.Golden, Sources: files.Sources,
	}
	for _, p := range a.Packs() {
		in.Packs = append(in.Packs, lint.Pack{
			Name: p.Name, Served: a.Servers().Has(p.Name), Judged: p.Judged(), Definitions: p.Vocabulary().Definitions(), Fixtures: p.Fixtures(), Model: lint.Model(p.Model),
		})
		for _, m := range entries(a.altered.Mutants(p.Name)) {
			in.Mutants = append(in.Mutants, lint.Mutant{Pack: p.Name, Name: m.Name, Requirement: m.Requirement, Also: m.Also})
		}
		for _, v := range entries(a.altered.Variants(p.Name)) {
			in.Variants = append(in.Variants, lint.Variant{Pack: p.Name, Name: v.Name, Freedom: v.Freedom, Warns: v.Warns})
		}
		for _, i := range entries(a.altered.Idle(p.Name)) {
			in.Idle = append(in.Idle, lint.IdleServer{Pack: p.Name, Name: i.Name, Never: i.Never})
		}
	}
	return in
}
