package aep

import (
	"context"
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/mutant"
)

// Mutant is a reference server that breaks one requirement.
type Mutant entry

type entry = mutant.Mutant[aep.Options]

// Catalogue returns all mutants, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := slices.Concat(
		events(), requests(), threads(), flow(), stages(), content(), tools(), done(), errors_(), cancel(), actions(),
		http_(), wire(), security(), wholes(),
	)
	slices.SortFunc(all, func(a, b Mutant) int { return mutant.Compare(entry(a), entry(b)) })
	return all
}

// Server is a broken server.
type Server struct {
	inner   *alter.Server
	closing context.Context
	close   context.CancelFunc
}

// ServeHTTP implements http.Handler. The context of a request ends with the server, so that no decorator outlives it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()
	s.inner.ServeHTTP(w, r.WithContext(ctx))
}

// Close ends every response that is open.
func (s *Server) Close() {
	s.inner.Close()
	s.close()
}

// Handler makes a server that is like the one that base describes but for the mutant's bug. Servers share no state,
// unless base brings threads or actions.
func (m Mutant) Handler(base aep.Options) *Server {
	o := entry(m).Applied(base.WithDefaults())
	s := &Server{inner: alter.NewServer(aep.New(o), m.Wrap)}
	s.closing, s.close = context.WithCancel(context.Background())
	return s
}

// Seams names the places where the mutant sits: the options that it replaces, in lower case and in the order of their
// declaration, and "handler" if it goes around the server.
func (m Mutant) Seams() []string {
	o := aep.Options{
		ControlToken: "control", Principals: map[string]string{"token": "name"}, Rates: map[string]aep.Rate{"name": {}},
	}.WithDefaults()
	places := alter.Replaced(o, entry(m).Applied(o))
	if m.Wrap != nil {
		places = append(places, "handler")
	}
	return places
}
