package command

import (
	"cmp"
	"crypto/rand"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/lives"
	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/target"
)

// entries are what a catalogue says of its servers; nothing starts them.
func entries[T prove.Mutant | prove.Variant | prove.IdleServer](catalogue []servers.Entry[T]) []T {
	var out []T
	for _, e := range catalogue {
		out = append(out, e.Of)
	}
	return out
}

// embedded starts servers of this process: the reference, and the mutants of it.
type embedded struct {
	servers  servers.List
	settings servers.Settings
	config   target.Config // without the URL

	mu    sync.Mutex
	fleet map[string][]target.Replica // of the servers that run, by the URL of the first
}

// heartbeat is short enough to be waited for.
const heartbeat = 50 * time.Millisecond

func bearer(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}

// beginning is how all tokens begin, as those of many issuers do: with the header of a JSON Web Token.
const beginning = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."

// newEmbedded makes up the tokens that this run's servers ask for.
func (a *app) newEmbedded() *embedded {
	reader, control := beginning+rand.Text(), rand.Text()
	settings := servers.Settings{Reader: reader, Control: control, Other: beginning + rand.Text(), Limited: beginning + rand.Text(), Heartbeat: heartbeat}
	e := &embedded{
		servers: a.servers, settings: settings, fleet: map[string][]target.Replica{},
		config: target.Config{
			Headers: bearer(reader), ControlToken: control, Timing: target.Timing{Heartbeat: heartbeat}, Sections: a.servers.Sections(settings),
		},
	}
	e.config.Fleet = e.replicas
	return e
}

// reference starts the server without a fault.
func (e *embedded) reference() (string, func(), error) {
	return e.started(e.servers.Reference, idle)
}

// mutants is the catalogue of a pack, each with what starts it.
func (e *embedded) mutants(pack string) []prove.Mutant { return e.startable(e.servers.Mutants(pack)) }

// deep is that of its deep mutants, of those that were put aside or of the others.
func (e *embedded) deep(aside bool) func(pack string) []prove.Mutant {
	return func(pack string) []prove.Mutant {
		return slices.DeleteFunc(e.startable(e.servers.Deep(pack)), func(m prove.Mutant) bool { return m.Aside != aside })
	}
}

func (e *embedded) startable(catalogue []servers.Entry[prove.Mutant]) []prove.Mutant {
	var out []prove.Mutant
	for _, s := range catalogue {
		s.Of.Start = func() (string, func(), error) { return e.started(s.New, s.Unused) }
		out = append(out, s.Of)
	}
	return out
}

// variants is the servers of a pack that are right in their own way, each with what starts it.
func (e *embedded) variants(pack string) []prove.Variant {
	var out []prove.Variant
	for _, s := range e.servers.Variants(pack) {
		s.Of.Start = func() (string, func(), error) { return e.started(s.New, s.Unused) }
		out = append(out, s.Of)
	}
	return out
}

// idle is the servers of a pack that never show some of it, each with what starts it.
func (e *embedded) idle(pack string) []prove.IdleServer {
	var out []prove.IdleServer
	for _, s := range e.servers.Idle(pack) {
		s.Of.Start = func() (string, func(), error) { return e.started(s.New, s.Unused) }
		out = append(out, s.Of)
	}
	return out
}

// perServer is at how many addresses each server is served over one disk.
const perServer = 2

// started serves one life of a server after the other, at two addresses; the first begins at once. It keeps unused
// connections as long as it says, 0 for the default.
func (e *embedded) started(begin func(servers.Settings) servers.Server, unused time.Duration) (string, func(), error) {
	first := lives.New(func(streams store.Store) lives.Server {
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
	for host := first; len(fleet) < perServer; host = first.Beside() {
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

// replicas are the addresses of the server of a URL, each with something that can be killed.
func (e *embedded) replicas(url string) []target.Replica {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.fleet[url]
}
