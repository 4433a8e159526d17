package letter

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/reference/request"
)

// maxBody bounds the body of a request, in bytes.
const maxBody = 16 << 20

// Server streams. Make it with New.
type Server struct {
	ways    Ways
	o       merlin.Options
	closing context.Context
	close   context.CancelFunc

	mu      sync.Mutex
	streams map[string]*known
	order   []string // names of streams, the oldest first
}

// known is the server's state of a stream: its barriers, and its aggregate as JSON once it is over.
type known struct {
	barriers map[string]chan struct{}
	total    []byte
}

// New makes a server. Of the options it takes the token, the names of the host and the time for a body.
func New(o merlin.Options, ways Ways) *Server {
	s := &Server{ways: ways, o: o, streams: map[string]*known{}}
	s.closing, s.close = context.WithCancel(context.Background())
	return s
}

// Close ends every stream that is open.
func (s *Server) Close() { s.close() }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	trusted := s.o.ControlToken == "" || r.Header.Get("X-Streamcert-Control") == s.o.ControlToken
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case r.Method == http.MethodPost && len(path) == 3 && path[0] == "merlin" && path[2] == "stream":
		s.serve(w, r, path[1] == "v1", trusted)
	case len(path) != 4 || path[0] != "control":
		http.NotFound(w, r)
	case !trusted:
		http.Error(w, "control calls need their token", http.StatusForbidden)
	case path[3] == "aggregate":
		s.aggregate(w, path[2])
	default:
		s.release(w, r, path[2])
	}
}

// read reads a body, and refuses an invalid one.
func (s *Server) read(w http.ResponseWriter, r *http.Request, to any) bool {
	body, err := request.Body(w, r, maxBody, s.o.BodyTimeout)
	if err == nil {
		err = json.Unmarshal(body, to)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
	return err == nil
}

// local refuses requests of a page of another origin.
func (s *Server) local(w http.ResponseWriter, r *http.Request) bool {
	err := request.Local(r, s.o.KnownHost, s.o.ControlToken != "")
	if err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
	}
	return err == nil
}

// aggregate answers with the aggregate of a stream that is over.
func (s *Server) aggregate(w http.ResponseWriter, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.streams[name]; k == nil || k.total == nil {
		http.Error(w, "there is no such stream, or it isn't over", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(s.streams[name].total) // a client that has left needs no answer
}

// release opens a barrier of a stream, for good.
func (s *Server) release(w http.ResponseWriter, r *http.Request, name string) {
	var asked struct{ Barrier string }
	if !s.local(w, r) || !s.read(w, r, &asked) {
		return
	}
	s.mu.Lock()
	k := s.streams[name]
	s.mu.Unlock()
	switch {
	case asked.Barrier == "":
		http.Error(w, "a release names a barrier", http.StatusBadRequest)
	case k == nil:
		http.Error(w, "there is no such stream", http.StatusNotFound)
	default:
		opened := s.barrier(k, asked.Barrier)
		s.mu.Lock()
		defer s.mu.Unlock()
		select {
		case <-opened:
		default:
			close(opened)
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// mostStreams limits the stored streams; the oldest are dropped.
const mostStreams = 1 << 12

// remember makes a stream known under its name, and forgets an earlier one.
func (s *Server) remember(name string) *known {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := &known{barriers: map[string]chan struct{}{}}
	s.streams[name] = k
	if s.order = append(s.order, name); len(s.order) > mostStreams {
		delete(s.streams, s.order[0])
		s.order = s.order[1:]
	}
	return k
}

// barrier returns the channel that is closed when a barrier opens.
func (s *Server) barrier(k *known, barrier string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k.barriers[barrier] == nil {
		k.barriers[barrier] = make(chan struct{})
	}
	return k.barriers[barrier]
}

// serve answers a request with a stream.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, v1, trusted bool) {
	var asked merlin.Request
	if !s.read(w, r, &asked) {
		return
	}
	if asked.Script == nil {
		said, _ := json.Marshal(map[string]string{"content": "You said: " + asked.Message}) // of a string
		asked.Script = &merlin.Script{Instructions: []merlin.Instruction{{Delta: said}}}
	} else if !trusted {
		http.Error(w, "a script needs the token of control calls", http.StatusForbidden)
		return
	} else if !s.local(w, r) {
		return
	}
	name := asked.Script.Stream
	k := s.remember(name)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()
	head := w.Header() // 004:129-138
	head.Set("Cache-Control", "no-cache")
	head.Set("Content-Type", "text/event-stream")
	head.Set("Access-Control-Allow-Origin", "*")
	head.Set("Access-Control-Allow-Headers", "*")
	w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(w)
	if !s.ways.Other { // else the head comes with the first event
		_ = flush.Flush() // a client that has gone is noticed by the end
	}
	st := newStream(*asked.Script, v1, s.ways, func(event []byte) {
		_, _ = w.Write(event)
		_ = flush.Flush() // likewise
	}, func(barrier string) bool {
		select {
		case <-s.barrier(k, barrier):
			return true
		case <-ctx.Done():
			return false
		}
	})
	st.play(asked.Script.Instructions)
	total := st.aggregate()
	s.mu.Lock()
	k.total = total
	s.mu.Unlock()
	st.end()
}
