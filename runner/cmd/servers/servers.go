package servers

import (
	"net/http"
	"time"

	"github.com/streamcert/streamcert/reference/model"
	"github.com/streamcert/streamcert/reference/store"
)

// Server is a server whose open responses can be ended.
type Server interface {
	http.Handler
	Close()
}

// Settings are the common settings of the servers that a process starts. Each pack derives the options of its server from
// them.
type Settings struct {
	// Reader is the bearer token of readers, and Control that of control calls; "" asks for none.
	Reader, Control string
	// Other is the token of a second reader, and Limited that of one with a rate limit; with them a server has limits that
	// scenarios can reach, which Sections declares in a config. "" limits nothing.
	Other, Limited string
	Heartbeat      time.Duration          // silence after which a comment is sent
	KnownHost      func(name string) bool // a name under which control calls may request the server; nil for none
	Model          *model.Client          // the language model of agents; nil for none
	Streams        store.Store            // keeps the streams; nil for memory
}

// Pack describes the servers of one pack to commands. Every field but New may be nil.
type Pack struct {
	Name string
	// Serves reports whether an escaped path is one of this pack; nil: every path that no other pack serves.
	Serves func(path string) bool
	New    func(Settings) Server // the reference
	// Sections returns the pack's config sections for a server with these settings.
	Sections func(Settings) []any

	// Altered contains names and descriptions of the servers that differ from the reference on purpose; see [ReadAltered].
	Altered []byte
}
