package merlin

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/streamcert/streamcert/reference/request"
)

// maxBody bounds the body of a request, in bytes.
const maxBody = 16 << 20

// Server serves streams over HTTP. Make it with New.
type Server struct {
	o       Options            // with defaults; never changes
	closing context.Context    // done once Close was called, which ends all responses
	close   context.CancelFunc // of closing
	streams streams            // by the names that clients gave
}

// New makes a server.
func New(o Options) *Server {
	s := &Server{o: o.WithDefaults()}
	s.closing, s.close = context.WithCancel(context.Background())
	return s
}

// Close ends every stream that is open.
func (s *Server) Close() { s.close() }

// Serves reports whether an escaped path is one of this protocol.
func Serves(path string) bool {
	return strings.HasPrefix(path, "/merlin/") || strings.HasPrefix(path, "/control/merlin/")
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	segments := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	for i, segment := range segments {
		plain, err := url.PathUnescape(segment)
		if err != nil || plain == "" {
			http.NotFound(w, r)
			return
		}
		segments[i] = plain
	}
	control := segments[0] == "control"
	switch path := strings.Join(segments[1:], "/"); {
	case control && !s.trusted(r):
		refuse(w, http.StatusForbidden, "control calls need their token")
	case control && len(segments) == 4 && segments[3] == "aggregate" && r.Method == http.MethodGet:
		s.aggregate(w, segments[2])
	case control && len(segments) == 4 && segments[3] == "release" && r.Method == http.MethodPost:
		s.release(w, r, segments[2])
	case !control && (path == "v1/stream" || path == "v2/stream") && r.Method == http.MethodPost:
		s.serve(w, r, int(path[1]-'0'))
	case !control && (path == "v1/stream" || path == "v2/stream"):
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, http.StatusMethodNotAllowed, "the method is not allowed here")
	default:
		http.NotFound(w, r)
	}
}

// refuse answers with a status and a reason. merlin.security.no-secret-echo: the reason quotes no header.
func refuse(w http.ResponseWriter, status int, reason string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(encoded(map[string]string{"error": reason})) // who has left needs no answer
}

// trusted reports whether a request brings the token of control calls, if one is needed.
func (s *Server) trusted(r *http.Request) bool {
	return s.o.ControlToken == "" || subtle.ConstantTimeCompare([]byte(s.o.ControlToken), []byte(r.Header.Get("X-Streamcert-Control"))) == 1
}

// local refuses requests of a page of another origin.
func (s *Server) local(w http.ResponseWriter, r *http.Request) bool {
	err := request.Local(r, s.o.KnownHost, s.o.ControlToken != "")
	var refused *request.Error
	if errors.As(err, &refused) {
		refuse(w, refused.Status, refused.Message)
	}
	return err == nil
}

// aggregate answers with the aggregate of a stream.
func (s *Server) aggregate(w http.ResponseWriter, name string) {
	var total *Aggregate
	s.streams.of(name, false, func(r *remembered) { total = r.total })
	if total == nil {
		refuse(w, http.StatusNotFound, "there is no such stream, or it isn't over")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encoded(total)) // who has left needs no answer
}

// release opens a barrier of a stream.
func (s *Server) release(w http.ResponseWriter, r *http.Request, name string) {
	if !s.local(w, r) {
		return
	}
	body, err := request.Body(w, r, maxBody, s.o.BodyTimeout)
	barrier, ok := textMember(body, "barrier")
	switch {
	case err != nil || !ok || barrier == "":
		refuse(w, http.StatusBadRequest, "a release names a barrier")
	case !s.streams.of(name, false, func(r *remembered) { r.release(barrier) }):
		refuse(w, http.StatusNotFound, "there is no such stream")
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// serve answers a request with a stream.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, version int) {
	body, err := request.Body(w, r, maxBody, s.o.BodyTimeout)
	if err != nil {
		refuse(w, http.StatusBadRequest, "the body can't be read")
		return
	}
	asked, err := readRequest(body)
	switch {
	case err != nil:
		refuse(w, http.StatusBadRequest, err.Error())
		return
	case asked.Script != nil && !s.trusted(r): // merlin.control.token
		refuse(w, http.StatusForbidden, "a script needs the token of control calls")
		return
	case asked.Script != nil && !s.local(w, r):
		return
	case asked.Script == nil && s.o.Model != nil:
		s.stream(w, r, version, Script{}, func(st *stream) error { return st.requestModel(s.o.Model, asked.Message) })
		return
	case asked.Script == nil:
		said := "You said: " + asked.Message
		asked.Script = &Script{Instructions: []Instruction{{Delta: encoded(map[string]string{"content": said})}}}
	}
	s.stream(w, r, version, *asked.Script, func(st *stream) error { return st.performAll(asked.Script.Instructions) })
}

// stream answers with a stream. merlin.security.isolation: all but the barriers and the aggregate, which have the name of the
// stream, belongs to the request.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, version int, script Script, happens func(*stream) error) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()
	name := script.Stream
	s.streams.of(name, true, func(r *remembered) { r.total = nil })
	st := newStream(s.o, &RunState{Version: version, Stream: name, Start: script.Start}, ctx)
	st.barrier = func(barrier string) (c <-chan struct{}) {
		s.streams.of(name, true, func(r *remembered) { c = r.barrier(barrier) })
		return c
	}
	flush := http.NewResponseController(w)
	st.write = func(event []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := w.Write(event); err != nil {
			return err
		}
		return flush.Flush()
	}
	aggregated := st.o.Aggregated
	st.o.Aggregated = func(c *RunState, total *Aggregate) {
		total.finish()
		aggregated(c, total)
		s.streams.of(name, true, func(r *remembered) { r.total = total })
	}
	s.o.Head(w.Header())
	w.WriteHeader(http.StatusOK)
	_ = flush.Flush()                                // a client that has gone is noticed by the first event
	_ = st.play(func() error { return happens(st) }) // likewise; merlin.wire.body-closes: the handler returns
}
