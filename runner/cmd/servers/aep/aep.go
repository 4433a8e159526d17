package aep

import (
	_ "embed" // the list of altered servers
	"time"

	server "github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	target "github.com/streamcert/streamcert/runner/target/aep"
)

// Limits of servers: short and small enough to be reached, long enough for a busy machine.
const (
	streamTimeout = time.Second
	timeoutAgent  = "impatient" // the only agent whose streams are timed out so soon
	message       = 64 << 10
	requests      = 3
)

//go:embed altered.json
var list []byte

// Pack returns all that commands know of the servers of this pack.
func Pack() servers.Pack {
	return servers.Pack{
		Name:     "aep",
		Serves:   server.Serves,
		New:      func(s servers.Settings) servers.Server { return server.New(Options(s)) },
		Sections: sections,
		Altered:  list,
	}
}

// Options makes the options of a server. Who may read streams may send requests to agents.
func Options(s servers.Settings) server.Options {
	o := server.Options{ControlToken: s.Control, Heartbeat: s.Heartbeat, KnownHost: s.KnownHost}
	if s.Streams != nil {
		o.Threads, o.Actions = server.StoredThreads{Records: s.Streams}, server.NewStoredActions(s.Streams)
	}
	if s.Model != nil {
		o.Model = server.Modelled{Client: s.Model}
	}
	if s.Reader != "" {
		o.Principals = map[string]string{s.Reader: "reader"}
	}
	if s.Limited != "" {
		o.Principals[s.Other], o.Principals[s.Limited] = "other", "limited"
		o.Rates = map[string]server.Rate{"limited": {Requests: requests}}
		// Streams of the usual agent may take long: a busy machine is slow with them.
		o.MaxMessage, o.Timeouts = message, map[string]time.Duration{timeoutAgent: streamTimeout}
	}
	return o
}

// sections tell a config of the limits.
func sections(s servers.Settings) []any {
	if s.Limited == "" {
		return nil
	}
	return []any{&target.Config{
		Other: bearer(s.Other), Limited: bearer(s.Limited), Message: message, Requests: requests, StreamTimeout: streamTimeout,
		TimeoutAgent: timeoutAgent,
	}}
}

func bearer(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}
