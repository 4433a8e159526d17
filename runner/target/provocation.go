package target

import (
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/runner/provider"
)

// provocation records the means by which a session provokes the server.
type provocation struct {
	player             *provider.Provider // of the run; nil where the suite plays no model
	prefix             string             // of the run
	parent             *provocation       // of the session in whose context this one began; nil for none
	modelled, scripted atomic.Bool        // by its model, and by the control binding
	lost               atomic.Bool        // a call met a connection that the server was closing

	mu      sync.Mutex           // guards all below
	scripts []string             // that the model plays
	played  map[*Exchange]string // the script of each exchange that the model plays; nil before the first
	// refusedUntil is when the last request that the server refused for now is sent again, zero for none. The outermost has it.
	refusedUntil time.Time
}

// Play keeps a script for the model until the session ends, and returns the name that its marker has.
func (p *provocation) Play(script provider.Script) string {
	name := p.player.Add(p.prefix, script)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scripts = append(p.scripts, name)
	return name
}

// Plays notes which script a request has the model play.
func (p *provocation) Plays(e *Exchange, script string) {
	for of := range p.outwards() {
		of.modelled.Store(true)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.played == nil {
		p.played = map[*Exchange]string{}
	}
	p.played[e] = script
}

// PlayedBy returns the script that the model plays for a request, "" for none.
func (p *provocation) PlayedBy(e *Exchange) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.played[e]
}

// forgetScripts drops the scripts of the session.
func (p *provocation) forgetScripts() {
	p.mu.Lock()
	scripts := slices.Clone(p.scripts)
	p.mu.Unlock()
	for _, name := range scripts {
		p.player.Forget(name)
	}
}

// ofSession is the key of a session in its context.
type ofSession struct{}

// outwards returns that of the session and those of the sessions in whose contexts it began, one in the other.
func (p *provocation) outwards() iter.Seq[*provocation] {
	return func(yield func(*provocation) bool) {
		for of := p; of != nil && yield(of); of = of.parent {
		}
	}
}

// outermost returns the provocation of the session in which the scenario began.
func (p *provocation) outermost() *provocation {
	for p.parent != nil {
		p = p.parent
	}
	return p
}

// byControl notes that the control binding is used.
func (p *provocation) byControl() {
	for of := range p.outwards() {
		of.scripted.Store(true)
	}
}

// Provoked reports by which means the session provoked the server: its model, and the control binding. It includes the
// sessions that began in its context.
func (p *provocation) Provoked() (modelled, scripted bool) {
	return p.modelled.Load(), p.scripted.Load()
}

// Lost reports whether a call met a connection that the server was closing because it was idle. It is unknown whether the
// server received the call, so it isn't repeated; the complete scenario can be repeated, on new streams.
func (p *provocation) Lost() bool { return p.lost.Load() }

// refusedFor notes that a request of the scenario waits because the server refused it for now.
func (p *provocation) refusedFor(wait time.Duration) {
	scenario := p.outermost()
	scenario.mu.Lock()
	defer scenario.mu.Unlock()
	if until := time.Now().Add(wait); until.After(scenario.refusedUntil) {
		scenario.refusedUntil = until
	}
}

// behindRefused returns how much longer a wait may last because another request of the scenario was refused during it: the
// event may depend on that request. The wait gets its full duration again from the time at which the request is repeated.
func (p *provocation) behindRefused(since, by time.Time) time.Duration {
	scenario := p.outermost()
	scenario.mu.Lock()
	defer scenario.mu.Unlock()
	if !scenario.refusedUntil.After(since) {
		return 0
	}
	return time.Until(scenario.refusedUntil.Add(by.Sub(since)))
}
