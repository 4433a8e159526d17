package runner

import (
	"context"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
)

// Options are how a suite is run.
type Options = certify.Options

// Progress is how far a run is.
type Progress = certify.Progress

// Result is a run: its report, and what the report has no room for.
type Result = certify.Result

// Files are the data folders of the kit: embedded, or those of a working copy.
type Files = pack.Files

// Suite is a pack, loaded and ready to run.
type Suite = pack.Suite

// SelectionError is the error of a selection that matches nothing.
type SelectionError = pack.SelectionError

// Packs lists the names of the protocols.
func Packs() []string { return packs.Names() }

// Load reads a pack by its name. An error names the file, the line and what was
// expected.
func Load(files Files, name string) (*Suite, error) { return packs.Load(files, name) }

// Run runs a suite. It returns an error only when nothing could be selected; a
// server that can't be reached is a report with the verdict error.
func Run(ctx context.Context, suite *Suite, o Options) (*Result, error) {
	return certify.Run(ctx, suite, o)
}
