package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/judge"
)

type check struct {
	app                   *app
	pack, format, profile string
	strict                bool
}

func newCheck(a *app) *cobra.Command {
	c := &check{app: a}
	cmd := &cobra.Command{
		Use:   "check FILE|-",
		Short: "Judge a recorded stream",
		Long: "Judge a recording of what a server sent: the body of an event stream as it went over the wire, or the data of its\n" +
			"frames as one JSON document a line. The format is recognised by its first character.\n\n" +
			"With --profile bare the data of an event is the chunk itself, without an envelope and without ids; a last event\n" +
			"of type stream_end may end the stream.",
		Args: arguments("a FILE, or - for standard input"),
		RunE: c.run,
	}
	packFlag(cmd, &c.pack)
	formatFlag(cmd, &c.format)
	cmd.Flags().StringVar(&c.profile, "profile", "envelope", "envelope, or bare where the data of an event is the chunk itself")
	cmd.Flags().BoolVar(&c.strict, "strict", false, "exit with 1 for a broken SHOULD too")
	return cmd
}

func (c *check) run(cmd *cobra.Command, args []string) error {
	if err := knownFormat(c.format); err != nil {
		return err
	}
	profile, err := profileOf(c.profile)
	if err != nil {
		return err
	}
	suites, err := c.app.suites(c.pack)
	if err != nil {
		return err
	}
	file, err := c.app.recording(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	suite, in := runner.Recognise(suites, file)
	w := suite.CheckText(c.app.out, args[0])
	if c.format == "json" {
		w = suite.CheckJSON(c.app.out, args[0])
	}
	checked, err := suite.Check(cmd.Context(), in, runner.CheckOptions{Found: w.Found, Profile: profile})
	if err != nil {
		err = fmt.Errorf("checking %s: %w", args[0], err)
	}
	if e := w.Close(checked, err); e != nil {
		return e
	}
	switch n := checked.ExitCode(c.strict); {
	case n != 0 && err != nil:
		return &outcome{n, err}
	case err != nil:
		return err
	default:
		return code(n)
	}
}

func profileOf(name string) (judge.Profile, error) {
	switch name {
	case "envelope":
		return judge.Enveloped, nil
	case "bare":
		return judge.BareChunks, nil
	}
	return 0, usage("--profile %q%s: expected envelope or bare", name, suggest(name, []string{"envelope", "bare"}))
}

// recording opens a file, or standard input for -.
func (a *app) recording(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.in), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usage("opening the recording: %w", err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.Join(usage("%s is a folder, expected a recording", name), f.Close())
	}
	return f, nil
}
