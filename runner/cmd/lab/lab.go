package lab

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/reference/store/redis"
	"github.com/streamcert/streamcert/runner/cmd/altered"
	"github.com/streamcert/streamcert/runner/cmd/catalogues"
	"github.com/streamcert/streamcert/runner/cmd/command"
)

// Program is streamcert-lab with the altered servers of every pack of this build.
func Program() command.Program { return of(catalogues.All()) }

// of makes the program for some altered servers.
func of(servers altered.List) command.Program {
	return command.Program{
		Name:     "streamcert-lab",
		Commands: func(a *command.App) []*cobra.Command { return commands(&app{a, servers}) },
		Altered:  func(kind, pack string) command.Begin { return begins(servers, kind, pack) },
		Open:     open,
	}
}

func commands(a *app) []*cobra.Command {
	return []*cobra.Command{newDerived(a), newGolden(a), newIdle(a), newLint(a), newMutants(a), newRelease(a), newVariants(a)}
}

// begins returns the servers of a pack that serve --mutant or serve --variant may start.
func begins(servers altered.List, kind, pack string) command.Begin {
	out := command.Begin{}
	if kind == command.Variant {
		for _, v := range servers.Variants(pack) {
			out[v.Of.Name] = v.New
		}
		return out
	}
	for _, m := range slices.Concat(servers.Mutants(pack), servers.CampaignOnly(pack)) {
		out[m.Of.Name] = m.New
	}
	return out
}

// open opens the Redis that serve --store names.
func open(ctx context.Context, url string, retention time.Duration, warn io.Writer) (command.Store, error) {
	return redis.Open(ctx, url, redis.Options{Retention: retention, Warn: func(line string) {
		_, _ = fmt.Fprintln(warn, line) // the server runs without the warning, too
	}})
}
