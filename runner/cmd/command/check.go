package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/check"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/recording"
)

type checking struct {
	app                   *App
	pack, format, profile string // values of flags, or their defaults
	config, variant       string
	strict                bool // a SHOULD that is broken fails the call
}

func newCheck(a *App) *cobra.Command {
	c := &checking{app: a}
	cmd := &cobra.Command{
		Use:   "check FILE|-",
		Short: "Judge a recorded stream",
		Long: "Judge a recording of what a server sent: the body of an event stream as it went over the wire, or the data of its\n" +
			"frames as one JSON document a line. The format is recognised by its first character.\n\n" +
			"With --profile bare the data of an event is the chunk itself, without an envelope and without ids; a last event\n" +
			"of type stream_end may end the stream.",
		Args: Arguments("a FILE, or - for standard input"),
		RunE: c.run,
	}
	PackFlag(cmd, &c.pack)
	FormatFlag(cmd, &c.format)
	cmd.Flags().StringVar(&c.profile, "profile", "envelope", "envelope, or bare where the data of an event is the chunk itself")
	VariantFlag(cmd, &c.variant)
	namesFlag(cmd, &c.config)
	cmd.Flags().BoolVar(&c.strict, "strict", false, "exit with 1 for a broken SHOULD too")
	return cmd
}

func (c *checking) run(cmd *cobra.Command, args []string) error {
	if err := KnownFormat(c.format); err != nil {
		return err
	}
	profile, err := profileOf(c.profile)
	if err != nil {
		return err
	}
	route := ""
	if c.variant != "" {
		if c.pack, route, err = variantRoute(c.app.packs, c.variant, c.pack, EveryPack); err != nil {
			return err
		}
	}
	suites, err := c.app.Suites(c.pack)
	if err != nil {
		return err
	}
	every, err := c.app.Suites("all")
	if err != nil {
		return err
	}
	file, err := openRecording(cmd.Context(), c.app.in, args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	suite, in := check.Recognise(suites, file)
	names, err := c.app.names(c.config, suite)
	if err != nil {
		return err
	}
	w := check.Text(c.app.out, suite, args[0])
	if c.format == "json" {
		w = check.JSON(c.app.out, suite, args[0])
	}
	checked, err := check.Run(cmd.Context(), suite, in, recording.Options{
		Found: w.Found, Profile: profile, Route: route, Names: names, Others: check.All(every),
	})
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
		return Code(n)
	}
}

func profileOf(name string) (judge.Profile, error) {
	switch name {
	case "envelope":
		return judge.Enveloped, nil
	case "bare":
		return judge.BareChunks, nil
	}
	return 0, Usage("--profile %q%s: expected envelope or bare", name, Suggest(name, []string{"envelope", "bare"}))
}
