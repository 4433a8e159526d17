package aep

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
)

// Mutant is a reference server that breaks one requirement.
type Mutant struct {
	Name        string   // what it does wrong, in kebab-case: "thread-per-request"
	Requirement string   // the id of what it breaks: "aep.threads.echoed"
	Summary     string   // one sentence, the bug as somebody would ship it
	Also        []string // ids of what it breaks by necessity, at most three
	// Stateful says that it misbehaves only in some state, such as on a thread's second request; an input of some kind is
	// no state.
	Stateful bool

	// Apply replaces options; nil replaces none. It is given options with every default filled in, once for each server,
	// so that state that it makes belongs to one server.
	Apply func(aep.Options) aep.Options
	// Wrap goes around the whole server; nil is nothing. It is called once for each server too.
	Wrap func(http.Handler) http.Handler
}

// Catalogue returns all mutants, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := slices.Concat(
		events(), requests(), threads(), flow(), stages(), content(), tools(), done(), errors_(), cancel(), actions(),
		http_(), wire(), security(),
	)
	slices.SortFunc(all, func(a, b Mutant) int {
		return cmp.Or(strings.Compare(a.Requirement, b.Requirement), strings.Compare(a.Name, b.Name))
	})
	return all
}

// Server is a broken server.
type Server struct {
	handler http.Handler
	inner   *aep.Handler
	closing context.Context
	close   context.CancelFunc
}

// ServeHTTP implements http.Handler. The context of a request ends with the server, so that no decorator outlives it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()
	s.handler.ServeHTTP(w, r.WithContext(ctx))
}

// Close ends every response that is open.
func (s *Server) Close() {
	s.inner.Close()
	s.close()
}

// Handler makes a server that is like the one that base describes but for the mutant's bug. Servers share no state,
// unless base brings threads or actions.
func (m Mutant) Handler(base aep.Options) *Server {
	o := base.WithDefaults()
	if m.Apply != nil {
		o = m.Apply(o)
	}
	s := &Server{inner: aep.New(o)}
	s.closing, s.close = context.WithCancel(context.Background())
	s.handler = s.inner
	if m.Wrap != nil {
		s.handler = m.Wrap(s.inner)
	}
	return s
}

// Seams names where the mutant sits: the options that it replaces, in lower case and in the order of their
// declaration, and "handler" if it goes around the server.
func (m Mutant) Seams() []string {
	var seams []string
	if m.Apply != nil {
		o := aep.Options{
			ControlToken: "control", Principals: map[string]string{"token": "name"}, Rates: map[string]aep.Rate{"name": {}},
		}.WithDefaults()
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
	case a.Kind() == reflect.Func, a.Kind() == reflect.Map:
		return a.Pointer() == b.Pointer()
	case a.Kind() == reflect.Interface:
		return a.Elem().Type() == b.Elem().Type() && (!a.Elem().Comparable() || a.Equal(b))
	}
	return a.Equal(b)
}
