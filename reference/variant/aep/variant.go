package aep

import (
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
)

// Variant is a reference server that uses one freedom.
type Variant struct {
	Name string // what it does otherwise, in kebab-case: "text-in-one-piece"
	// Freedom is where the spec leaves it: the id of a requirement whose text does, or the first cell of a row of the
	// rationale, such as "decision 11", "Q-39" or "cutting of a text".
	Freedom string
	Summary string   // one sentence, what it does and who would
	Warns   []string // ids of the SHOULDs that it doesn't follow

	// Apply replaces options; nil replaces none. It is given options with every default filled in, once for each server,
	// so that state that it makes belongs to one server.
	Apply func(aep.Options) aep.Options
	// Wrap goes around the whole server; nil is nothing. It is called once for each server too.
	Wrap func(http.Handler) http.Handler
	// HTTP2 has it spoken to over HTTP/2 only.
	HTTP2 bool
	// Slow says that a run against it takes many times longer than one against the reference.
	Slow bool
}

// Catalogue returns all variants, sorted by name.
func Catalogue() []Variant {
	all := slices.Concat(
		texts(), framing(), responses(), blocks(), blockContents(), tools(), outcomes(), members(), ids(), refusals(),
		cancellations(),
	)
	slices.SortFunc(all, func(a, b Variant) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Server is a server that is right in its own way.
type Server struct {
	http.Handler
	inner *aep.Handler
}

// Close ends every response that is open.
func (s *Server) Close() { s.inner.Close() }

// Handler makes a server that is like the one that base describes but for the variant's freedom. Servers share no
// state, unless base brings threads or actions.
func (v Variant) Handler(base aep.Options) *Server {
	o := base.WithDefaults()
	if v.Apply != nil {
		o = v.Apply(o)
	}
	s := &Server{inner: aep.New(o)}
	s.Handler = s.inner
	if v.Wrap != nil {
		s.Handler = v.Wrap(s.inner)
	}
	return s
}
