package helixui

import (
	_ "embed" // the list of altered servers
	server "github.com/streamcert/streamcert/reference/helix-ui"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	target "github.com/streamcert/streamcert/runner/target/helix-ui"
)

//go:embed altered.json
var list []byte

// Pack returns all that commands know of the servers of this pack.
func Pack() servers.Pack {
	return servers.Pack{
		Name: "helix-ui", Serves: server.Serves,
		New:      func(s servers.Settings) servers.Server { return server.New(Options(s)) },
		Sections: sections,
		Altered:  list,
	}
}

// sections returns the config of the second user.
func sections(s servers.Settings) []any {
	if s.Other == "" {
		return nil
	}
	return []any{&target.Config{Other: map[string]string{"Authorization": "Bearer " + s.Other}}}
}

// Options makes the options of a server. Who may read streams may send to chats.
func Options(s servers.Settings) server.Options {
	return server.Options{ControlToken: s.Control, Token: s.Reader, Other: s.Other, KnownHost: s.KnownHost, Model: s.Model}
}
