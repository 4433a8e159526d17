package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/target"
)

// EveryPack is the value of --pack for all protocols.
const EveryPack = "all"

// PackFlag adds --pack.
func PackFlag(cmd *cobra.Command, protocol *string) {
	cmd.Flags().StringVar(protocol, "pack", EveryPack, "`PROTOCOL`, or all")
}

// Suite loads a pack. Its errors are mistakes in the selection or the working copy.
func (a *App) Suite(name string) (*pack.Suite, error) {
	files, err := a.Files()
	if err != nil {
		return nil, err
	}
	suite, err := a.packs.Load(files, name)
	if err != nil {
		return nil, Misused(err)
	}
	return suite, nil
}

// Suites loads a pack, or all of them.
func (a *App) Suites(protocol string) ([]*pack.Suite, error) {
	names := []string{protocol}
	if protocol == EveryPack {
		names = a.packs.Names()
	}
	var out []*pack.Suite
	for _, name := range names {
		suite, err := a.Suite(name)
		if err != nil {
			return nil, err
		}
		out = append(out, suite)
	}
	return out, nil
}

// Selecting returns the suites in which a selection finds something. choose tries one suite; its error is a
// *pack.SelectionError if nothing was found. If none found anything, the first error with a suggestion is returned, else the
// first.
func Selecting(suites []*pack.Suite, choose func(*pack.Suite) error) ([]*pack.Suite, error) {
	var out []*pack.Suite
	var first error
	near := false
	for _, suite := range suites {
		err := choose(suite)
		var nothing *pack.SelectionError
		switch {
		case err == nil:
			out = append(out, suite)
		case !errors.As(err, &nothing):
			return nil, err
		case first == nil || nothing.Near && !near:
			first, near = err, nothing.Near
		}
	}
	if len(out) == 0 {
		return nil, Misused(first)
	}
	return out, nil
}

// capabilities returns the capabilities that a config may leave out, of all packs, since one config serves all.
func capabilities(suites []*pack.Suite) []string {
	var out []string
	book := suites[0].Book
	for _, name := range book.Packs() {
		for _, c := range book.Capabilities(name) {
			if !slices.Contains(out, c.Name) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

// configured leaves the suites that a config names, unless the call named one.
func configured(suites []*pack.Suite, named string, names []string) []*pack.Suite {
	if named != EveryPack || len(names) == 0 {
		return suites
	}
	return slices.DeleteFunc(slices.Clone(suites), func(s *pack.Suite) bool { return !slices.Contains(names, s.Pack.Name) })
}

// suitesWithin loads suites as Suites does, within the timeout of their runs; 0 is none.
func (a *App) suitesWithin(ctx context.Context, timeout time.Duration, protocol string) ([]*pack.Suite, error) {
	ctx, cancel := certify.WithTimeout(ctx, timeout)
	defer cancel()
	suites, err := files.InTime(ctx, func() ([]*pack.Suite, error) { return a.Suites(protocol) })
	if ctx.Err() != nil && err != nil {
		return nil, fmt.Errorf("loading the suite: %w", err)
	}
	return suites, err
}

// Each does something for every pack, and returns the worst exit code. An error
// that has none ends it.
func Each(suites []*pack.Suite, do func(*pack.Suite) error) error {
	worst := 0
	var said error
	for _, suite := range suites {
		err := do(suite)
		var o *outcome
		switch {
		case err == nil:
		case errors.As(err, &o) && o.err == nil:
			worst = max(worst, o.code)
		case len(suites) == 1 || errors.As(err, &o) && o.code == misuse:
			return err
		default:
			said = errors.Join(said, err)
		}
	}
	if said != nil {
		return said
	}
	return Code(worst)
}

// offered returns the packs that a target answers for. If it answers for none, it returns all, so that the run reports the
// problem.
func offered(ctx context.Context, suites []*pack.Suite, t *target.Target) []*pack.Suite {
	var out []*pack.Suite
	for _, suite := range suites {
		if _, err := certify.Preflight(ctx, suite, t); err == nil {
			out = append(out, suite)
		}
	}
	if len(out) == 0 {
		return suites[:1]
	}
	return out
}
