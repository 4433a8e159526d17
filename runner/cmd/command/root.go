package command

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/redact"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// app holds what every command shares.
type app struct {
	packs     packs.List
	servers   servers.List // of the packs
	in        io.Reader
	out, errs io.Writer
	dir       string // of a working copy; "" for what is embedded
	// secrets are replaced in everything that is printed.
	secrets *redact.Redactor
	// model is the language model of the server, which the kit plays; nil if it doesn't.
	model *provider.Provider
}

// door is the only way out of the program: what goes through has no secrets.
type door struct {
	app *app
	out io.Writer
}

func (d door) Write(p []byte) (int, error) { return d.app.secrets.Writer(d.out).Write(p) }

// run runs one command line and returns its exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	return newApp(packs.All(), everyServer()).run(ctx, args, in, out, errs)
}

// newApp makes the program for some packs and their servers.
func newApp(all packs.List, of servers.List) *app { return &app{packs: all, servers: of} }

// run runs one command line and returns its exit code.
func (a *app) run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	a.in = in
	a.out, a.errs = door{a, out}, door{a, errs}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(a.out)
	root.SetErr(a.errs)
	return a.exit(root.ExecuteContext(ctx))
}

func newRoot(a *app) *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:           "streamcert",
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
	root.AddCommand(newProbe(a))
	root.AddCommand(newServe(a))
	root.AddCommand(newLint(a))
	root.AddCommand(newExplain(a))
	root.AddCommand(newSteps(a))
	root.AddCommand(newMutants(a))
	root.AddCommand(newVariants(a))
	root.AddCommand(newIdle(a))
	root.AddCommand(newGolden(a))
	root.AddCommand(newSpec(a))
	root.AddCommand(newRelease(a))
	root.AddCommand(newDiff(a))
	root.AddCommand(newInit(a))
	root.AddCommand(newCompletion(a))
	completion{a}.register(root)
	return root
}

// files are the data folders: embedded, or those of --dir.
func (a *app) files() (pack.Files, error) {
	if a.dir == "" {
		return pack.Files{Spec: spec.FS, Schemas: schemas.FS, Features: features.FS, Golden: golden.FS, Sources: a.sources()}, nil
	}
	open := func(name string) (fs.FS, error) {
		path := filepath.Join(a.dir, name)
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			return nil, usage("--dir %s: there is no folder %s in it; expected a working copy with spec, schemas, features and golden", a.dir, name)
		}
		return os.DirFS(path), nil
	}
	files := pack.Files{Sources: a.sources()}
	for _, part := range []struct {
		name string
		into *fs.FS
	}{{"spec", &files.Spec}, {"schemas", &files.Schemas}, {"features", &files.Features}, {"golden", &files.Golden}} {
		fsys, err := open(part.name)
		if err != nil {
			return files, err
		}
		*part.into = fsys
	}
	return files, nil
}

// suite loads a pack. Its errors are mistakes in what was asked for or in the
// working copy.
func (a *app) suite(name string) (*pack.Suite, error) {
	files, err := a.files()
	if err != nil {
		return nil, err
	}
	suite, err := a.packs.Load(files, name)
	if err != nil {
		return nil, misused(err)
	}
	return suite, nil
}

// terminalOf is the file that is shown as it is written, if w is one.
func terminalOf(w io.Writer) (*os.File, bool) {
	if d, ok := w.(door); ok {
		w = d.out
	}
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

func terminal(w io.Writer) bool {
	_, ok := terminalOf(w)
	return ok
}

// colors says whether w is to be painted; see no-color.org.
func colors(w io.Writer) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// formatFlag adds --format.
func formatFlag(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVar(format, "format", "console", "console, or json for one document a pack on standard output")
}

func knownFormat(format string) error {
	if format != "console" && format != "json" {
		return usage("--format %q: expected console or json", format)
	}
	return nil
}
