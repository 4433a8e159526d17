package command

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/runner/cmd/servers"
)

// Program tells the two programs apart. What is nil is in streamcert-lab alone: streamcert hands a call that needs it over
// to the lab.
type Program struct {
	Name     string                        // as it is typed
	Commands func(*App) []*cobra.Command   // beside those of every program
	Altered  func(kind, pack string) Begin // of serve --mutant and --variant: what begins each server, by name
	Open     OpenStore                     // of --store
}

// Begin holds what makes a server, by the name of the server.
type Begin map[string]func(servers.Settings) servers.Server

// OpenStore opens what keeps streams at a URL, each for some time after it has finished. Warnings about the store are lines
// of warn.
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
