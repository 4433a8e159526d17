package mutant

import (
	"context"
	"net/http"

	"github.com/streamcert/streamcert/reference/alter"
)

// Server is a broken server whose decorators may wait for the end of a request.
type Server struct {
	inner   *alter.Server
	closing context.Context
	close   context.CancelFunc
}

// NewServer returns a server whose handler wrap has wrapped; nil leaves it.
func NewServer(inner alter.Closer, wrap alter.Around) *Server {
	s := &Server{inner: alter.NewServer(inner, wrap)}
	s.closing, s.close = context.WithCancel(context.Background())
	return s
}

// ServeHTTP implements http.Handler. The context of a request ends with the server, so that no decorator outlives it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()
	s.inner.ServeHTTP(w, r.WithContext(ctx))
}

// Close ends every response that is open: first the server does, which gives the reason, and then its wrapper does.
func (s *Server) Close() {
	s.inner.Close()
	s.close()
}
