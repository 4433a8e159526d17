package helixui

import (
	"cmp"
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference/model"
)

// Turn is what is known of a turn from its beginning.
type Turn struct {
	Chat      string // the stream
	MessageID string // of the answer
	// StartMetadata and FinishMetadata are sent with start and finish; nil for none.
	StartMetadata, FinishMetadata any
	User                          []Message // what the user says, the last of which is new
	Script                        []Act     // what the agent does; nil where the model says it
}

// Options configure a handler. The zero value of each field means its default.
type Options struct {
	// Play says what the agent does for a script; by default what the script says.
	Play func([]Act) []Act
	// Chunks makes what the chunks of one turn pass before they become parts. By default they pass unchanged.
	Chunks func(Turn) func(Chunk) []Chunk
	// Parts makes what the parts of one turn pass before they are kept and sent. By default they pass unchanged.
	Parts func(Turn) func(Part) []Part
	// Encoder makes the encoder of one response; Frames by default.
	Encoder func(Turn) Encoder
	// Resumed says of a reader that comes back at which of the parts that are kept it begins; by default behind its cursor,
	// and without one at the first part of the turn.
	Resumed func(kept []Event, cursor int, hasCursor bool) (first int)
	// History changes the messages that a client is told; by default they stay as they are.
	History func([]Message) []Message
	// OpenInHistory tells what the open turn has said so far in the history too; by default it comes with its stream alone.
	OpenInHistory bool
	// NoReplay sends a reader without a cursor only what comes from then on; what is open is opened anew. By default it is
	// sent the turn from its start. It goes with OpenInHistory.
	NoReplay bool
	// Model is asked by the agent where a request has no script; nil: it says that there is none.
	Model *model.Client

	// Names are the types of data parts that no source names, by those of the specification; "none" drops a part. A type that
	// isn't there stays as it is.
	Names map[string]string
	// Page limits the messages of the history in one answer; 0 for all.
	Page int

	// Token is the bearer token of clients; "" for none.
	Token string
	// Other is the bearer token of a second user, with separate chats; "" for none.
	Other string
	// Shared lets every user read every chat; by default only the user who created it.
	Shared bool
	// ControlToken, if set, must come as X-Streamcert-Control with every control call and every script.
	ControlToken string
	// KnownHost says under which names control calls may ask for the server, beside its addresses and those of this machine:
	// none by default.
	KnownHost func(name string) bool
	// MaxBody is the largest body of a request in bytes; 16 MiB by default.
	MaxBody int64
	// Timeout is how long a turn and a body may take; 5 min by default.
	Timeout time.Duration
	// Chats is how many chats are kept; 4096 by default. The oldest goes first.
	Chats int
}

// WithDefaults returns the options with every default filled in, so that a decorator has something to wrap.
func (o Options) WithDefaults() Options {
	if o.Play == nil {
		o.Play = func(script []Act) []Act { return script }
	}
	if o.Chunks == nil {
		o.Chunks = func(Turn) func(Chunk) []Chunk { return func(c Chunk) []Chunk { return []Chunk{c} } }
	}
	if o.Parts == nil {
		o.Parts = func(Turn) func(Part) []Part { return func(p Part) []Part { return []Part{p} } }
	}
	if o.Encoder == nil {
		o.Encoder = func(Turn) Encoder { return Frames{} }
	}
	if o.Resumed == nil {
		o.Resumed = resumed
	}
	if o.History == nil {
		o.History = func(all []Message) []Message { return all }
	}
	if o.KnownHost == nil {
		o.KnownHost = func(string) bool { return false }
	}
	o.MaxBody = cmp.Or(o.MaxBody, 16<<20)
	o.Timeout = cmp.Or(o.Timeout, 5*time.Minute)
	o.Chats = cmp.Or(o.Chats, 4096)
	return o
}

// resumed begins behind a cursor, and replays the turn to whoever has none.
// helix-ui.resume.after, helix-ui.replay.default: nothing behind the cursor is left out, and nothing at or below it comes again.
func resumed(kept []Event, cursor int, hasCursor bool) (first int) {
	if !hasCursor {
		return 0
	}
	for first < len(kept) && kept[first].ID <= cursor {
		first++
	}
	return first
}

// hasToken compares in constant time; without a token to have, everybody has it.
func hasToken(want, got string) bool {
	return want == "" || subtle.ConstantTimeCompare([]byte(want), []byte(got)) == 1
}

// trusted reports whether a request has the token of control calls.
func (o *Options) trusted(r *http.Request) bool {
	return hasToken(o.ControlToken, r.Header.Get("X-Streamcert-Control"))
}

// Users of a server.
const (
	unknownUser = iota
	firstUser
	secondUser
)

// user returns the user of a request's credential, unknown without a valid one.
func (o *Options) user(r *http.Request) int {
	got, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case hasToken(o.Token, got):
		return firstUser
	case o.Other != "" && hasToken(o.Other, got):
		return secondUser
	}
	return unknownUser
}
