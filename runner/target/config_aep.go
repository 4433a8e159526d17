package target

import (
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// AEP is what a config says for pack aep: which agent is asked, who else may ask,
// and where the server's limits are. What is left out can't be found out, and
// makes the requirements that need it unprovable.
type AEP struct {
	Agent string // in the place of {agent} in routes; default conformance
	// Other are the headers of a second user, Limited those of one whose rate is
	// limited. Each is sent in the place of the config's headers, and is secret as
	// they are.
	Other   map[string]string
	Limited map[string]string
	// Message is the largest message that the server takes, in bytes of text; 0 if
	// it isn't known.
	Message int64
	// Requests is how many requests Limited may make before one is refused; 0 if
	// it isn't known.
	Requests int
	// StreamTimeout is how long a stream may hang before the server ends it; 0 if
	// it isn't known.
	StreamTimeout time.Duration
}

const (
	// maxMessage bounds what the suite sends to be refused.
	maxMessage = 256 << 20
	// maxRequests bounds how often it asks to be refused.
	maxRequests = 10_000
)

func (r *configReader) aep(key string, v ast.Node) {
	switch key {
	case "agent":
		r.cfg.AEP.Agent = r.text("aep.agent", v)
		if r.cfg.AEP.Agent == "" {
			r.fail(v, "aep.agent must name an agent, got nothing")
		}
	case "other":
		r.cfg.AEP.Other = r.headers("aep.other", v)
	case "limited":
		r.cfg.AEP.Limited = r.headers("aep.limited", v)
	case "message":
		n, s := r.bytes("aep.message", v)
		if n < 1 || n > maxMessage {
			r.fail(v, "aep.message must be a number of bytes such as 65536 or 1MiB, 256MiB at most, got %q", s)
		}
		r.cfg.AEP.Message = n
	case "requests":
		s := r.text("aep.requests", v)
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > maxRequests {
			r.fail(v, "aep.requests must be a number of requests from 1 to %d, got %q", maxRequests, s)
		}
		r.cfg.AEP.Requests = n
	case "streamTimeout":
		r.cfg.AEP.StreamTimeout = r.duration("aep.streamTimeout", v)
	}
}
