package beacon

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// Signal is one event of a stream.
type Signal struct {
	Name string // of the event
	Data map[string]any
}

// Options are the places where a server can be altered; the zero value of each field means its default.
type Options struct {
	ControlToken string // that control calls need in X-Streamcert-Control; "" for none
	// Plan may change what a watcher is sent.
	Plan func([]Signal) []Signal
	// Encode writes one signal.
	Encode func(Signal) []byte
}

// WithDefaults fills in every field that isn't set, so that a decorator has something to wrap.
func (o Options) WithDefaults() Options {
	if o.Plan == nil {
		o.Plan = func(all []Signal) []Signal { return all }
	}
	if o.Encode == nil {
		o.Encode = encode
	}
	return o
}

// encode writes a signal as an event. beacon.wire.object
func encode(s Signal) []byte {
	data, err := json.Marshal(s.Data)
	if err != nil { // strings and numbers can be written
		panic(fmt.Errorf("writing a signal: %w", err))
	}
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", s.Name, data)
}

// Server has lamps, and what each is to flash. Make it with New.
type Server struct {
	options Options
	closing context.Context
	close   context.CancelFunc

	mu     sync.Mutex
	orders map[string][]string // texts, by lamp and name of the order
}

// New makes a server.
func New(o Options) *Server {
	s := &Server{options: o.WithDefaults(), orders: map[string][]string{}}
	s.closing, s.close = context.WithCancel(context.Background())
	return s
}

// Close ends every open response.
func (s *Server) Close() { s.close() }

// Serves reports whether a path is one of this protocol.
func Serves(path string) bool {
	return strings.HasPrefix(path, "/lamps/") || strings.HasPrefix(path, "/control/lamps/")
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, control := strings.CutPrefix(r.URL.Path, "/control")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if r.Method != http.MethodPost || len(parts) != 3 || parts[0] != "lamps" {
		http.NotFound(w, r)
		return
	}
	var body struct {
		Order string
		Texts []string
	}
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&body) != nil || body.Order == "" {
		http.Error(w, "the body names no order", http.StatusBadRequest)
		return
	}
	lamp := parts[1] + "/" + body.Order
	switch {
	case control && parts[2] == "orders" && s.options.ControlToken != "" && r.Header.Get("X-Streamcert-Control") != s.options.ControlToken:
		http.Error(w, "control calls need their token", http.StatusUnauthorized)
	case control && parts[2] == "orders":
		s.mu.Lock()
		s.orders[lamp] = body.Texts
		s.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	case !control && parts[2] == "watch":
		s.watch(w, r, lamp)
	default:
		http.NotFound(w, r)
	}
}

// watch streams an order.
func (s *Server) watch(w http.ResponseWriter, r *http.Request, lamp string) {
	s.mu.Lock()
	texts, known := s.orders[lamp]
	s.mu.Unlock()
	if !known {
		http.Error(w, "nobody gave that order", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream") // beacon.wire.content-type
	w.WriteHeader(http.StatusOK)
	for _, signal := range s.options.Plan(plan(texts)) {
		if r.Context().Err() != nil || s.closing.Err() != nil {
			return
		}
		if _, err := w.Write(s.options.Encode(signal)); err != nil {
			return // the watcher has left
		}
	}
}

// plan returns the signals that a watcher of the texts receives, in order.
func plan(texts []string) []Signal {
	watch := rand.Text()                                     // beacon.signals.watch: one for the whole stream
	all := []Signal{{"lit", map[string]any{"watch": watch}}} // beacon.signals.lit
	for i, text := range texts {                             // beacon.signals.complete
		all = append(all, Signal{"flash", map[string]any{"watch": watch, "n": i + 1, "text": text}}) // beacon.signals.numbered
	}
	return append(all, Signal{"dark", map[string]any{"watch": watch, "flashes": len(texts)}}) // beacon.signals.dark
}
