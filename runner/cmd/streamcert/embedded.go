package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/target"
)

// closer is a server whose open responses can be ended.
type closer interface {
	http.Handler
	Close()
}

// alteration is an altered reference server: what a catalogue says of it, and what makes it.
type alteration[T prove.Mutant | prove.Variant | prove.IdleServer] struct {
	entry   T
	handler func(settings) closer
	unused  time.Duration // how long it keeps a connection that nobody uses
}

// alterations makes one of each entry of a catalogue.
func alterations[E any, T prove.Mutant | prove.Variant | prove.IdleServer](catalogue []E, alter func(E) alteration[T]) []alteration[T] {
	var out []alteration[T]
	for _, e := range catalogue {
		out = append(out, alter(e))
	}
	return out
}

// entries are what a catalogue says of its servers; nothing starts them.
func entries[T prove.Mutant | prove.Variant | prove.IdleServer](catalogue []alteration[T]) []T {
	var out []T
	for _, a := range catalogue {
		out = append(out, a.entry)
	}
	return out
}

// embedded starts servers of this process: the reference, and the mutants of it.
type embedded struct {
	settings settings
	config   target.Config // without the URL
}

// What embedded servers are limited to: short and small enough to be waited for
// and to be exceeded, long enough for a busy machine.
const (
	heartbeat     = 50 * time.Millisecond
	streamTimeout = time.Second
	timeoutAgent  = "impatient" // the only agent whose streams are timed out so soon
	message       = 64 << 10
	requests      = 3
)

func bearer(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}

// newEmbedded makes up the tokens that this run's servers ask for.
func newEmbedded() (*embedded, error) {
	validate, err := reference.NewValidator()
	if err != nil {
		return nil, fmt.Errorf("loading the schemas of the reference server: %w", err)
	}
	reader, control := rand.Text(), rand.Text()
	e := &embedded{
		settings: guarded(reader, control, heartbeat, validate, nil),
		config:   target.Config{Headers: bearer(reader), ControlToken: control, Timing: target.Timing{Heartbeat: heartbeat}},
	}
	e.settings.limit(&e.config, reader, rand.Text(), rand.Text())
	return e, nil
}

// reference starts the server without a fault.
func (e *embedded) reference() (string, func(), error) { return started(e.settings.reference(), idle) }

// mutants is the catalogue of a pack, each with what starts it.
func (e *embedded) mutants(pack string) []prove.Mutant { return e.startable(brokenServers()[pack]) }

// deep is that of its deep mutants, of those that were put aside or of the others.
func (e *embedded) deep(aside bool) func(pack string) []prove.Mutant {
	return func(pack string) []prove.Mutant {
		return slices.DeleteFunc(e.startable(deepServers()[pack]), func(m prove.Mutant) bool { return m.Aside != aside })
	}
}

func (e *embedded) startable(catalogue []alteration[prove.Mutant]) []prove.Mutant {
	var out []prove.Mutant
	for _, s := range catalogue {
		s.entry.Start = func() (string, func(), error) { return started(s.handler(e.settings), s.unused) }
		out = append(out, s.entry)
	}
	return out
}

// variants is the servers of a pack that are right in their own way, each with what starts it.
func (e *embedded) variants(pack string) []prove.Variant {
	var out []prove.Variant
	for _, s := range rightServers()[pack] {
		s.entry.Start = func() (string, func(), error) { return started(s.handler(e.settings), s.unused) }
		out = append(out, s.entry)
	}
	return out
}

// idle is the servers of a pack that never show some of it, each with what starts it.
func (e *embedded) idle(pack string) []prove.IdleServer {
	var out []prove.IdleServer
	for _, s := range idleServers()[pack] {
		s.entry.Start = func() (string, func(), error) { return started(s.handler(e.settings), s.unused) }
		out = append(out, s.entry)
	}
	return out
}

func started(h closer, unused time.Duration) (string, func(), error) {
	server, err := listenIdle("127.0.0.1:0", h, unused, io.Discard)
	if err != nil {
		h.Close()
		return "", nil, err
	}
	return server.URL, func() { h.Close(); server.stop() }, nil
}
