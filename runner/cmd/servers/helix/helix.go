package helix

import (
	"fmt"
	"sync"

	"github.com/streamcert/streamcert/reference"
	server "github.com/streamcert/streamcert/reference/helix"
	idle "github.com/streamcert/streamcert/reference/idle/helix"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	variant "github.com/streamcert/streamcert/reference/variant/helix"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	target "github.com/streamcert/streamcert/runner/target/helix"
)

type options = reference.Options

// Pack is all that commands know of the servers of this pack.
func Pack() servers.Pack {
	return servers.Pack{
		Name:     "helix",
		New:      func(s servers.Settings) servers.Server { return server.New(reference.Defaults(of(s))) },
		Mutants:  servers.Mutants(mutant.Catalogue, mutant.Handler, of),
		Deep:     servers.Mutants(mutant.Deep, mutant.Handler, of),
		Variants: servers.Variants(variant.Catalogue, variant.Handler, of, func(v variant.Variant) []any { return []any{target.Config{Replay: v.Replays}} }),
		Idle:     servers.Idle(idle.Catalogue, idle.Handler, of),
	}
}

// validator is that of all servers of this process: each would load the schemas anew.
var validator = sync.OnceValue(func() func([]byte) error {
	validate, err := reference.NewValidator()
	if err != nil { // the schemas are compiled into the program
		panic(fmt.Errorf("reference server: %w", err))
	}
	return validate
})

// of makes the options of a server. Who may read is one, so that other readers and limits don't count.
func of(s servers.Settings) options {
	o := options{
		ReaderToken: s.Reader, ControlToken: s.Control, Heartbeat: s.Heartbeat, Validate: validator(), KnownHost: s.KnownHost, Store: s.Streams,
	}
	if s.Model != nil {
		o.Model = s.Model
	}
	return o
}
