package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/diff"
	"github.com/streamcert/streamcert/runner/release"
)

// differ compares two versions of the kit.
type differ struct {
	app          *App
	format, pack string // console, json, markdown or changelog
	gate         string // the version to compare with; "" if no check is requested
	servers      bool   // certify the samples of the old version
}

func newDiff(a *App) *cobra.Command {
	d := &differ{app: a}
	cmd := &cobra.Command{
		Use:   "diff OLD [NEW]",
		Short: "Say of every change between two versions of the spec whom it breaks, requirement by requirement",
		Long: "Compare spec, schemas, features and goldens of two versions. A version is a folder, a git revision, which is read and\n" +
			"never checked out, the number of a release such as 0.4.0, or the word released for the last one. NEW is this build,\n" +
			"or the working copy of --dir, unless it is named.\n\n" +
			"Schemas are compared by structure, and by evidence: documents are judged by both versions. Where the two disagree,\n" +
			"the report says so. With --servers, the Node samples of OLD are certified by this suite, which names the requirements\n" +
			"that a conforming server of yesterday fails today. With --gate BASE, version, change log, scenarios and goldens have to match what changed since.\n\n" +
			"Exit codes: 0, 1 when the gate finds something, 2 for a mistake in the call or in a version.",
		Args: d.arguments,
		RunE: func(cmd *cobra.Command, args []string) error { return d.run(cmd.Context(), args) },
	}
	cmd.Flags().StringVar(&d.gate, "gate", "", "compare with `BASE`, and fail where version, change log, scenarios or goldens don't match the change")
	cmd.Flags().BoolVar(&d.servers, "servers", false, "certify the Node samples of OLD by this suite; needs node")
	cmd.Flags().StringVar(&d.format, "format", "console", "console, json for one document a pack, markdown, or changelog for the lists that a change log needs")
	PackFlag(cmd, &d.pack)
	return cmd
}

func (d *differ) arguments(_ *cobra.Command, args []string) error {
	switch {
	case d.gate != "" && len(args) > 0:
		return Usage("diff --gate %s compares with this build or with --dir, so there is no place for %q; see `streamcert diff --help`", d.gate, args[0])
	case d.gate == "" && len(args) == 0:
		return Usage("diff needs OLD: a folder, a git revision, a release such as 0.4.0, or released; see `streamcert diff --help`")
	case d.servers && len(args) > 1:
		return Usage("diff --servers certifies by this build or by --dir, so there is no place for %q; see `streamcert diff --help`", args[1])
	case len(args) > 2:
		return Usage("diff has no place for %q; see `streamcert diff --help`", args[2])
	case !slices.Contains([]string{"console", "json", "markdown", "changelog"}, d.format):
		return Usage("--format %q: expected console, json, markdown or changelog", d.format)
	case d.pack != EveryPack && !slices.Contains(d.app.packs.Names(), d.pack):
		return Usage("there is no pack %q%s", d.pack, Suggest(d.pack, d.app.packs.Names()))
	}
	return nil
}

func (d *differ) run(ctx context.Context, args []string) error {
	now, open, err := d.app.releases()
	if err != nil {
		return err
	}
	problems := 0
	for i, name := range d.app.packs.Names() {
		if d.pack != EveryPack && d.pack != name {
			continue
		}
		r, err := d.compare(ctx, open, now, name, args)
		var missing *release.MissingError
		if errors.As(err, &missing) && d.pack == EveryPack {
			fmt.Fprintf(d.app.errs, "streamcert: %s; nothing is compared\n", err)
			continue
		}
		if err != nil {
			return Misused(err)
		}
		problems += len(r.Problems)
		if i > 0 && d.format != "json" {
			fmt.Fprintln(d.app.out)
		}
		write := map[string]func() error{
			"console":   func() error { return r.WriteConsole(d.app.out) },
			"json":      func() error { return r.WriteJSON(d.app.out) },
			"changelog": func() error { return r.WriteChangeLog(d.app.out) },
			"markdown":  func() error { return r.WriteMarkdown(d.app.out) },
		}[d.format]
		if err := write(); err != nil {
			return err
		}
	}
	if problems > 0 {
		return Code(broken)
	}
	return nil
}

// releases returns the version that the commands use, and a function that opens earlier ones.
func (a *App) releases() (release.Source, release.Opener, error) {
	files, err := a.Files()
	if err != nil {
		return release.Source{}, release.Opener{}, err
	}
	open := release.Opener{Dir: a.dir, Spec: files.Spec}
	if a.dir != "" {
		now, err := release.Folder(a.dir)
		if err != nil {
			return now, open, Misused(err)
		}
		return now, open, nil
	}
	return release.Source{Name: "this build", Files: release.Joined{
		"spec": files.Spec, "schemas": files.Schemas, "features": files.Features, "golden": files.Golden, "reference": reference.FS,
	}}, open, nil
}

// compare compares the versions of one pack that a call names.
func (d *differ) compare(ctx context.Context, open release.Opener, now release.Source, pack string, args []string) (*diff.Report, error) {
	base := d.gate
	if base == "" {
		base = args[0]
	}
	old, err := open.Open(ctx, base, pack)
	if err != nil {
		return nil, err
	}
	if len(args) == 2 {
		if now, err = open.Open(ctx, args[1], pack); err != nil {
			return nil, err
		}
	}
	before, err := diff.Read(old, pack)
	if err != nil {
		return nil, err
	}
	after, err := diff.Read(now, pack)
	if err != nil {
		return nil, err
	}
	r, err := diff.Compare(before, after)
	if err == nil && d.servers {
		r.Servers, err = d.yesterday(ctx, old, pack)
	}
	if err != nil || d.gate == "" {
		return r, err
	}
	return r, r.Gate()
}
