package lab

import (
	"cmp"
	"context"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/report/progress"
)

// roomy is the heap size from which the collector works harder: several runs are concurrent, each with its servers, and
// time matters more here than memory.
const roomy = 1 << 30

func newVariants(a *app) *cobra.Command {
	var protocol, format string
	var only []string
	var all bool
	var seed int64
	cmd := &cobra.Command{
		Use:   "variants",
		Short: "Run servers that are right in their own way; nothing may be held against any",
		Long: "Start every server of the catalogue, each using one freedom that the spec leaves, and run every scenario against\n" +
			"it. Exit code 1 if one is accused: then the suite is wrong, not the server.\n\n" +
			"Each server meets a fifth of the scenarios, drawn by the seed, and of an outline one row. With --all it meets\n" +
			"everything.",
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
			suites, err = command.Selecting(suites, func(suite *pack.Suite) error { return prove.SelectsVariants(own.variants(suite.Pack.Name), only) })
			if err != nil {
				return err
			}
			if os.Getenv("GOMEMLIMIT") == "" {
				defer debug.SetMemoryLimit(debug.SetMemoryLimit(roomy))
				defer debug.SetGCPercent(debug.SetGCPercent(400))
			}
			return command.Each(suites, func(suite *pack.Suite) error {
				return a.variants(cmd.Context(), suite, own, prove.VariantOptions{Config: own.Config, Only: only, All: all, Seed: seed}, format)
			})
		},
	}
	cmd.Flags().StringArrayVar(&only, "only", nil, "`NAME` of a variant, or a glob; may be given again")
	cmd.Flags().BoolVar(&all, "all", false, "every row of every scenario")
	cmd.Flags().Int64Var(&seed, "seed", 0, "what is drawn, and in which order it runs; random if not given")
	command.PackFlag(cmd, &protocol)
	command.FormatFlag(cmd, &format)
	return cmd
}

// variants runs the catalogue of one pack.
func (a *app) variants(ctx context.Context, suite *pack.Suite, own *embedded, o prove.VariantOptions, format string) error {
	bar := progress.New(a.Errs(), command.Terminal(a.Errs()), time.Now, "variants")
	o.Progress = func(done, total int, r prove.VariantResult) {
		if len(r.Accusations) > 0 && ctx.Err() == nil {
			h := r.Accusations[0]
			bar.Say(fmt.Sprintf("accused: %s: %s: %.300s", r.Name, cmp.Or(h.Requirement, h.Scenario), h.Message))
		}
		bar.Step(done, total, min(1, len(r.Accusations)))
	}
	rep, err := prove.Variants(ctx, suite, own.variants(suite.Pack.Name), o)
	bar.Finish()
	return a.proven(rep, err, format)
}
