package idle

import (
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
)

// Server is a reference server that never shows some subjects of its protocol. O is the type of the server's options.
type Server[O any] struct {
	Name    string // its behaviour, in kebab-case: "refuses-every-run"
	Summary string // one sentence: the behaviour, and which real servers have it
	// Never lists the requirements whose subject no response of the server shows, as ids or as globs: a pack and a chapter
	// with a star after them.
	Never []string

	// Apply replaces options; nil replaces none. It gets options with every default filled in, once for each server.
	Apply func(O) O
	// Wrap wraps the complete server; nil wraps nothing. It is also called once for each server.
	Wrap func(http.Handler) http.Handler
}

// Applied returns options as the server changes them.
func (s Server[O]) Applied(o O) O {
	if s.Apply == nil {
		return o
	}
	return s.Apply(o)
}

// Compare orders servers by name.
func Compare[O any](a, b Server[O]) int { return strings.Compare(a.Name, b.Name) }

// Refuses answers the requests that of matches with a status, and doesn't read their bodies.
func Refuses(status int, of func(*http.Request) bool) alter.Around {
	return alter.OnRequests(of, func(_ http.Handler, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"error":"this server doesn't do that"}`)) // who has left needs no answer
	})
}
