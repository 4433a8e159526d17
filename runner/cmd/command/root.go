package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/streamcert/streamcert/runner/report"
)

// Run runs one command line and returns its exit code.
func (a *App) Run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	a.in, a.args = in, args
	a.out, a.errs = door{a, out}, door{a, errs}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(a.out)
	root.SetErr(a.errs)
	code := make(chan int, 1)
	go func() {
		err := root.ExecuteContext(ctx)
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) { // the error is a consequence of the cancellation
			err = undone(root, args)
		}
		code <- exit(a.errs, err)
	}()
	select {
	case n := <-code:
		return n
	case <-ctx.Done():
		return a.interrupted(root, args, code)
	}
}

// certificateTimeout is the time for an interrupted command to end that isn't orderly.
const certificateTimeout = 1500 * time.Millisecond

// interrupted returns the exit code of an interrupted command. It doesn't wait for one that is too busy to react: the files
// that it writes are complete or absent.
func (a *App) interrupted(root *cobra.Command, args []string, code <-chan int) int {
	select {
	case n := <-code:
		return n
	case <-time.After(certificateTimeout):
	}
	if a.orderly.Load() {
		return <-code
	}
	return exit(a.errs, undone(root, args))
}

// undone is the error of a command that an interrupt ended.
func undone(root *cobra.Command, args []string) error {
	cmd, _, err := root.Find(args)
	if err != nil {
		cmd = root
	}
	return fmt.Errorf("%s was interrupted before it was done", cmd.Name())
}

// exit prints an error as one line to errs, and returns its exit code.
func exit(errs io.Writer, err error) int {
	if err == nil {
		return 0
	}
	var o *outcome
	if !errors.As(err, &o) {
		o = &outcome{failed, err}
	}
	if o.err != nil {
		line := strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")
		fmt.Fprintf(errs, "streamcert: %s\n", report.OneLine(line))
	}
	return o.code
}

func newRoot(a *App) *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:           a.program.Name,
		Short:         "Certify that an agent server streams the way its protocol says it must",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return a.version()
			}
			return cmd.Help()
		},
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.PersistentFlags().StringVar(&a.dir, "dir", "", "use the spec, schemas, features and goldens of a working copy instead of the embedded ones")
	root.Flags().BoolVar(&version, "version", false, "print the version, the digest of each suite, and what the program was built from")
	root.SetFlagErrorFunc(badFlag)
	root.AddCommand(newCertify(a))
	root.AddCommand(newCheck(a))
	root.AddCommand(newView(a))
	root.AddCommand(newObserve(a))
	root.AddCommand(newVerify(a))
	root.AddCommand(newCompare(a))
	root.AddCommand(newProbe(a))
	root.AddCommand(newServe(a))
	root.AddCommand(newExplain(a))
	root.AddCommand(newSteps(a))
	root.AddCommand(newSpec(a))
	root.AddCommand(newDiff(a))
	root.AddCommand(newInit(a))
	root.AddCommand(newCompletion(a))
	root.AddGroup(&cobra.Group{ID: labName, Title: "Commands of " + labName + ", for maintainers of a suite:"})
	root.AddCommand(a.labCommands()...)
	completion{a}.register(root)
	return root
}
