package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/target"
)

// everyPack is what --pack says for all protocols.
const everyPack = "all"

// packFlag adds --pack.
func packFlag(cmd *cobra.Command, pack *string) {
	cmd.Flags().StringVar(pack, "pack", everyPack, "`PROTOCOL`, or all")
}

// suites loads a pack, or all of them.
func (a *app) suites(pack string) ([]*runner.Suite, error) {
	names := []string{pack}
	if pack == everyPack {
		names = runner.Packs()
	}
	var out []*runner.Suite
	for _, name := range names {
		suite, err := a.suite(name)
		if err != nil {
			return nil, err
		}
		out = append(out, suite)
	}
	return out, nil
}

// selecting leaves the suites in which a selection finds something. choose asks
// one suite; its error is a *runner.SelectionError where nothing was found. If
// that holds for all, the first one's is returned.
func selecting(suites []*runner.Suite, choose func(*runner.Suite) error) ([]*runner.Suite, error) {
	var out []*runner.Suite
	var first error
	for _, suite := range suites {
		err := choose(suite)
		var nothing *runner.SelectionError
		switch {
		case err == nil:
			out = append(out, suite)
		case !errors.As(err, &nothing):
			return nil, err
		case first == nil:
			first = err
		}
	}
	if len(out) == 0 {
		return nil, misused(first)
	}
	return out, nil
}

// capabilities are those that a config may say a server lacks, whichever packs
// are certified: it is written once.
func capabilities(suites []*runner.Suite) []string {
	var out []string
	book := suites[0].Book
	for _, pack := range book.Packs() {
		for _, c := range book.Capabilities(pack) {
			if !slices.Contains(out, c.Name) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

// configured leaves the suites that a config names, unless the call named one.
func configured(suites []*runner.Suite, asked string, packs []string) []*runner.Suite {
	if asked != everyPack || len(packs) == 0 {
		return suites
	}
	return slices.DeleteFunc(slices.Clone(suites), func(s *runner.Suite) bool { return !slices.Contains(packs, s.Pack) })
}

// each does something for every pack, and returns the worst exit code. An error
// that has none ends it.
func each(suites []*runner.Suite, do func(*runner.Suite) error) error {
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
	return code(worst)
}

// offered leaves the packs that a target answers for. Where it answers for none,
// all are left, so that the run says what is wrong.
func (a *app) offered(cmd *cobra.Command, suites []*runner.Suite, t *target.Target) []*runner.Suite {
	var out []*runner.Suite
	for _, suite := range suites {
		if _, err := suite.Preflight(cmd.Context(), t); err == nil {
			out = append(out, suite)
		}
	}
	if len(out) == 0 {
		return suites[:1]
	}
	return out
}
