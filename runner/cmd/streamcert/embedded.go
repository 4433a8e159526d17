package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/mutant"
	aepmutant "github.com/streamcert/streamcert/reference/mutant/aep"
	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/target"
)

// embedded starts servers of this process: the reference, and the mutants of it.
type embedded struct {
	options reference.Options
	agents  aep.Options
	config  target.Config // without the URL
}

// What embedded servers are limited to: short and small enough to be waited for
// and to be exceeded, long enough for a busy machine.
const (
	heartbeat     = 50 * time.Millisecond
	streamTimeout = time.Second
	message       = 64 << 10
	requests      = 3
)

// newEmbedded makes up the tokens that this run's servers ask for.
func newEmbedded() (*embedded, error) {
	validate, err := reference.NewValidator()
	if err != nil {
		return nil, fmt.Errorf("loading the schemas of the reference server: %w", err)
	}
	reader, other, limited, control := rand.Text(), rand.Text(), rand.Text(), rand.Text()
	bearer := func(token string) map[string]string { return map[string]string{"Authorization": "Bearer " + token} }
	return &embedded{
		options: reference.Options{ReaderToken: reader, ControlToken: control, Heartbeat: heartbeat, Validate: validate},
		agents: aep.Options{
			Principals: map[string]string{reader: "reader", other: "other", limited: "limited"},
			Rates:      map[string]aep.Rate{"limited": {Requests: requests}},
			MaxMessage: message, Timeout: streamTimeout, Heartbeat: heartbeat, ControlToken: control,
		},
		config: target.Config{
			Headers: bearer(reader), ControlToken: control, Timing: target.Timing{Heartbeat: heartbeat},
			AEP: target.AEP{
				Other: bearer(other), Limited: bearer(limited), Message: message, Requests: requests, StreamTimeout: streamTimeout,
			},
		},
	}, nil
}

// patient gives streams the time that several runs side by side need.
func (e *embedded) patient() {
	e.agents.Timeout = 8 * streamTimeout
	e.config.AEP.StreamTimeout = e.agents.Timeout
}

// reference starts the server without a fault.
func (e *embedded) reference() (string, func(), error) {
	return started(reference.NewWithAgents(e.options, e.agents))
}

// catalogue is the mutants of a pack, each with what starts it.
func (e *embedded) catalogue(pack string) []runner.Mutant {
	out := described(pack)
	if pack == "aep" {
		for i, m := range aepmutant.Catalogue() {
			out[i].Start = func() (string, func(), error) { return started(m.Handler(e.agents)) }
		}
		return out
	}
	for i, m := range mutant.Catalogue() {
		out[i].Start = func() (string, func(), error) { return started(m.Handler(e.options)) }
	}
	return out
}

func started(h closer) (string, func(), error) {
	server, err := listen("127.0.0.1:0", h, io.Discard)
	if err != nil {
		h.Close()
		return "", nil, err
	}
	return server.URL, func() { h.Close(); server.stop() }, nil
}
