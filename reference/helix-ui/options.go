package helixui

import (
	"cmp"
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference/model"
)

// Turn is the configuration of a turn, known before its first part.
type Turn struct {
	Chat      string // id of the chat, which is its stream
	MessageID string // of the answer
	// StartMetadata and FinishMetadata are sent with start and finish; nil for none.
	StartMetadata, FinishMetadata any
	User                          []Message     // messages of the user; the last one is new
	Script                        []Instruction // script of the agent; nil if the model decides
	Continues                     bool          // the client has answered the calls of the message
}

// Options configure a handler. The zero value of each field means its default.
type Options struct {
	// Play changes the script that the agent performs; by default it returns the script unchanged.
	Play func([]Instruction) []Instruction
	// Chunks returns a filter for the chunks of one turn before they become parts. By default they pass unchanged.
	Chunks func(Turn) func(Chunk) []Chunk
	// Parts returns a filter for the parts of one turn before they are stored and sent. By default they pass unchanged.
	Parts func(Turn) func(Part) []Part
	// Encoder makes the encoder of one response; Frames by default.
	Encoder func(Turn) Encoder
	// Resumed returns the index of the first stored part for a reader that comes back; by default the one after its cursor,
	// and without a cursor the first part of the turn.
	Resumed func(stored []Event, cursor int, hasCursor bool) (first int)
	// History changes the messages of the history; by default they are unchanged.
	History func([]Message) []Message
	// OpenInHistory includes the content of the open turn in the history; by default only its stream contains it.
	OpenInHistory bool
	// NoReplay sends a reader without a cursor only new parts, after the starts of the open ones. By default it is sent the
	// turn from its start. It goes with OpenInHistory.
	NoReplay bool
	// ResponseAlone sends a reader without a cursor the live response of a message only. By default the earlier responses, which
	// the history lacks until the message is finished, precede it.
	ResponseAlone bool
	// NeverWaits refuses scripts with calls that wait for the client; by default they are played.
	NeverWaits bool
	// Model answers requests without a script; nil: the agent replies that there is none.
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
	// KnownHost reports whether control calls may use a host name, in addition to the server's addresses and those of this
	// machine: none by default.
	KnownHost func(name string) bool
	// MaxBody is the largest body of a request in bytes; 16 MiB by default.
	MaxBody int64
	// Timeout limits the duration of a turn and of receiving a body; 5 min by default.
	Timeout time.Duration
	// Chats limits the stored chats; 4096 by default. The oldest is removed first.
	Chats int
}

// WithDefaults returns the options with every default filled in, so that a decorator has something to wrap.
func (o Options) WithDefaults() Options {
	if o.Play == nil {
		o.Play = func(script []Instruction) []Instruction { return script }
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

// resumed begins after a cursor, and replays the turn without one. helix-ui.resume.after, helix-ui.replay.default: no part
// after the cursor is left out, and none at or below it is repeated.
func resumed(stored []Event, cursor int, hasCursor bool) (first int) {
	if !hasCursor {
		return 0
	}
	for first < len(stored) && stored[first].ID <= cursor {
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
