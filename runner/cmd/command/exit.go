package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/streamcert/streamcert/runner/similar"
)

// Broken is the exit code of a broken rule.
const Broken = 1

// The exit codes other than 0.
const (
	broken = Broken
	misuse = 2 // the call or the configuration is wrong
	failed = 3 // the suite could not find out
)

// outcome is a non-zero exit code; err is nil if the reason was already printed.
type outcome struct {
	code int   // never 0
	err  error // nil if the reason was printed
}

func (o *outcome) Error() string {
	if o.err == nil {
		return fmt.Sprintf("exit code %d", o.code)
	}
	return o.err.Error()
}

func (o *outcome) Unwrap() error { return o.err }

// Code ends a command silently with an exit code; 0 is success.
func Code(n int) error {
	if n == 0 {
		return nil
	}
	return &outcome{code: n}
}

// Misused marks an error as a mistake in the call, the config or the working copy: exit code 2.
func Misused(err error) error { return &outcome{misuse, err} }

// Usage returns the error of a wrong call.
func Usage(format string, args ...any) error { return Misused(fmt.Errorf(format, args...)) }

// knownCommand refuses an argument of the root command, which can only be a
// command that doesn't exist.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return Usage("there is no command %q%s; `streamcert --help` lists them", args[0], Suggest(args[0], names))
}

// Arguments accepts exactly the named ones.
func Arguments(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return Usage("%s needs %s; see `%s --help`", cmd.Name(), names[len(args)], cmd.CommandPath())
		case len(args) > len(names):
			return Usage("%s has no place for %q; see `%s --help`", cmd.Name(), args[len(names)], cmd.CommandPath())
		}
		return nil
	}
}

// badFlag makes one line of a flag that can't be used.
func badFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return Usage("%s: %w; see `%s --help`", cmd.Name(), err, cmd.CommandPath())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	name := "--" + unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		name = "-" + unknown.GetSpecifiedName()
	}
	return Usage("%s has no flag %s%s; see `%s --help`", cmd.Name(), name, Suggest(name, names), cmd.CommandPath())
}

// noPack is the mistake of a call that names a pack which there isn't.
func noPack(name string, names []string) error {
	return Usage("there is no pack %q%s; expected %s", name, Suggest(name, names), strings.Join(names, ", "))
}

// Suggest returns " (did you mean …?)" with the word that was probably meant, "" if none is near.
func Suggest(word string, among []string) string {
	best, at := "", max(3, len(word)/2)
	for _, w := range slices.Sorted(slices.Values(among)) {
		if d := similar.Distance(strings.ToLower(word), strings.ToLower(w), at); d < at {
			best, at = w, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", best)
}
