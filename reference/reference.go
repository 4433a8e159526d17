package reference

import (
	"fmt"
	"net/http"

	"github.com/streamcert/streamcert/reference/helix"
)

// Options is what a server is made of; the zero value of each field means its default.
type Options = helix.Options

// Server is the reference server. Make it with New.
type Server struct {
	streams *helix.Handler
}

// New makes a server.
func New(o Options) *Server {
	return &Server{streams: helix.New(Defaults(o))}
}

// Defaults fills in every field that isn't set, so that a decorator has something to wrap.
func Defaults(o Options) Options {
	if o.Validate == nil {
		validate, err := NewValidator()
		if err != nil { // the schemas are compiled into the program
			panic(fmt.Errorf("reference server: %w", err))
		}
		o.Validate = validate
	}
	return o.WithDefaults()
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.streams.ServeHTTP(w, r) }

// Close ends every open response.
func (s *Server) Close() { s.streams.Close() }
