package main

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

type certify struct {
	app         *app
	aim         aim
	reference   bool
	pack        string
	only        []string
	strict      bool
	require     string
	seed        int64
	concurrency int
	format      string
	out         string
}

func newCertify(a *app) *cobra.Command {
	c := &certify{app: a}
	cmd := &cobra.Command{
		Use:   "certify",
		Short: "Certify a server, requirement by requirement",
		Long: "Run the scenarios of a protocol against a server and say of each requirement whether it holds.\n\n" +
			"Exit codes: 0 when nothing is broken, 1 when a MUST is broken or the required class was not earned, 2 for a mistake\n" +
			"in the call or the configuration, 3 when the suite could not find out.",
		Args: arguments(),
		RunE: c.run,
	}
	c.aim.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&c.reference, "reference", false, "certify the reference server, started for this run")
	f.StringArrayVar(&c.only, "only", nil, "requirement `ID` or glob such as 'helix.resume.*'; may be given again")
	f.BoolVar(&c.strict, "strict", false, "a broken SHOULD is a failure")
	f.StringVar(&c.require, "require", "", "`CLASS` that has to be earned")
	f.Int64Var(&c.seed, "seed", 0, "order of the scenarios; random if not given")
	f.IntVar(&c.concurrency, "concurrency", 8, "scenarios at a time")
	f.StringVar(&c.out, "out", "", "write report.json, junit.xml, console.txt and findings.ndjson into this `DIR`")
	packFlag(cmd, &c.pack)
	formatFlag(cmd, &c.format)
	return cmd
}

func (c *certify) run(cmd *cobra.Command, _ []string) error {
	if !cmd.Flags().Changed("seed") {
		c.seed = mathrand.Int64N(1_000_000_000) // short enough to be typed
	}
	if err := c.valid(); err != nil {
		return err
	}
	suite, err := c.app.suite(c.pack)
	if err != nil {
		return err
	}
	if err := c.knownClass(suite); err != nil {
		return err
	}
	cfg, stop, err := c.config(suite)
	if err != nil {
		return err
	}
	defer stop()
	t, err := open(cfg)
	if err != nil {
		return err
	}
	defer t.Close()
	if _, err := suite.Plan(t, c.only, c.seed); err != nil {
		return misused(err)
	}
	return c.certify(cmd.Context(), suite, t)
}

// valid checks what flags can be wrong about before anything is loaded.
func (c *certify) valid() error {
	switch {
	case c.reference && (c.aim.url != "" || c.aim.config != ""):
		return usage("--reference brings its own target; leave out --target and --config")
	case c.concurrency < 1:
		return usage("--concurrency %d: expected at least 1", c.concurrency)
	}
	return knownFormat(c.format)
}

func (c *certify) knownClass(suite *runner.Suite) error {
	var names []string
	for _, class := range suite.Book.Classes(c.pack) {
		names = append(names, class.Name)
	}
	if c.require != "" && !slices.Contains(names, c.require) {
		return usage("--require: there is no class %q%s; the classes are %s", c.require, suggest(c.require, names), strings.Join(names, ", "))
	}
	return nil
}

// config says what the target is and starts the reference server if that is it.
func (c *certify) config(suite *runner.Suite) (target.Config, func(), error) {
	if !c.reference {
		cfg, err := c.aim.resolve(suite)
		return cfg, func() {}, err
	}
	own, err := newEmbedded()
	if err != nil {
		return target.Config{}, nil, err
	}
	cfg := own.config
	url, stop, err := own.reference()
	if err != nil {
		return cfg, nil, fmt.Errorf("starting the reference server: %w", err)
	}
	cfg.URL = url
	return cfg, stop, nil
}

func (c *certify) certify(ctx context.Context, suite *runner.Suite, t *target.Target) error {
	var folder *report.Folder
	var outErr error
	if c.out != "" {
		var err error
		if folder, err = report.Create(c.out); err != nil {
			return misused(err)
		}
	}
	progress := report.NewProgress(c.app.errs, terminal(c.app.errs), time.Now, "scenarios")
	result, err := suite.Run(ctx, runner.Options{
		Target: t, Only: c.only, Seed: c.seed, Concurrency: c.concurrency, Strict: c.strict, Transcripts: true, Rerun: c.rerun(t),
		Progress: func(p runner.Progress) {
			progress.Step(p.Done, p.Total, len(p.Findings))
			for _, f := range p.Findings {
				if folder != nil && outErr == nil {
					outErr = folder.Finding(f.Requirement, f.Finding)
				}
			}
		},
	})
	progress.Finish()
	if err != nil {
		if folder != nil {
			err = errors.Join(err, folder.Abandon())
		}
		return misused(err)
	}
	outErr = errors.Join(outErr, c.write(result.Report, folder))
	if outErr != nil {
		return outErr
	}
	if result.Report.Fault != "" {
		return errors.New(result.Report.Fault)
	}
	return code(result.Report.ExitCode(c.require))
}

// write writes the report to standard output and into the folder. On a console a
// fault is its one line and nothing else.
func (c *certify) write(r *report.Report, folder *report.Folder) error {
	console := report.Console{Color: colors(c.app.out), Require: c.require}
	var errs []error
	switch {
	case c.format == "json":
		errs = append(errs, report.WriteJSON(c.app.out, r))
	case r.Fault == "":
		errs = append(errs, console.Write(c.app.out, r))
	}
	if folder != nil {
		errs = append(errs, folder.Close(r, console))
	}
	return errors.Join(errs...)
}

// rerun is the command that runs one requirement, %s, again in the same way.
func (c *certify) rerun(t *target.Target) string {
	args := []string{"streamcert", "certify"}
	add := func(flag, value string) {
		if value != "" {
			args = append(args, flag, quoted(t.Redact(value)))
		}
	}
	add("--dir", c.app.dir)
	if c.reference {
		args = append(args, "--reference")
	}
	add("--target", c.aim.url)
	add("--config", c.aim.config)
	if c.pack != "helix" {
		add("--pack", c.pack)
	}
	if c.strict {
		args = append(args, "--strict")
	}
	return strings.Join(args, " ") + fmt.Sprintf(" --seed %d --only %%s", c.seed)
}

var needsNoQuotes = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./~-]+$`)

// quoted is an argument as a shell reads it.
func quoted(s string) string {
	if needsNoQuotes.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
