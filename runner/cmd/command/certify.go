package command

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove/killreport"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/report/progress"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
)

// mostReplicas limits the processes of a reference server.
const mostReplicas = 16

// MutantsFile is the report that mutants --out writes and report.html shows.
const MutantsFile = "mutants.json"

func newCertify(a *App) *cobra.Command {
	c := &certifying{app: a, baselines: &baselines{}}
	cmd := &cobra.Command{
		Use:   "certify",
		Short: "Certify a server, requirement by requirement",
		Long: "Run the scenarios of a protocol against a server and say of each requirement whether it holds.\n\n" +
			"Exit codes: 0 when nothing is broken, 1 when a MUST is broken or the required class was not earned, 2 for a mistake\n" +
			"in the call or the configuration, 3 when the suite could not find out.",
		Args: Arguments(),
		RunE: c.run,
	}
	c.aim.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&c.reference, "reference", false, "certify the reference server, started for this run")
	f.StringVar(&c.store, "store", "", "with --reference: `URL` of the store of its streams, as of serve; it runs as a process of its own then, which may be killed")
	f.IntVar(&c.replicas, "replicas", 1, "with --store: over how many `PROCESSES` the reference server is spread")
	f.BoolVar(&c.modelled, "modelled", false, "with --reference: let it ask the kit for what its model says")
	f.BoolVar(&c.modelOnly, "model-only", false, "provoke the server by its model alone, as model.only in the config does")
	f.StringArrayVar(&c.only, "only", nil, "requirement `ID` or glob such as 'resume.*', or place of a scenario as reports print it, features/….feature:34; may be given again")
	f.StringArrayVar(&c.skip, "skip", nil, "leave out scenarios by title or place, or requirements by id, as `NAME` or glob; may be given again")
	f.BoolVar(&c.list, "list", false, "print what would run, and send nothing")
	f.DurationVar(&c.timeout, "timeout", 0, "end the run after this `DURATION`; what has not run by then is an error")
	f.BoolVar(&c.failFast, "fail-fast", false, "end the run at the first requirement that fails")
	f.Float64Var(&c.rate, "rate", 0, "requests a second that are sent at most, `N`; overrides the config's limits.rate")
	f.BoolVar(&c.noConfirm, "no-confirm", false, "don't run failed scenarios once more by themselves")
	f.BoolVar(&c.strict, "strict", false, "a broken SHOULD is a failure")
	f.StringArrayVar(&c.require, "require", nil, "`CLASS` that has to be earned, by its id such as ui-stream or its name; may be given again")
	f.Int64Var(&c.seed, "seed", 0, "order of the scenarios, and what campaigns draw; that of the baseline, or random, if not given")
	f.StringVar(&c.effort, "effort", string(UsualEffort), "how much of the campaigns is played, `EFFORT`: quick (none), standard or thorough (minutes)")
	f.DurationVar(&c.slow, "slow", 0, "hold what waits while the other scenarios run, such as quiet connections, for this `DURATION` after them")
	f.IntVar(&c.concurrency, "concurrency", 8, "scenarios at a time")
	f.StringVar(&c.out, "out", "", "write report.html, report.json, junit.xml, summary.md, badges, console.txt, annotations.txt and findings.ndjson into this `DIR`")
	f.BoolVarP(&c.verbose, "verbose", "v", false, "name every requirement that was not proven")
	f.BoolVar(&c.force, "force", false, "let --out replace files of the same names that aren't reports of an earlier run")
	f.StringVar(&c.mutants, "mutants", "", "`FILE` that mutants --out wrote, shown in report.html; mutants.json in the DIR of --out if it is there")
	c.baselines.flags(cmd)
	PackFlag(cmd, &c.pack)
	FormatFlag(cmd, &c.format)
	return cmd
}

func (c *certifying) run(cmd *cobra.Command, _ []string) error {
	if !cmd.Flags().Changed("seed") {
		c.seed = mathrand.Int64N(1_000_000_000) // short enough to be typed
	}
	if err := c.valid(); err != nil {
		return err
	}
	if c.store != "" && c.app.program.Open == nil {
		return c.app.handOver(cmd.Context(), "a reference server over a store is one")
	}
	suites, err := c.app.suitesWithin(cmd.Context(), c.timeout, c.pack)
	if err != nil {
		return err
	}
	if err := c.resolveClasses(suites); err != nil {
		return err
	}
	cfg, stop, err := c.config(suites)
	if err != nil {
		return err
	}
	defer stop()
	if cmd.Flags().Changed("rate") {
		cfg.Limits.Rate = c.rate
	}
	cfg.Model.Only = cfg.Model.Only || c.modelOnly
	stopModel, err := c.playModel(&cfg)
	if err != nil {
		return err
	}
	defer stopModel()
	t, err := c.app.open(cfg)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := c.settle(cfg); err != nil {
		return err
	}
	if err := c.baselines.draw(cmd, &c.seed, &c.effort); err != nil {
		return err
	}
	suites, err = Selecting(configured(suites, c.pack, cfg.Packs), func(suite *pack.Suite) error {
		_, err := certify.NewPlan(suite, t, c.only, c.seed)
		return err
	})
	if err != nil {
		return err
	}
	if err := c.knownSkips(suites); err != nil {
		return err
	}
	if c.list {
		return Each(suites, func(suite *pack.Suite) error { return c.show(suite, t) })
	}
	ctx, cancel := certify.WithTimeout(cmd.Context(), c.timeout)
	defer cancel()
	return c.play(ctx, suites, cfg, t)
}

