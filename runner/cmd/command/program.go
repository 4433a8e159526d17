package command

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/runner/cmd/servers"
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
