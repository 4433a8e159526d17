package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/compare"
	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/report"
)

type comparing struct {
	app    *App
	page   string // path; "" writes none
	format string
	force  bool // page may replace a file that compare didn't write
}

func newCompare(a *App) *cobra.Command {
	c := &comparing{app: a}
	cmd := &cobra.Command{
		Use:   "compare REPORT REPORT...",
		Short: "Say what changed between two reports, or which servers earned which classes",
		Long: "Compare two reports of one pack requirement by requirement: what broke, what was mended, what is broken in other words,\n" +
			"and what is proven no longer or only now. More than two reports make a table of servers and classes; they may be of\n" +
			"several packs. REPORT is a report.json, or the folder of --out that holds one.\n\n" +
			"Exit codes: 0 when nothing broke, 1 when a requirement broke or a class was lost, 2 for a file that is no report or\n" +
			"two of different packs.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return Usage("compare needs two reports or more; see `streamcert compare --help`")
			}
			return KnownFormat(c.format)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args) },
	}
	cmd.Flags().StringVar(&c.format, "format", "console", "console, or json for one document on standard output")
	cmd.Flags().StringVar(&c.page, "page", "", "write what is printed as a page for browsers into this `FILE`, too")
	cmd.Flags().BoolVar(&c.force, "force", false, "let --page replace a file that compare didn't write")
	return cmd
}

func (c *comparing) run(ctx context.Context, args []string) error {
	var all []compare.Named
	for _, name := range args {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			name = filepath.Join(name, report.JSONFile)
		}
		r, err := (&verify{c.app}).read(ctx, name)
		if err != nil {
			return err
		}
		all = append(all, compare.Named{Name: filepath.ToSlash(name), Report: r})
	}
	if err := c.replaceable(); err != nil {
		return err
	}
	var result *compare.Result
	tables := compare.Tables(all)
	write := func(w io.Writer) error { return compare.WriteTables(w, tables) }
	if len(all) == 2 {
		var err error
		if result, err = compare.Two(all[0], all[1]); err != nil {
			return Misused(err)
		}
		write = result.WriteConsole
	}
	if c.format == "json" {
		write = func(w io.Writer) error { return compare.WriteJSON(w, result, tables) }
	}
	if err := write(c.app.out); err != nil {
		return err
	}
	if c.page != "" {
		if err := report.Replace(c.page, func(w io.Writer) error { return compare.WritePage(w, result, tables) }); err != nil {
			return err
		}
	}
	if result != nil && result.Worse() {
		return Code(broken)
	}
	return nil
}

// replaceable refuses to write over a file that compare didn't write.
func (c *comparing) replaceable() error {
	if c.page == "" || c.force {
		return nil
	}
	text, err := files.ReadFile(c.page, 64<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !bytes.Contains(text, []byte("<title>"+compare.PageMark)) {
		return Usage("--page %s: compare didn't write this file; name another one, or give --force to replace it", c.page)
	}
	return nil
}
