package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/mutant"
	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/target"
)

// embedded starts servers of this process: the reference, and the mutants of it.
type embedded struct {
	options reference.Options
	config  target.Config // without the URL
}

// heartbeat of embedded servers: short enough to be waited for.
const heartbeat = 50 * time.Millisecond

// newEmbedded makes up the tokens that this run's servers ask for.
func newEmbedded() (*embedded, error) {
	validate, err := reference.NewValidator()
	if err != nil {
		return nil, fmt.Errorf("loading the schemas of the reference server: %w", err)
	}
	reader, control := rand.Text(), rand.Text()
	return &embedded{
		options: reference.Options{ReaderToken: reader, ControlToken: control, Heartbeat: heartbeat, Validate: validate},
		config: target.Config{
			Headers: map[string]string{"Authorization": "Bearer " + reader}, ControlToken: control,
			Timing: target.Timing{Heartbeat: heartbeat},
		},
	}, nil
}

// reference starts the server without a fault.
func (e *embedded) reference() (string, func(), error) { return started(reference.New(e.options)) }

// catalogue is the mutants, each with what starts it.
func (e *embedded) catalogue() []runner.Mutant {
	out := described()
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
