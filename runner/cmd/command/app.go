package command

import (
	"cmp"
	"context"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/redact"
)

// Program describes one of the two programs. Only streamcert-lab has all fields: streamcert hands a call that needs a nil
// one over to the lab.
type Program struct {
	Name     string                        // as it is typed
	Commands func(*App) []*cobra.Command   // in addition to those of every program
	Altered  func(kind, pack string) Begin // of serve --mutant and --variant: constructors of the servers, by name
	Open     OpenStore                     // of --store
}

// Begin contains constructors of servers, by the name of the server.
type Begin map[string]func(servers.Settings) servers.Server

// OpenStore opens a store of streams at a URL, which stores each for the retention after it has finished. Warnings about
// the store are lines of warn.
type OpenStore func(ctx context.Context, url string, retention time.Duration, warn io.Writer) (Store, error)

// Store keeps streams until it is closed.
type Store interface {
	store.Store
	io.Closer
}

// The kinds of altered servers that serve starts.
const (
	Mutant  = "mutant"
	Variant = "variant"
)

// App is the state that all commands share.
type App struct {
	program   Program      // with the commands that only it has
	packs     packs.List   // every pack of the build
	servers   servers.List // of the packs
	args      []string     // of this call
	in        io.Reader    // standard input
	out, errs io.Writer    // standard output and standard error, without secrets
	dir       string       // of a working copy; "" for the embedded files
	// secrets are replaced in everything that is printed.
	secrets *redact.Redactor
	// model is the language model of the server, which the kit plays; nil if it doesn't.
	model *provider.Provider
	// server is the server under test where the config launches it; nil where it doesn't.
	server certify.Server
	// orderly: the command ends by itself soon after an interrupt, and has reports to write or a server to stop before.
	orderly atomic.Bool
}

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

// door redacts all output of the program.
type door struct {
	app *App
	out io.Writer // behind the redaction
}

func (d door) Write(p []byte) (int, error) { return d.app.secrets.Writer(d.out).Write(p) }

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
