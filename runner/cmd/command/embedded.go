package command

import (
	"cmp"
	"crypto/rand"
	"io"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/target"
)

// Embedded starts servers in this process: the reference, and any other for [Embedded.Start].
type Embedded struct {
	Config target.Config // of every server that it starts, without the URL

	servers  servers.List     // of all packs
	settings servers.Settings // of every server that it starts

	mu    sync.Mutex                  // guards fleet
	fleet map[string][]target.Replica // of the servers that run, by the URL of the first
}

// heartbeat is short enough to be waited for.
const heartbeat = 50 * time.Millisecond

func bearer(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}

// beginning is the prefix of all tokens, as with many issuers: the header of a JSON Web Token.
const beginning = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."

// NewEmbedded draws the tokens that this run's servers request.
func (a *App) NewEmbedded() *Embedded {
	reader, control := beginning+rand.Text(), rand.Text()
	settings := servers.Settings{Reader: reader, Control: control, Other: beginning + rand.Text(), Limited: beginning + rand.Text(), Heartbeat: heartbeat}
	e := &Embedded{
		servers: a.servers, settings: settings, fleet: map[string][]target.Replica{},
		Config: target.Config{
			Headers: bearer(reader), ControlToken: control, Timing: target.Timing{Heartbeat: heartbeat}, Sections: a.servers.Sections(settings),
		},
	}
	e.Config.Fleet = e.replicas
	return e
}

// Reference starts the reference server. It returns its URL and a function that stops it.
func (e *Embedded) Reference() (string, func(), error) {
	return e.Start(e.servers.Reference, 0)
}

// perServer is at how many addresses each server is served over one disk.
const perServer = 2

// Start serves a server at two addresses, with a new process state after each kill; the first begins at once. The server
// closes a connection that is unused for the given time, 0 for the default. Start returns the URL of the first address and
// a function that stops both.
func (e *Embedded) Start(begin func(servers.Settings) servers.Server, unused time.Duration) (string, func(), error) {
	first := restart.New(func(streams store.Store) restart.Server {
		s := e.settings
		s.Streams = streams
		return begin(s)
	})
	var fleet []target.Replica
	var stops []func()
	stop := func() {
		for _, s := range stops {
			s()
		}
	}
	for host := first; len(fleet) < perServer; host = first.NewReplica() {
		stops = append(stops, host.Close)
		server, err := listenIdle("127.0.0.1:0", host, cmp.Or(unused, idle), io.Discard)
		if err != nil {
			stop()
			return "", nil, err
		}
		stops = append(stops, server.stop)
		fleet = append(fleet, target.Replica{URL: server.URL, Program: host})
	}
	url := fleet[0].URL
	e.mu.Lock()
	defer e.mu.Unlock()
	e.fleet[url] = fleet
	return url, func() {
		stop()
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.fleet, url)
	}, nil
}

// replicas returns the addresses of the server of a URL, each with something that can be killed.
func (e *Embedded) replicas(url string) []target.Replica {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.fleet[url]
}
