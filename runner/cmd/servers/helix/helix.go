package helix

import (
	_ "embed" // the list of altered servers
	"fmt"
	"sync"

	"github.com/streamcert/streamcert/reference"
	server "github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/runner/cmd/servers"
)

type options = reference.Options

//go:embed altered.json
var list []byte

// Pack returns all that commands know of the servers of this pack.
func Pack() servers.Pack {
	return servers.Pack{
		Name:    "helix",
		New:     func(s servers.Settings) servers.Server { return server.New(reference.Defaults(Options(s))) },
		Altered: list,
	}
}

// validator is shared by all servers of this process: each would load the schemas again.
var validator = sync.OnceValue(func() func([]byte) error {
	validate, err := reference.NewValidator()
	if err != nil { // the schemas are compiled into the program
		panic(fmt.Errorf("reference server: %w", err))
	}
	return validate
})

// Options makes the options of a server. Who may read is one, so that other readers and limits don't count.
func Options(s servers.Settings) options {
	o := options{
		ReaderToken: s.Reader, ControlToken: s.Control, Heartbeat: s.Heartbeat, Validate: validator(), KnownHost: s.KnownHost, Store: s.Streams,
	}
	if s.Model != nil {
		o.Model = s.Model
	}
	return o
}
