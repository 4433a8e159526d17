package launch

import (
	"context"
	"errors"
	"sync"

	"github.com/streamcert/streamcert/runner/target"
)

// Program is the server of a config, killed and started again as often as the suite asks. Make it with Run. It is a
// target.Program.
type Program struct {
	cfg target.Config

	mu     sync.Mutex
	server *Server // nil after a kill
}

// Run starts the server of a config, as Start does.
func Run(ctx context.Context, cfg target.Config) (*Program, error) {
	p := &Program{cfg: cfg}
	return p, p.Start(ctx)
}

// Start implements target.Program.
func (p *Program) Start(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	server, err := Start(ctx, p.cfg)
	if err != nil {
		return err
	}
	p.server = server
	return nil
}

// Kill implements target.Program. The server isn't asked first.
func (p *Program) Kill() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil {
		return errors.New("it doesn't run")
	}
	server := p.server
	p.server = nil
	return server.kill()
}

// Stop ends the server as Server.Stop does, if it runs.
func (p *Program) Stop() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil {
		return nil
	}
	return p.server.Stop()
}
