package pack

import "github.com/streamcert/streamcert/runner/record"

// Shape is what differs from pack to pack in how its documents are sent and what
// may be new in them.
type Shape struct {
	// Send makes a response of one document that the server produced, and says how
	// it ends. original is the document before its change.
	Send func(schema string, original any, data []byte) (body []byte, end record.End)
	// NewKind says of a place whether it holds a kind, so that one that nobody
	// knows is legal there; nil: of none.
	NewKind func(pointer []string) bool
	// Freedoms are the requirements that leave a change free, by the name of the
	// rule.
	Freedoms map[string]string
	// Relayed says that goldens show what a writer wrote, so that a change of them
	// can be seen. A response that a server made up is its own affair.
	Relayed bool
	// Role says what a frame with this data is in a transcript; needed where Relayed.
	Role func(data []byte) Role
}

// The names of the rules that say which changes a pack leaves free: of documents,
const (
	AnyValue  = "any value"
	NewKind   = "type from the future"
	NewMember = "unknown member"
)

// and of the bytes on the wire.
const (
	Gap            = "gap in sequences"
	TerminalNumber = "number of a terminal frame"
	StatusMoment   = "moment of a status frame"
	ErrorType      = "media type of an error"
	TypeSpelling   = "spelling of the media type"
	Comment        = "comment"
)
