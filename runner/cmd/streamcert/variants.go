package main

import (
	"context"
	"errors"
	mathrand "math/rand/v2"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/reference/variant"
	aepvariant "github.com/streamcert/streamcert/reference/variant/aep"
	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/report"
)

// roomy is where the collector begins to work harder: several runs go on at a
// time, each with its servers, and time matters more here than memory.
const roomy = 1 << 30

func newVariants(a *app) *cobra.Command {
	var pack, format string
	var only []string
	var all bool
	var seed int64
	cmd := &cobra.Command{
		Use:   "variants",
		Short: "Run servers that are right in their own way; nothing may be held against any",
		Long: "Start every server of the catalogue, each using one freedom that the spec leaves, and run every scenario against\n" +
			"it. Exit code 1 if one is accused: then the suite is wrong, not the server.\n\n" +
			"Each server meets a third of the scenarios, drawn by the seed, and of an outline one row. With --all it meets\n" +
			"everything.",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := knownFormat(format); err != nil {
				return err
			}
			suites, err := a.suites(pack)
			if err != nil {
				return err
			}
			own, err := newEmbedded()
			if err != nil {
				return err
			}
			own.patient()
			if !cmd.Flags().Changed("seed") {
				seed = mathrand.Int64N(1_000_000_000)
			}
			suites, err = selecting(suites, func(suite *runner.Suite) error { return runner.SelectsVariants(own.variants(suite.Pack), only) })
			if err != nil {
				return err
			}
			if os.Getenv("GOMEMLIMIT") == "" {
				defer debug.SetMemoryLimit(debug.SetMemoryLimit(roomy))
				defer debug.SetGCPercent(debug.SetGCPercent(400))
			}
			return each(suites, func(suite *runner.Suite) error {
				return a.variants(cmd.Context(), suite, own, runner.VariantOptions{Config: own.config, Only: only, All: all, Seed: seed}, format)
			})
		},
	}
	cmd.Flags().StringArrayVar(&only, "only", nil, "`NAME` of a variant, or a glob; may be given again")
	cmd.Flags().BoolVar(&all, "all", false, "every row of every scenario")
	cmd.Flags().Int64Var(&seed, "seed", 0, "what is drawn, and in which order it runs; random if not given")
	packFlag(cmd, &pack)
	formatFlag(cmd, &format)
	return cmd
}

// variants runs the catalogue of one pack.
func (a *app) variants(ctx context.Context, suite *runner.Suite, own *embedded, o runner.VariantOptions, format string) error {
	progress := report.NewProgress(a.errs, terminal(a.errs), time.Now, "variants")
	o.Progress = func(done, total int, r runner.VariantResult) { progress.Step(done, total, min(1, len(r.Held))) }
	rep, err := suite.Variants(ctx, own.variants(suite.Pack), o)
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
}

// variants is the servers of a pack that are right in their own way, each with what starts it.
func (e *embedded) variants(pack string) []runner.Variant {
	var out []runner.Variant
	if pack == "aep" {
		for _, v := range aepvariant.Catalogue() {
			out = append(out, runner.Variant{
				Name: v.Name, Freedom: v.Freedom, Summary: v.Summary, Warns: v.Warns, HTTP2: v.HTTP2, Slow: v.Slow,
				Start: func() (string, func(), error) { return started(v.Handler(e.agents)) },
			})
		}
		return out
	}
	for _, v := range variant.Catalogue() {
		out = append(out, runner.Variant{
			Name: v.Name, Freedom: v.Freedom, Summary: v.Summary, Warns: v.Warns, HTTP2: v.HTTP2, Slow: v.Slow,
			Start: func() (string, func(), error) { return started(v.Handler(e.options)) },
		})
	}
	return out
}
