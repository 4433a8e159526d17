package target

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/streamcert/streamcert/runner/target/config"
)

// Replica is a server that runs several times over one store, at one of its addresses.
type Replica struct {
	URL     string
	Program Program // nil where the suite may not kill it
}

// replica is where requests to one of the addresses begin.
type replica struct {
	base    string // without a slash at its end
	program Program
}

// ErrOneAddress is the error for requests to a replica when the config has only one address.
var ErrOneAddress = errors.New("the config names one address of the server and not several over one store (targets)")

// IsReplicated returns nil if the target has several addresses, otherwise ErrOneAddress.
func (t *Target) IsReplicated() error {
	if len(t.replicas) < 2 {
		return ErrOneAddress
	}
	return nil
}

// Replicas returns the number of addresses the target has.
func (t *Target) Replicas() int { return len(t.replicas) }

// newReplicas returns the addresses of a config, the first of them target.url.
func newReplicas(cfg Config) ([]replica, error) {
	all := []Replica{{URL: cfg.URL}}
	if cfg.Fleet != nil {
		if fleet := cfg.Fleet(cfg.URL); len(fleet) > 0 {
			all = fleet
		}
	}
	for i, url := range cfg.Targets {
		if i > 0 {
			all = append(all, Replica{URL: url})
		}
	}
	var out []replica
	for _, r := range all {
		base, err := config.ParseBase(r.URL)
		if err != nil {
			return nil, fmt.Errorf("target url: %w", err)
		}
		out = append(out, replica{strings.TrimSuffix(base.String(), "/"), r.Program})
	}
	return out, nil
}

// address is which replica of its target a session asks.
type address struct {
	target  *Target
	ctx     context.Context // of the session
	replica atomic.Int32    // counted from 0
}

// TurnTo sends every request from now on to a replica, counted from 1. A session begins at the first. The error is
// ErrOneAddress, or names a replica that there isn't.
func (a *address) TurnTo(replica int) error {
	if err := a.target.IsReplicated(); err != nil {
		return err
	}
	if err := a.target.has(replica); err != nil {
		return err
	}
	a.replica.Store(int32(replica - 1))
	return nil
}

// KillReplica kills one replica, counted from 1, and closes the session's connections to it. It starts again at the end of
// the session. The error is ErrOneAddress or ErrNoProgram, or reports that the replica is still running.
func (s *Session) KillReplica(replica int) error {
	if err := s.target.IsReplicated(); err != nil {
		return err
	}
	if err := s.target.has(replica); err != nil {
		return err
	}
	if err := s.target.MayBeKilled(); err != nil {
		return err
	}
	return s.kill(replica - 1)
}

// has returns an error if there is no replica of a number.
func (t *Target) has(replica int) error {
	if replica < 1 || replica > len(t.replicas) {
		return fmt.Errorf("there is no replica %d, of %d", replica, len(t.replicas))
	}
	return nil
}

// base begins the address of every request of the session now.
func (a *address) base() string { return a.target.replicas[a.replica.Load()].base }

// ofReplica is the context key of the replica that receives requests.
type ofReplica struct{}

// at returns the session's context for requests to a replica, counted from 1; 0 is the current one.
func (a *address) at(replica int) context.Context {
	if replica == 0 {
		return a.ctx
	}
	return context.WithValue(a.ctx, ofReplica{}, a.target.replicas[replica-1].base)
}

// baseOf begins the address of a request that is made in a context.
func (a *address) baseOf(ctx context.Context) string {
	if base, ok := ctx.Value(ofReplica{}).(string); ok {
		return base
	}
	return a.base()
}

// addresses returns the addresses of all replicas, the first one first.
func (c Config) addresses() []string { return append([]string{c.URL}, c.Targets...) }

// validateTargets checks the addresses of replicas.
func (c Config) validateTargets(pathValues config.Positions) error {
	if !pathValues.Has("targets") {
		return nil
	}
	at := pathValues.Of("targets")
	if len(c.Targets) < 2 {
		return at.Errorf("targets must be a list of at least two addresses; target.url is for one")
	}
	for _, url := range c.Targets {
		if _, err := config.ParseBase(url); err != nil {
			return at.Errorf("targets: %v", err)
		}
	}
	if c.URL != c.Targets[0] {
		return at.Errorf("targets must begin with target.url, %s; it begins with %s", c.URL, c.Targets[0])
	}
	return nil
}