// play runs the suites against a server, which it starts first if the config
// has its command.
func (c *certifying) play(ctx context.Context, suites []*pack.Suite, cfg target.Config, t *target.Target) error {
	c.app.orderly.Store(true)
	stopServer, err := c.app.launched(ctx, cfg, t)
	if err != nil {
		return err
	}
	defer stopServer()
	if len(suites) > 1 && !c.reference && len(cfg.Packs) == 0 {
		suites = offered(ctx, suites, t)
	}
	if c.mutants != "" && len(suites) > 1 {
		return Usage("--mutants is the report of one pack; say with --pack of which")
	}
	defer noteModel(c.app.errs, c.app.model)
	var left []string // of an interrupted call: completed packs are reported, and no other begins
	err = Each(suites, func(suite *pack.Suite) error {
		if suite != suites[0] && ctx.Err() != nil {
			left = append(left, suite.Pack.Name)
			return Code(failed)
		}
		one := c.of(suite, len(suites) > 1)
		return one.certify(ctx, suite, t)
	})
	if len(left) > 0 {
		fmt.Fprintf(c.app.errs, "streamcert: nothing was asked about %s: the call was ended before\n", strings.Join(left, ", "))
	}
	if failed := c.baselines.save(c.app.errs, suites[0].Book); failed != nil {
		return failed
	}
	return err
}

// settle fills options that the call left open from the config, and reads the known failures.
func (c *certifying) settle(cfg target.Config) error {
	c.out = cmp.Or(c.out, cfg.Output)
	if c.mutants != "" && c.out == "" {
		return Usage("--mutants is shown in report.html, which only --out writes; add --out DIR")
	}
	return c.baselines.read(cfg.Baseline)
}

// of returns the part of the call for one of several packs: its reports are in a separate folder.
func (c *certifying) of(suite *pack.Suite, several bool) *certifying {
	one := *c
	one.pack, one.packFlag = suite.Pack.Name, c.pack
	if several && c.out != "" {
		one.out = filepath.Join(c.out, suite.Pack.Name)
	}
	one.require = slices.DeleteFunc(slices.Clone(c.require), func(name string) bool {
		return !slices.ContainsFunc(suite.Book.Classes(suite.Pack.Name), func(class spec.Class) bool { return class.Name == name })
	})
	return &one
}

// valid checks the flags before anything is loaded.
func (c *certifying) valid() error {
	switch {
	case c.reference && (c.aim.url != "" || c.aim.config != ""):
		return Usage("--reference brings its own target; leave out --target and --config")
	case c.modelled && !c.reference:
		return Usage("--modelled is for the reference server; a server of yours asks the kit where its config has a model")
	case c.store != "" && (!c.reference || c.modelled):
		return Usage("--store is for the reference server alone, started for this run; give --reference with it, and no --modelled")
	case c.replicas < 1 || c.replicas > mostReplicas:
		return Usage("--replicas %d: expected 1 to %d", c.replicas, mostReplicas)
	case c.replicas > 1 && c.store == "":
		return Usage("--replicas is for a reference server over a store; give --store with it")
	case len(c.only) > 0 && len(c.require) > 0:
		return Usage("--only leaves requirements out, so that no class can be earned; give --require without it")
	case c.timeout < 0:
		return Usage("--timeout %v: expected a duration above 0, such as 5m", c.timeout)
	case c.slow < 0:
		return Usage("--slow %v: expected a duration above 0, such as 3m", c.slow)
	case c.rate < 0:
		return Usage("--rate %v: expected a number of requests a second above 0", c.rate)
	case c.concurrency < 1:
		return Usage("--concurrency %d: expected at least 1", c.concurrency)
	}
	return cmp.Or(KnownEffort(c.effort), KnownFormat(c.format))
}

// playModel begins to play the model that the config asks for, unless the reference server has one already, whose run ends
// with it.
func (c *certifying) playModel(cfg *target.Config) (stop func(), err error) {
	if c.modelOnly && cfg.Model.Listen == "" {
		return nil, Usage("--model-only needs a model: add model.listen to the config, or --modelled to --reference")
	}
	if c.app.model != nil {
		return c.app.model.Close, nil
	}
	if c.list {
		return func() {}, nil
	}
	return c.app.modelled(cfg)
}

