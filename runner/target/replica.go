package target

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/streamcert/streamcert/runner/target/config"
)

// replica is one of the addresses of a server.
type replica struct {
	base    string  // without a slash at its end
	program Program // nil where the suite may not kill it
}

// fleet are the addresses of a target. Only the first of a server that runs once exists.
type fleet struct {
	replicas []replica // at least one; the programs are set before the first session begins
}

// ErrOneAddress is the error for requests to a replica when the config has only one address.
var ErrOneAddress = errors.New("the config names one address of the server and not several over one store (targets)")

// IsReplicated returns nil if the target has several addresses, otherwise ErrOneAddress.
func (f *fleet) IsReplicated() error {
	if len(f.replicas) < 2 {
		return ErrOneAddress
	}
	return nil
}

// Replicas returns the number of addresses the target has.
func (f *fleet) Replicas() int { return len(f.replicas) }

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

// address selects the replica of its target that a session sends requests to.
type address struct {
	fleet   *fleet          // of the target
	ctx     context.Context // of the session
	replica atomic.Int32    // counted from 0
}

// TurnTo sends every request from now on to a replica, counted from 1. A session begins at the first. The error is
// ErrOneAddress, or names a replica that there isn't.
func (a *address) TurnTo(replica int) error {
	if err := a.fleet.IsReplicated(); err != nil {
		return err
	}
	if err := a.fleet.has(replica); err != nil {
		return err
	}
	a.replica.Store(int32(replica - 1))
	return nil
}

// has returns an error if there is no replica of a number.
func (f *fleet) has(replica int) error {
	if replica < 1 || replica > len(f.replicas) {
		return fmt.Errorf("there is no replica %d, of %d", replica, len(f.replicas))
	}
	return nil
}

// base begins the address of every request of the session now.
func (a *address) base() string { return a.fleet.replicas[a.replica.Load()].base }

// ofReplica is the context key of the replica that receives requests.
type ofReplica struct{}

// at returns the session's context for requests to a replica, counted from 1; 0 is the current one.
func (a *address) at(replica int) context.Context {
	if replica == 0 {
		return a.ctx
	}
	return context.WithValue(a.ctx, ofReplica{}, a.fleet.replicas[replica-1].base)
}

// baseOf begins the address of a request that is made in a context.
func (a *address) baseOf(ctx context.Context) string {
	if base, ok := ctx.Value(ofReplica{}).(string); ok {
		return base
	}
	return a.base()
}

// ErrNoProgram is the error of a kill when the config doesn't allow one.
var ErrNoProgram = errors.New("the config doesn't say that the suite may kill the server and start it again (launch.kill)")

// RunsAs sets the programs of the target, one for each of its addresses. It is called before the first session begins.
func (f *fleet) RunsAs(programs ...Program) {
	for i, p := range programs {
		f.replicas[i].program = p
	}
}

// MayBeKilled returns nil if the target can be killed and started again, otherwise an error with the reason.
func (f *fleet) MayBeKilled() error {
	if slices.ContainsFunc(f.replicas, func(r replica) bool { return r.program == nil }) {
		return ErrNoProgram
	}
	return nil
}
