package runner

import (
	"context"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
)

// Options configure a run of a suite.
type Options = certify.Options

// Progress is the progress of a run.
type Progress = certify.Progress

// Result is the report of a run, with data that isn't part of the report.
type Result = certify.Result

// Files are the data folders of the kit: embedded, or those of a working copy.
type Files = pack.Files

// Suite is a pack, loaded and ready to run.
type Suite = pack.Suite

// SelectionError is the error of a selection that matches nothing.
type SelectionError = pack.SelectionError

// Packs lists the names of the protocols.
func Packs() []string { return packs.Names() }

// Load reads a pack by its name. An error names the file, the line and the expected text.
func Load(files Files, name string) (*Suite, error) { return packs.Load(files, name) }

// Run runs a suite. It returns an error only when nothing could be selected; a
// server that can't be reached is a report with the verdict error.
func Run(ctx context.Context, suite *Suite, o Options) (*Result, error) {
	return certify.Run(ctx, suite, o)
}
