package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/diff"
	"github.com/streamcert/streamcert/runner/release"
	"github.com/streamcert/streamcert/runner/site"
	playground "github.com/streamcert/streamcert/runner/site/program"
)

func newSpec(a *App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "spec",
		Short: "Make pages of the specification",
		Args:  knownCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSpecBuild(a))
	return cmd
}

func newSpecBuild(a *App) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "build --out DIR",
		Short: "Write the specification as static pages",
		Long: "Write the specification of every pack as static HTML: chapters with all that tests each requirement, tables of\n" +
			"the schemas, the sentences of the feature files, coverage, versions, a search, and a playground that judges a\n" +
			"recording in the browser. The pages need no network; a folder that was written before is written anew.\n\n" +
			"The playground is part of programs that `make site` or `make dist` built.",
		Args: Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return Usage("spec build: --out is missing; expected the folder that the pages are written to")
			}
			in, err := a.siteInput(cmd.Context())
			if err != nil {
				return err
			}
			files, err := site.Build(in)
			if err != nil {
				return Misused(err)
			}
			if err := files.Write(out); errors.Is(err, site.ErrOtherFiles) {
				return Usage("spec build: --out %v; expected an empty folder, or one that spec build wrote", err)
			} else if err != nil {
				return err
			}
			without := ""
			if in.Judge == nil {
				without = ", without a playground, which `make site` adds"
			}
			if _, err := fmt.Fprintf(a.out, "%d files in %s%s\n", len(files), out, without); err != nil {
				return fmt.Errorf("writing what was made: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder that the pages are written to")
	return cmd
}

// siteInput is everything that the pages are made of.
func (a *App) siteInput(ctx context.Context) (site.Input, error) {
	var in site.Input
	for _, name := range a.packs.Names() {
		suite, err := a.Suite(name)
		if err != nil {
			return in, err
		}
		told, err := a.servers.Altered(name)
		if err != nil {
			return in, err
		}
		in.Packs = append(in.Packs, site.Pack{Suite: suite, Mutants: told.Mutants, Variants: told.Variants})
	}
	judge, err := playground.Built()
	if !errors.Is(err, fs.ErrNotExist) {
		in.Judge = judge
	}
	in.Changes, err = a.history(ctx)
	return in, err
}

// history compares each version of each pack with the release before it.
func (a *App) history(ctx context.Context) ([]site.Change, error) {
	now, open, err := a.releases()
	if err != nil {
		return nil, err
	}
	var out []site.Change
	for _, pack := range a.packs.Names() {
		var before *diff.Version
		for _, name := range append(release.Versions(open.Spec, pack), "") {
			source := now
			if name != "" {
				if source, err = open.Open(ctx, name, pack); err != nil {
					return nil, Misused(err)
				}
			}
			after, err := diff.Read(source, pack)
			if err != nil {
				return nil, Misused(err)
			}
			if before != nil {
				r, err := diff.Compare(before, after)
				if err != nil {
					return nil, Misused(err)
				}
				out = append(out, changes(r)...)
			}
			before = after
		}
	}
	return out, nil
}

// changes converts the changes of one report for pages.
func changes(r *diff.Report) []site.Change {
	var out []site.Change
	for _, item := range r.Changed {
		for _, c := range item.Changes {
			out = append(out, site.Change{Version: r.New.Number, Pack: r.Pack, Requirement: item.ID, Class: string(c.Class), Summary: c.What})
		}
	}
	return out
}
