package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/prove/killreport"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/report/progress"
)

// The files of mutants --out.
const (
	mutantsFile = command.MutantsFile
	matrixFile  = "matrix.html"
)

type mutants struct {
	app                   *app
	pack, format, dir     string
	only                  []string
	all, dominators       bool
	campaignOnly, holdout bool
	modelled              bool
	effort                string
	seed                  int64
	seeds                 int
}

func newMutants(a *app) *cobra.Command {
	m := &mutants{app: a}
	cmd := &cobra.Command{
		Use:   "mutants",
		Short: "Run the broken servers; each must be found out by its own requirement",
		Long: "Start every server of the catalogue, each with one bug, and run the scenarios of the requirement that it breaks,\n" +
			"until the first finding; then judge the mutants that are generated from the schemas and the goldens. Exit code 1\n" +
			"if one of the catalogue survives, or is found out only by another requirement, if a testable requirement has no\n" +
			"mutant that it found out, or if a generated one survives without a reason.",
		Args: command.Arguments(),
		RunE: m.run,
	}
	cmd.Flags().StringArrayVar(&m.only, "only", nil, "`NAME` of a mutant, or ID of a requirement, or a glob of either; may be given again")
	cmd.Flags().BoolVar(&m.all, "all", false, "run every scenario against every mutant, to see all that each breaks; takes minutes")
	cmd.Flags().BoolVar(&m.dominators, "dominators", false, "run every scenario of each mutant's requirement, and list mutants that are killed alike and those that dominate the others; with --deep: list mutants that two subjects find with each seed")
	cmd.Flags().BoolVar(&m.campaignOnly, "deep", false, "play the campaigns against the deep mutants, and count how many they find")
	cmd.Flags().BoolVar(&m.holdout, "aside", false, "with --deep: play against those that were put aside, in place of the others")
	cmd.Flags().BoolVar(&m.modelled, "modelled", false, "provoke the servers by their model alone, and count how many are found so")
	cmd.Flags().StringVar(&m.effort, "effort", string(command.UsualEffort), "with --deep: how much of the campaigns is played, `EFFORT`; quick plays the scenarios in their place, which must find none")
	cmd.Flags().Int64Var(&m.seed, "seed", 1, "with --deep: the first seed")
	cmd.Flags().IntVar(&m.seeds, "seeds", 1, "with --deep: how many seeds")
	cmd.Flags().StringVar(&m.dir, "out", "", "`DIR` to write mutants.json and matrix.html to")
	command.PackFlag(cmd, &m.pack)
	command.FormatFlag(cmd, &m.format)
	return cmd
}

func (m *mutants) run(cmd *cobra.Command, _ []string) error {
	a := m.app
	if err := command.KnownFormat(m.format); err != nil {
		return err
	}
	suites, err := a.Suites(m.pack)
	if err != nil {
		return err
	}
	own := a.newEmbedded()
	catalogue := own.mutants
	if m.modelled {
		if m.dir != "" || m.all || m.dominators || m.format == "json" {
			return command.Usage("--modelled prints text and a count; leave out --out, --all, --dominators and --format")
		}
		model, err := provider.Start(provider.Options{})
		if err != nil {
			return err
		}
		defer model.Close()
		own.Modelled(model, true)
	}
	if m.campaignOnly {
		if m.dir != "" || m.all || m.format == "json" || m.seeds < 1 {
			return command.Usage("--deep prints text, and counts with at least one seed; leave out --out, --all and --format")
		}
		if err := command.KnownEffort(m.effort); err != nil {
			return err
		}
		catalogue = own.campaignOnly(m.holdout)
		suites = slices.DeleteFunc(suites, func(suite *pack.Suite) bool { return len(catalogue(suite.Pack.Name)) == 0 })
	}
	suites, err = command.Selecting(suites, func(suite *pack.Suite) error { return prove.Selects(catalogue(suite.Pack.Name), m.only) })
	if err != nil {
		return err
	}
	return command.Each(suites, func(suite *pack.Suite) error {
		if m.modelled && !m.campaignOnly {
			return m.byModel(cmd.Context(), suite, own)
		}
		if m.campaignOnly {
			return m.campaigns(cmd.Context(), suite, catalogue(suite.Pack.Name), own)
		}
		one := *m
		if m.dir != "" && len(suites) > 1 { // as certify --out has it
			one.dir = filepath.Join(m.dir, suite.Pack.Name)
		}
		return one.catalogue(cmd.Context(), suite, own)
	})
}

// campaigns counts the campaign-only mutants of one pack that are found.
func (m *mutants) campaigns(ctx context.Context, suite *pack.Suite, catalogue []prove.Mutant, own *embedded) error {
	a := m.app
	bar := progress.New(a.Errs(), command.Terminal(a.Errs()), time.Now, "mutants")
	rep, err := prove.Campaigns(ctx, suite, catalogue, prove.CampaignOptions{Config: own.Config, Only: m.only, Seed: m.seed, Seeds: m.seeds, Several: m.dominators, Effort: campaign.Effort(m.effort),
		Progress: func(done, total, wrong int, r prove.CampaignResult) {
			if wrong > 0 && ctx.Err() == nil {
				bar.Say(fmt.Sprintf("%s: found with %d seeds", r.Name, r.Found))
			}
			bar.Step(done, total, wrong)
		}})
	bar.Finish()
	if err != nil {
		return command.Misused(err)
	}
	if err := rep.WriteConsole(a.Out()); err != nil {
		return err
	}
	if !rep.OK() && !m.modelled { // a modelled run leaves out mutants that no model provokes
		return command.Code(command.Broken)
	}
	return nil
}

// catalogue runs the catalogue of one pack.
func (m *mutants) catalogue(ctx context.Context, suite *pack.Suite, own *embedded) error {
	a := m.app
	if m.dir != "" { // before the minutes that it may take
		if err := os.MkdirAll(m.dir, 0o755); err != nil {
			return fmt.Errorf("making the folder for the matrix: %w", err)
		}
	}
	bar := progress.New(a.Errs(), command.Terminal(a.Errs()), time.Now, "mutants")
	rep, err := prove.Mutants(ctx, suite, own.mutants(suite.Pack.Name), prove.MutantOptions{
		Config: own.Config, Healthy: own.Reference, Only: m.only, All: m.all, Dominators: m.dominators,
		Progress: func(done, total int, r killreport.Result) {
			survivors := 0
			if r.Outcome != killreport.Killed && ctx.Err() == nil {
				survivors = 1
				bar.Say(fmt.Sprintf("%s: %s", r.Outcome, r.Name)) // it is tried again at the end
			}
			bar.Step(done, total, survivors)
		},
	})
	bar.Finish()
	var unknown *pack.SelectionError
	switch {
	case errors.As(err, &unknown):
		return command.Misused(err)
	case err != nil:
		return err
	}
	if err := m.write(suite, rep); err != nil {
		return err
	}
	if !rep.OK() {
		return command.Code(command.Broken)
	}
	return nil
}

// write writes the report to standard output and to the folder.
func (m *mutants) write(suite *pack.Suite, rep *killreport.Report) error {
	write := rep.WriteConsole
	if m.format == "json" {
		write = rep.WriteJSON
	}
	if err := write(m.app.Out()); err != nil || m.dir == "" {
		return err
	}
	return errors.Join(
		report.Replace(filepath.Join(m.dir, mutantsFile), rep.WriteJSON),
		report.Replace(filepath.Join(m.dir, matrixFile), func(w io.Writer) error { return killreport.WritePage(w, suite, rep) }),
	)
}
