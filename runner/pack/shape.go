package pack

import "github.com/streamcert/streamcert/runner/record"

// Shape describes how the documents of a pack are sent, and which changes of them are legal.
type Shape struct {
	// Send returns the body of a response with one document, and how the response ends. original is the document before
	// its change.
	Send func(schema string, original any, data []byte) (body []byte, end record.End)
	// NewKind reports whether the value at a JSON pointer is an open enumeration, in which unknown values are legal; nil
	// means that none is.
	NewKind func(pointer []string) bool
	// Freedoms are the ids of the requirements that allow a change, by the name of the rule below.
	Freedoms map[string]string
	// Relayed reports that goldens also contain the chunks that a writer wrote, with which the response can be compared. A
	// pack whose servers produce the response has nothing to compare.
	Relayed bool
	// Role returns the role of a frame by its data; required if Relayed.
	Role func(data []byte) Role
}

// The names of the rules by which a pack allows changes: of documents,
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
