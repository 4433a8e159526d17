package target

import (
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/record"
)

// Model returns the language model of the server, which the kit plays; nil if it doesn't.
func (t *Target) Model() *provider.Provider { return t.cfg.Model.Player }

// ModelConfig returns the config's section model; its zero value if the suite plays no model.
func (t *Target) ModelConfig() Model { return t.cfg.Model }

// Scripts reports whether the suite may use the control binding.
func (t *Target) Scripts() bool { return !t.cfg.Model.Only }

// ControlLeftOut ends every reason that the control binding would remove.
const ControlLeftOut = "the config leaves out the control binding (model.only)"

// unasked returns the error of a call that isn't sent because the config excludes it.
func unasked(call string) *UnavailableError {
	return &UnavailableError{Call: call, Reason: call + " belongs to the control binding, and " + ControlLeftOut}
}

// Beyond is the error for a script that a model can't perform.
type Beyond struct{ What string }

func (b *Beyond) Error() string { return "a model can't provoke " + b.What }

// BeyondTools returns the error for a script that specifies the results of tools, when the server's tools don't request
// their results from the suite.
func BeyondTools() *Beyond {
	return &Beyond{What: "a tool of the script's, because the server's tools don't ask the kit (model.tools)"}
}

// Unmodelled reports that the model can't provoke something, and that the control binding may not.
func Unmodelled(what string) error {
	return &UnavailableError{Call: what, Reason: "a model can't provoke " + what + ", and " + ControlLeftOut}
}

// provocation records the means by which a session provokes the server.
type provocation struct {
	target             *Target
	parent             *provocation // of the session in whose context this one began; nil for none
	modelled, scripted atomic.Bool  // by its model, and by the control binding
	lost               atomic.Bool  // a call met a connection that the server was closing

	mu      sync.Mutex
	scripts []string // that the model plays
	played  map[*Exchange]string
	// refusedUntil is when the last request that the server refused for now is sent again, zero for none. The outermost has it.
	refusedUntil time.Time
}

// Play keeps a script for the model until the session ends, and returns the name that its marker has.
func (p *provocation) Play(script provider.Script) string {
	name := p.target.Model().Add(p.target.opt.Prefix, script)
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
		p.target.Model().Forget(name)
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

// Submit makes a request that starts something and is answered with a document that isn't certified. path is below the base
// URL. An error means that no answer came.
func (s *Session) Submit(method, path string, headers map[string]string, body []byte) (*Exchange, error) {
	e := s.newExchange(record.Control)
	s.add(e)
	sent := map[string]string{"Content-Type": "application/json"}
	maps.Copy(sent, headers)
	return e, unary{Exchange: e, session: s, headers: sent, body: body}.send(s.ctx, method, path)
}