// config returns the config of the target, and starts the reference server if that is the target.
func (c *certifying) config(suites []*pack.Suite) (target.Config, func(), error) {
	if !c.reference {
		cfg, err := c.aim.resolve(c.app.packs, suites)
		if err != nil && c.list && c.aim.url == "" { // nothing is sent, so that no server need be named
			nobody := aim{url: "http://127.0.0.1", config: c.aim.config}
			if cfg, failed := nobody.resolve(c.app.packs, suites); failed == nil {
				return cfg, func() {}, nil
			}
		}
		return cfg, func() {}, err
	}
	if c.store != "" {
		cfg, err := launchedReference(c.store, c.replicas)
		return cfg, func() {}, err
	}
	own := c.app.NewEmbedded()
	own.Config.Fleet = nil // a server with streams in memory can't be killed; mutants are different
	if c.modelled {
		played, err := provider.Start(provider.Options{Key: rand.Text()})
		if err != nil {
			return target.Config{}, nil, err
		}
		c.app.model = played
		own.Modelled(c.app.model, c.modelOnly)
	}
	cfg := own.Config
	url, stop, err := own.Reference()
	if err != nil {
		return cfg, nil, fmt.Errorf("starting the reference server: %w", err)
	}
	cfg.URL = url
	return cfg, stop, nil
}

func (c *certifying) certify(ctx context.Context, suite *pack.Suite, t *target.Target) error {
	page, err := c.page(suite)
	if err != nil {
		return err
	}
	var folder *report.Folder
	var outErr error
	if c.out != "" {
		if folder, err = report.Create(c.out, report.FolderOptions{Force: c.force, Secrets: c.app.secrets, Config: c.aim.config}); err != nil {
			return Misused(err)
		}
	}
	bar := progress.New(c.app.errs, Terminal(c.app.errs), time.Now, "scenarios")
	result, err := certify.Run(ctx, suite, certify.Options{
		Target: t, Only: c.only, Seed: c.seed, Effort: campaign.Effort(c.effort), Slow: c.slow, Concurrency: c.concurrency, Strict: c.strict, Compare: true, Program: Version(),
		Record: c.out != "" || c.format == "json", Rerun: c.rerun(t),
		Known: c.baselines.known.Known(), Skip: c.skips(suite), FailFast: c.failFast, Confirm: c.confirmed(), Server: c.app.server,
		Progress: func(p certify.Progress) {
			bar.Step(p.Done, p.Total, len(p.Findings))
			for _, f := range p.Findings {
				if folder != nil && outErr == nil {
					outErr = folder.Finding(f)
				}
			}
		},
	})
	bar.Finish()
	if err != nil {
		if folder != nil {
			err = errors.Join(err, folder.Abandon())
		}
		return Misused(err)
	}
	c.baselines.judge(suite.Book, result.Report)
	outErr = errors.Join(outErr, c.write(result.Report, folder, page))
	if outErr != nil {
		return outErr
	}
	if result.Report.Fault != "" {
		showOutput(c.app.errs, report.LastLines(result.Report.ServerLog))
		return &outcome{result.Report.ExitCode(c.require), errors.New(result.Report.Fault)}
	}
	return Code(result.Report.ExitCode(c.require))
}

// page returns the content of report.html that isn't part of the run.
func (c *certifying) page(suite *pack.Suite) (report.HTML, error) {
	page := report.HTML{Require: c.require, Why: func(id string) string {
		q, _ := suite.Book.Get(id)
		return q.Why
	}, Outline: outlines(suite)}
	name := c.mutants
	if name == "" {
		if name = filepath.Join(c.out, MutantsFile); c.out == "" {
			return page, nil
		}
		if _, err := os.Stat(name); err != nil {
			return page, nil
		}
	}
	text, err := files.ReadFile(name, mostReport)
	if err != nil {
		return page, Usage("reading the report of mutants: %w", err)
	}
	if err := document(name, "mutants", text); err != nil {
		return page, err
	}
	mutants, err := killreport.Read(bytes.NewReader(text))
	if err != nil {
		return page, Usage("%s: %w", name, err)
	}
	tab, err := killreport.Tab(suite, mutants)
	page.Tabs = append(page.Tabs, tab)
	return page, err
}

// write writes the report to standard output and into the folder. On a console a fault is only its one line.
func (c *certifying) write(r *report.Report, folder *report.Folder, page report.HTML) error {
	console := report.Console{Color: colors(c.app.out), Require: c.require, Verbose: c.verbose}
	var errs []error
	switch {
	case c.format == "json":
		errs = append(errs, report.WriteJSON(c.app.out, r))
	case r.Fault == "":
		errs = append(errs, console.Write(c.app.out, r))
	}
	if folder != nil {
		errs = append(errs, folder.Close(r, page))
	}
	return errors.Join(errs...)
}
