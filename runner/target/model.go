package target

import (
	"iter"
	"maps"
	"slices"

	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/record"
)

// Model is the language model of the server, which the kit plays; nil if it doesn't.
func (t *Target) Model() *provider.Provider { return t.cfg.Model.Player }

// ModelConfig is what the config says of it, the zero value where the kit plays no model.
func (t *Target) ModelConfig() Model { return t.cfg.Model }

// Scripts reports whether the suite may use the control binding.
func (t *Target) Scripts() bool { return !t.cfg.Model.Only }

// unasked is an answer that nobody asked for, because the config says so.
func unasked(call string) *UnavailableError {
	return &UnavailableError{Call: call, Reason: call + " belongs to the control binding, which the config leaves out (model.only)"}
}

// Beyond says that a model can't do what a script asks for.
type Beyond struct{ What string }

func (b *Beyond) Error() string { return "a model can't provoke " + b.What }

// BeyondTools is what a script asks for whose tools come to what it says, where the server's tools don't ask the kit.
func BeyondTools() *Beyond {
	return &Beyond{What: "a tool of the script's, because the server's tools don't ask the kit (model.tools)"}
}

// Unmodelled says that the model can't provoke something, and that the control binding may not.
func Unmodelled(what string) error {
	return &UnavailableError{Call: what, Reason: "a model can't provoke " + what + ", and the config leaves out the control binding (model.only)"}
}

// Play keeps a script for the model until the session ends, and returns the name that its marker has.
func (s *Session) Play(script provider.Script) string {
	name := s.target.Model().Add(s.target.opt.Prefix, script)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts = append(s.scripts, name)
	return name
}

// Plays notes which script a request has the model play.
func (s *Session) Plays(e *Exchange, script string) {
	for of := range s.outwards() {
		of.modelled.Store(true)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.played == nil {
		s.played = map[*Exchange]string{}
	}
	s.played[e] = script
}

// PlayedBy is the script that the model plays for a request, "" for none.
func (s *Session) PlayedBy(e *Exchange) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.played[e]
}

// forgetScripts drops the scripts of the session.
func (s *Session) forgetScripts() {
	s.mu.Lock()
	scripts := slices.Clone(s.scripts)
	s.mu.Unlock()
	for _, name := range scripts {
		s.target.Model().Forget(name)
	}
}

// ofSession is the key of a session in its context.
type ofSession struct{}

// outwards are the session and those in whose contexts it began, one in the other.
func (s *Session) outwards() iter.Seq[*Session] {
	return func(yield func(*Session) bool) {
		for of := s; of != nil && yield(of); of = of.parent {
		}
	}
}

// byControl notes that the control binding is used.
func (s *Session) byControl() {
	for of := range s.outwards() {
		of.scripted.Store(true)
	}
}

// Provoked reports by what means the session provoked the server: by its model, and by the control binding. What
// sessions do that begin in its context counts too.
func (s *Session) Provoked() (modelled, scripted bool) { return s.modelled.Load(), s.scripted.Load() }

// Submit makes a request that starts something and is answered with a document that isn't certified. path is below the base
// URL. An error means that no answer came.
func (s *Session) Submit(method, path string, headers map[string]string, body []byte) (*Exchange, error) {
	e := s.newExchange(record.Control)
	s.add(e)
	sent := map[string]string{"Content-Type": "application/json"}
	maps.Copy(sent, headers)
	return e, s.callWith(s.ctx, e, method, path, sent, body, nil)
}
