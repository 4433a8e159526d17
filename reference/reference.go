package reference

import (
	"fmt"
	"net/http"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/helix"
)

// Options are the options of a server; the zero value of each field means its default.
type Options = helix.Options

// Server is the reference server of both protocols. Make it with New.
type Server struct {
	streams *helix.Handler
	agents  *aep.Handler
}

// New makes a server. Its agents take the heartbeat, the control token, the known hosts, the model and the logger of the streams; who may
// read streams may send requests to them.
func New(o Options) *Server {
	agents := aep.Options{Heartbeat: o.Heartbeat, ControlToken: o.ControlToken, KnownHost: o.KnownHost, Logger: o.Logger}
	if o.Model != nil {
		agents.Model = aep.Modelled{Client: o.Model}
	}
	if o.ReaderToken != "" {
		agents.Principals = map[string]string{o.ReaderToken: "reader"}
	}
	return NewWithAgents(o, agents)
}

// NewWithAgents makes a server whose agents have other options.
func NewWithAgents(o Options, agents aep.Options) *Server {
	return &Server{streams: helix.New(Defaults(o)), agents: aep.New(agents)}
}

// NewValidator loads the rules that Options.Validate has by default, for those who make many servers: each would load
// the schemas anew.
func NewValidator() (func(chunk []byte) error, error) { return helix.NewValidator() }

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
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if aep.Serves(r.URL.EscapedPath()) {
		s.agents.ServeHTTP(w, r)
		return
	}
	s.streams.ServeHTTP(w, r)
}

// Close ends every open response and every run, and returns when none of their goroutines is left.
func (s *Server) Close() {
	s.agents.Close()
	s.streams.Close()
}
