package launch

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/runner/target"
)

// Program is the server of a config, killed and started again as often as the suite asks. Make it with Run. It is a
// target.Program.
type Program struct {
	cfg    target.Config
	output *tail // of every start

	mu       sync.Mutex
	server   *Server // nil after a kill
	died     string  // how the server ended by itself since it was started last; "" if it did not
	notified bool    // Died was called after the end
	death    func()  // called when it does
}

// Run starts the server of a config, as Start does.
func Run(ctx context.Context, cfg target.Config) (*Program, error) {
	p := &Program{cfg: cfg, output: &tail{}}
	return p, p.Start(ctx)
}

// Start implements target.Program.
func (p *Program) Start(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	server, err := launch(ctx, p.cfg, p.output)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			p.died, p.notified = "it was started again, and "+strings.TrimPrefix(e.Message, "launch: "), true
		}
		return err
	}
	p.server, p.died = server, ""
	go p.watch(server)
	return nil
}

// watch notes the end of a server that neither Kill nor Stop has ended.
func (p *Program) watch(server *Server) {
	<-server.ended
	p.mu.Lock()
	var death func()
	if p.server == server {
		p.died, p.notified, death = server.state(), false, p.death
	}
	p.mu.Unlock()
	if death != nil {
		death()
	}
}

// Kill implements target.Program. It sends no request to end first.
func (p *Program) Kill() error {
	server := p.taken()
	if server == nil {
		return errors.New("it doesn't run")
	}
	return server.kill()
}

// Stop ends the server as Server.Stop does, if it runs. An end that Died has reported is no error.
func (p *Program) Stop(ctx context.Context) error {
	p.mu.Lock()
	told := p.died != "" && p.notified
	p.mu.Unlock()
	server := p.taken()
	if server == nil {
		return nil
	}
	if err := server.Stop(ctx); err != nil && !told {
		return err
	}
	return nil
}

// taken returns the server, which belongs to the caller from then on; nil if it doesn't run.
func (p *Program) taken() *Server {
	p.mu.Lock()
	defer p.mu.Unlock()
	server := p.server
	p.server = nil
	return server
}

// Programs are the processes of one server, one for each of its addresses.
type Programs []*Program

// Stop ends all of them at once, as Program.Stop does, and returns the errors of each.
func (ps Programs) Stop(ctx context.Context) []error {
	var all sync.WaitGroup
	errs := make([]error, len(ps))
	for i, p := range ps {
		all.Go(func() { errs[i] = p.Stop(ctx) })
	}
	all.Wait()
	return errs
}

// Died returns how one of them ended by itself since its last start, such as "exit status 1"; "" while all run.
func (ps Programs) Died() string {
	for _, p := range ps {
		p.mu.Lock()
		died := p.died
		p.notified = p.notified || died != ""
		p.mu.Unlock()
		if died != "" {
			return died
		}
	}
	return ""
}

// OnDeath has f called, from another goroutine, whenever one of them ends by itself; nil ends that.
func (ps Programs) OnDeath(f func()) {
	for _, p := range ps {
		p.mu.Lock()
		p.death = f
		p.mu.Unlock()
	}
}

// Revive restarts those that have ended or, if none has, all of them. Errors are those of Start.
func (ps Programs) Revive(ctx context.Context) error {
	all := ps.Died() == ""
	for _, p := range ps {
		p.mu.Lock()
		again := all || p.died != ""
		p.mu.Unlock()
		if !again {
			continue
		}
		_ = p.Stop(ctx) // its remaining processes may use the port
		if err := p.Start(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Output returns the end of their output, over all starts, under the address of each if there are several.
func (ps Programs) Output() string {
	if len(ps) == 1 {
		return ps[0].output.String()
	}
	text := ""
	for _, p := range ps {
		text += "== " + p.cfg.URL + "\n" + p.output.String() + "\n"
	}
	return text
}
