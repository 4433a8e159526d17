package variant

import (
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
)

// Variant is a reference server that uses one freedom.
type Variant struct {
	Name string // what it does otherwise, in kebab-case: "close-at-pause"
	// Freedom is where the spec leaves it: the id of a requirement whose text does, or the first cell of a row of the
	// rationale, such as "decision 2", "Q-08" or "an event".
	Freedom string
	Summary string   // one sentence, what it does and who would
	Warns   []string // ids of the SHOULDs that it doesn't follow

	// Apply replaces options; nil replaces none. It is given options with every default filled in, once for each server,
	// so that state that it makes belongs to one server.
	Apply func(reference.Options) reference.Options
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
		texts(), events(), fields(), responses(), heads(), connections(), sequences(), chunks(), finishes(), cursors(),
		truncations(), statuses(), errors_(), security(), control(), timings(), snapshots(), said(), delegated(), coursed(),
	)
	slices.SortFunc(all, func(a, b Variant) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Server is a server that is right in its own way.
type Server struct {
	http.Handler
	inner *reference.Server
}

// Close ends every response that is open.
func (s *Server) Close() { s.inner.Close() }

// Handler makes a server that is like the one that base describes but for the variant's freedom. Servers share no
// state, unless base brings a store. Whoever makes many had better bring a Validate, too: the default loads the schemas
// anew.
func (v Variant) Handler(base reference.Options) *Server {
	o := reference.Defaults(base)
	if v.Apply != nil {
		o = v.Apply(o)
	}
	s := &Server{inner: reference.New(o)}
	s.Handler = s.inner
	if v.Wrap != nil {
		s.Handler = v.Wrap(s.inner)
	}
	return s
}
