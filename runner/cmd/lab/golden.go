package lab

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

type goldens struct {
	app   *app
	out   io.Writer
	pack  string
	check bool
}

func newGolden(a *app) *cobra.Command {
	g := &goldens{app: a}
	cmd := &cobra.Command{
		Use:   "golden",
		Short: "Write the golden transcripts from the reference server, or check them",
		Long: "Certify the reference server and write what it exchanged as golden transcripts into the working copy, and the\n" +
			"pieces of them that the chapters of the spec show; or with --check compare only. Refused unless the reference\n" +
			"passes every requirement.",
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error { return g.run(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&g.check, "check", false, "write nothing; exit code 1 if a transcript is missing, left over or different")
	command.PackFlag(cmd, &g.pack)
	return cmd
}

func (g *goldens) run(ctx context.Context) error {
	g.out = g.app.Out()
	if !g.check {
		g.app.InWorkingCopy()
	}
	suites, err := g.app.Suites(g.pack)
	if err != nil {
		return err
	}
	files := map[string]golden.File{}
	for _, suite := range suites {
		own, err := g.record(ctx, suite, g.app.newEmbedded())
		if err != nil {
			return err
		}
		maps.Copy(files, own)
	}
	if g.check {
		return g.compare(suites[0].Files, files)
	}
	if err := g.write(suites[0].Files.Golden, files); err != nil {
		return err
	}
	changed, err := rewriteExcerpts(g.app.WorkingCopy())
	for _, file := range changed {
		fmt.Fprintf(g.out, "  spec/%s: shows its goldens anew\n", file)
	}
	return err
}

// concerns reports whether a golden is of a requested pack.
func (g *goldens) concerns(name string) bool {
	return g.pack == command.EveryPack || strings.HasPrefix(name, g.pack+"/")
}

// record certifies the reference server and returns its transcripts.
func (g *goldens) record(ctx context.Context, suite *pack.Suite, own *embedded) (map[string]golden.File, error) {
	url, stop, err := own.Reference()
	if err != nil {
		return nil, err
	}
	defer stop()
	return g.transcripts(ctx, suite, own, url)
}

// transcripts certifies a server at a URL, which has to pass, and returns the transcripts.
func (g *goldens) transcripts(ctx context.Context, suite *pack.Suite, own *embedded, url string) (map[string]golden.File, error) {
	cfg := own.Config
	cfg.URL = url
	t, err := target.New(cfg, target.Options{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	result, err := certify.Run(ctx, suite, certify.Options{Target: t, Transcripts: true})
	if err != nil {
		return nil, err
	}
	if result.Report.Fault != "" {
		return nil, fmt.Errorf("certifying the reference server: %s", result.Report.Fault)
	}
	for _, q := range result.Report.Requirements {
		if q.Verdict != report.Pass && q.Untestable == "" {
			return nil, fmt.Errorf("nothing was written: the reference server does not pass, %s is %s %s; run `streamcert certify --reference --only %s`",
				q.ID, q.Verdict, q.Reason, q.ID)
		}
	}
	return result.Transcripts, ctx.Err()
}

func (g *goldens) compare(kit pack.Files, files map[string]golden.File) error {
	goldens := kit.Golden
	kept := map[string]golden.File{}
	for name, fresh := range files {
		// An editor writes alternatives; unreadable files are reported below.
		if old, err := golden.Read(goldens, name); err == nil {
			fresh = golden.Keep(old, fresh)
		}
		kept[name] = fresh
	}
	problems := slices.DeleteFunc(golden.Check(goldens, kept), func(p golden.Problem) bool { return !g.concerns(p.Name) })
	for _, group := range golden.ProblemsByRequirement(problems) {
		fmt.Fprintf(g.out, "%s\n", group.Requirement)
		for _, p := range group.Items {
			fmt.Fprintf(g.out, "  golden/%s: %s\n%s", p.Name, p.Message, p.Diff)
		}
	}
	drifted, err := driftedExcerpts(kit.Spec, goldens)
	if err != nil {
		return err
	}
	for _, place := range drifted {
		fmt.Fprintln(g.out, place)
	}
	fmt.Fprintf(g.out, "%d golden files, %d problems\n", len(files), len(problems)+len(drifted))
	if len(problems)+len(drifted) > 0 {
		fmt.Fprintln(g.out, "if the change is meant, run `make golden` and look at the diff")
		return command.Code(command.Broken)
	}
	return nil
}

func (g *goldens) write(goldens fs.FS, files map[string]golden.File) error {
	dir := filepath.Join(g.app.WorkingCopy(), "golden")
	changes, err := golden.WriteAll(dir, files)
	if err != nil {
		return fmt.Errorf("writing the golden transcripts: %w", err)
	}
	for _, group := range golden.ByRequirement(changes) {
		fmt.Fprintf(g.out, "%s\n", group.Requirement)
		for _, c := range group.Items {
			fmt.Fprintf(g.out, "  golden/%s: %s\n%s", c.Name, c.Kind, c.Diff)
		}
	}
	names, err := golden.Names(goldens)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("removing goldens that no scenario has: %w", err)
	}
	defer root.Close()
	removed := 0
	for _, name := range names {
		if _, still := files[name]; still || !g.concerns(name) {
			continue
		}
		if err := root.Remove(filepath.FromSlash(name)); err != nil {
			return fmt.Errorf("removing a golden that no scenario has: %w", err)
		}
		fmt.Fprintf(g.out, "  golden/%s: removed, no scenario has it\n", name)
		removed++
	}
	fmt.Fprintf(g.out, "%d golden files, %d changed, %d removed\n", len(files), len(changes), removed)
	return nil
}
