package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/baseline"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/spec"
)

// baselines are the file of known failures that a run is given, and the one that
// it is to write.
type baselines struct {
	file, write string             // "" for none
	known, next *baseline.Baseline // nil for none
	partial     bool               // a run ended before every verdict was there
}

func (b *baselines) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&b.file, "baseline", "", "`FILE` of requirements that are known to fail, with reasons; overrides the config's")
	cmd.Flags().StringVar(&b.write, "write-baseline", "", "write every requirement that fails to this `FILE`, with the reasons that are there already")
}

// read reads both files; configured is the one of the config. A file that is to be written may be missing; an existing one
// must be a baseline, so that no other file is overwritten.
func (b *baselines) read(configured string) error {
	var err error
	if file := cmp.Or(b.file, configured); file != "" {
		if b.known, err = baseline.ReadFile(file); err != nil {
			return Misused(err)
		}
	}
	if b.write == "" {
		return nil
	}
	if b.next, err = baseline.ReadFile(b.write); errors.Is(err, os.ErrNotExist) {
		b.next = b.known
	} else if err != nil {
		return Usage("--write-baseline: %w; move it away, or name another file", err)
	}
	return nil
}

// draw sets the seed and the effort from a baseline file if the call leaves them open.
func (b *baselines) draw(cmd *cobra.Command, seed *int64, effort *string) error {
	for _, file := range []*baseline.Baseline{b.known, b.next} {
		if file == nil || file.Run == nil {
			continue
		}
		if err := KnownEffort(cmp.Or(file.Run.Effort, *effort)); err != nil {
			return Usage("%s: run: %w", file.File, err)
		}
		if !cmd.Flags().Changed("seed") {
			*seed = file.Run.Seed
		}
		if !cmd.Flags().Changed("effort") {
			*effort = cmp.Or(file.Run.Effort, *effort)
		}
		return nil
	}
	return nil
}

// judge compares the report of one pack with the baseline, and adds the problems to the report.
func (b *baselines) judge(book *spec.Book, r *report.Report) {
	r.Baseline, r.Notices = b.known.Problems(book, r), append(b.known.Notices(r), b.known.Spread(r)...)
	if b.write == "" {
		return
	}
	b.partial = b.partial || r.Fault != "" || r.Interrupted
	b.next = b.next.Merge(book, r)
}

// save writes the requested baseline file, and prints on errs what the user has to complete.
func (b *baselines) save(errs io.Writer, book *spec.Book) error {
	if b.write == "" || b.next == nil {
		return nil
	}
	if b.partial {
		fmt.Fprintf(errs, "streamcert: %s was not written, because the run didn't come to its end\n", report.OneLine(b.write))
		return nil
	}
	if err := report.Replace(b.write, func(w io.Writer) error { return b.next.Write(w, book) }); err != nil {
		return fmt.Errorf("writing the baseline: %w", err)
	}
	open := len(b.next.Entries) - len(b.next.Known())
	fmt.Fprintf(errs, "streamcert: wrote %s; requirements: %d, without a reason: %d\n", report.OneLine(b.write), len(b.next.Entries), open)
	return nil
}
