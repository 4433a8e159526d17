package mutant

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
)

// Mutant is a reference server that breaks one requirement.
type Mutant struct {
	Name        string   // what it does wrong, in kebab-case: "inclusive-resume"
	Requirement string   // the id of what it breaks: "helix.resume.after-cursor"
	Summary     string   // one sentence, the bug as somebody would ship it
	Also        []string // ids of what it breaks by necessity, at most three
	// Stateful says that it misbehaves only in some state, such as on the second connection, across 9→10 or after a
	// cleanup; an input of some kind is no state.
	Stateful bool

	// Apply replaces options; nil replaces none. It is given options with every default filled in, once for each server,
	// so that state that it makes belongs to one server.
	Apply func(reference.Options) reference.Options
	// Wrap goes around the whole server; nil is nothing. It is called once for each server too.
	Wrap func(http.Handler) http.Handler
}

// Catalogue returns all mutants, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := slices.Concat(
		chunks(), lifecycle(), ordering(), wire(), http_(), errors_(), resume(), truncation(), status(), security(),
		snapshot(), runText(), runThinking(), runTools(), runApproval(), runCustom(), runOutput(), runErrors(),
		runSubagents(), runState(), runRuns(), runCheckpoints(), runResync(),
	)
	slices.SortFunc(all, func(a, b Mutant) int {
		return cmp.Or(strings.Compare(a.Requirement, b.Requirement), strings.Compare(a.Name, b.Name))
	})
	return all
}

// Server is a broken server.
type Server struct {
	http.Handler
	inner *reference.Server
}

// Close ends every response that is open.
func (s *Server) Close() { s.inner.Close() }

// Handler makes a server that is like the one that base describes but for the mutant's bug. Servers share no state,
// unless base brings a store. Whoever makes many had better bring a Validate, too: the default loads the schemas anew.
func (m Mutant) Handler(base reference.Options) *Server {
	o := reference.Defaults(base)
	if m.Apply != nil {
		o = m.Apply(o)
	}
	s := &Server{inner: reference.New(o)}
	s.Handler = s.inner
	if m.Wrap != nil {
		s.Handler = m.Wrap(s.inner)
	}
	return s
}

// Seams names where the mutant sits: the options that it replaces, in lower case and in the order of their
// declaration, and "handler" if it goes around the server.
func (m Mutant) Seams() []string {
	var seams []string
	if m.Apply != nil {
		o := reference.Defaults(reference.Options{
			Validate:    func([]byte) error { return nil }, // the default takes its time to load
			ReaderToken: "reader", ControlToken: "control", // so that taking one away shows
		})
		before, after := reflect.ValueOf(o), reflect.ValueOf(m.Apply(o))
		for i := range before.NumField() {
			if !same(before.Field(i), after.Field(i)) {
				seams = append(seams, strings.ToLower(before.Type().Field(i).Name))
			}
		}
	}
	if m.Wrap != nil {
		seams = append(seams, "handler")
	}
	return seams
}

// same compares two values of one option. Functions can't be compared; their code can, and a decorator's code is never
// that of a default.
func same(a, b reflect.Value) bool {
	switch {
	case a.Kind() == reflect.Func:
		return a.Pointer() == b.Pointer()
	case a.Kind() == reflect.Interface:
		return a.Elem().Type() == b.Elem().Type() && (!a.Elem().Comparable() || a.Equal(b))
	}
	return a.Equal(b)
}
