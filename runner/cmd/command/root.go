package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/redact"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// App is the state that all commands share.
type App struct {
	program   Program
	packs     packs.List
	servers   servers.List // of the packs
	args      []string     // of this call
	in        io.Reader
	out, errs io.Writer
	dir       string // of a working copy; "" for the embedded files
	// secrets are replaced in everything that is printed.
	secrets *redact.Redactor
	// model is the language model of the server, which the kit plays; nil if it doesn't.
	model *provider.Provider
	// server is the server under test where the config launches it; nil where it doesn't.
	server certify.Server
	// orderly: the command ends by itself soon after an interrupt, and has reports to write or a server to stop before.
	orderly atomic.Bool
}

// door redacts all output of the program.
type door struct {
	app *App
	out io.Writer
}

func (d door) Write(p []byte) (int, error) { return d.app.secrets.Writer(d.out).Write(p) }

// New makes a program for some packs and their reference servers.
func New(p Program, all packs.List, of servers.List) *App {
	return &App{program: p, packs: all, servers: of}
}

// Packs lists the packs of the program.
func (a *App) Packs() packs.List { return a.packs }

// Servers lists the reference servers of the program.
func (a *App) Servers() servers.List { return a.servers }

// Out and Errs are standard output and standard error, without secrets.
func (a *App) Out() io.Writer  { return a.out }
func (a *App) Errs() io.Writer { return a.errs }

// InWorkingCopy uses the current folder if --dir isn't given: embedded files can't be written.
func (a *App) InWorkingCopy() { a.dir = cmp.Or(a.dir, ".") }

// WorkingCopy returns the folder of --dir, "" for the embedded files.
func (a *App) WorkingCopy() string { return a.dir }

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
		code <- a.exit(err)
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
	return a.exit(undone(root, args))
}

// undone is the error of a command that an interrupt ended.
func undone(root *cobra.Command, args []string) error {
	cmd, _, err := root.Find(args)
	if err != nil {
		cmd = root
	}
	return fmt.Errorf("%s was interrupted before it was done", cmd.Name())
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

// Files returns the data folders: embedded, or those of --dir.
func (a *App) Files() (pack.Files, error) {
	if a.dir == "" {
		return pack.Files{Spec: spec.FS, Schemas: schemas.FS, Features: features.FS, Golden: golden.FS, Sources: a.sources()}, nil
	}
	copied, err := files.Open(a.dir)
	if err != nil {
		return pack.Files{}, Usage("--dir: opening the working copy: %w; expected a folder with spec, schemas, features and golden", err)
	}
	open := func(name string) (fs.FS, error) {
		if info, err := fs.Stat(copied, name); err != nil || !info.IsDir() {
			return nil, Usage("--dir %s: there is no folder %s in it; expected a working copy with spec, schemas, features and golden", a.dir, name)
		}
		return fs.Sub(copied, name)
	}
	data := pack.Files{Sources: a.sources()}
	for _, part := range []struct {
		name string
		into *fs.FS
	}{{"spec", &data.Spec}, {"schemas", &data.Schemas}, {"features", &data.Features}, {"golden", &data.Golden}} {
		fsys, err := open(part.name)
		if err != nil {
			return data, err
		}
		*part.into = fsys
	}
	return data, nil
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

// direct returns the writer behind a door, or w if it isn't one.
func direct(w io.Writer) io.Writer {
	if d, ok := w.(door); ok {
		return d.out
	}
	return w
}

// terminalOf returns the file that is shown as it is written, if w is one.
func terminalOf(w io.Writer) (*os.File, bool) {
	f, ok := direct(w).(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// Terminal reports whether w is a terminal.
func Terminal(w io.Writer) bool {
	_, ok := terminalOf(w)
	return ok
}

// colors reports whether w is to be painted; see no-color.org.
func colors(w io.Writer) bool {
	return Terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// FormatFlag adds --format.
func FormatFlag(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVar(format, "format", "console", "console, or json for one document a pack on standard output")
}

// KnownFormat returns a usage error for a format that FormatFlag doesn't offer.
func KnownFormat(format string) error {
	if format != "console" && format != "json" {
		return Usage("--format %q: expected console or json", format)
	}
	return nil
}
