package lab

import (
	"context"
	mathrand "math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/report/progress"
)

func newIdle(a *app) *cobra.Command {
	var protocol, format string
	var only []string
	var seed int64
	cmd := &cobra.Command{
		Use:   "idle",
		Short: "Run servers that show nothing of some subjects; nothing may pass by absence",
		Long: "Start every idle server of the catalogue, each valid and never showing some subjects of its protocol, and run\n" +
			"every scenario against it. Exit code 1 if a requirement passes whose subject the server never shows: then the\n" +
			"suite counts absence as proof.\n\n" +
			"The table says how many requirements of each chapter pass on each server.",
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := command.KnownFormat(format); err != nil {
				return err
			}
			suites, err := a.Suites(protocol)
			if err != nil {
				return err
			}
			own := a.newEmbedded()
			if !cmd.Flags().Changed("seed") {
				seed = mathrand.Int64N(1_000_000_000)
			}
			suites, err = command.Selecting(suites, func(suite *pack.Suite) error { return prove.SelectsIdle(own.idle(suite.Pack.Name), only) })
			if err != nil {
				return err
			}
			return command.Each(suites, func(suite *pack.Suite) error {
				return a.idle(cmd.Context(), suite, own, prove.IdleOptions{Config: own.Config, Only: only, Seed: seed}, format)
			})
		},
	}
	cmd.Flags().StringArrayVar(&only, "only", nil, "`NAME` of an idle server, or a glob; may be given again")
	cmd.Flags().Int64Var(&seed, "seed", 0, "the order in which scenarios run; random if not given")
	command.PackFlag(cmd, &protocol)
	command.FormatFlag(cmd, &format)
	return cmd
}

// idle runs the catalogue of one pack.
func (a *app) idle(ctx context.Context, suite *pack.Suite, own *embedded, o prove.IdleOptions, format string) error {
	bar := progress.New(a.Errs(), command.Terminal(a.Errs()), time.Now, "idle servers")
	o.Progress = func(done, total int, r prove.IdleResult) {
		if len(r.Vacuous) > 0 && ctx.Err() == nil {
			bar.Say("passes by absence: " + r.Name)
		}
		bar.Step(done, total, min(1, len(r.Vacuous)))
	}
	rep, err := prove.Idle(ctx, suite, own.idle(suite.Pack.Name), o)
	bar.Finish()
	return a.proven(rep, err, format)
}
