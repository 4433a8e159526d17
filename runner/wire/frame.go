package wire

import (
	"fmt"
	"time"
)

// A Frame is one block of the body, with or without data.
type Frame struct {
	// Index counts the blocks that contain a field or a comment, from 0.
	Index int
	// Offset and End delimit the bytes [Offset, End) of the body in Raw.
	Offset, End int64
	// Line is the line, from 1, of the block's first field or comment.
	Line int
	// Raw contains the block's bytes, terminators and leading blank lines included. The caller owns it; Data may share its
	// memory.
	Raw []byte

	// Event is the value of the last event field, if HasEvent.
	Event    string
	HasEvent bool
	// Data contains the values of the data lines, joined by LF.
	Data []byte
	// DataLines counts the data lines.
	DataLines int
	// ID is the last id of this block that EventSource accepts, if HasID.
	ID    string
	HasID bool
	// IDBad reports that an id of this block contained a NUL, which EventSource ignores.
	IDBad bool
	// LastEventID is EventSource's last event id after this block.
	LastEventID string
	// Retry is the reconnection time in milliseconds, if HasRetry. It saturates
	// at the largest 32-bit integer.
	Retry    int
	HasRetry bool
	// Comments contains the texts of comment lines without the colon and one space after it, Unknown the field names that
	// EventSource ignores. Both contain the first maxNotes only; Raw has them all.
	Comments []string
	Unknown  []string

	// Terminated is false if the body ended before the block's blank line;
	// EventSource discards such a block. Fields of the last line count even if
	// that line has no end, except retry.
	Terminated bool
	// Violations contains the first violation of each kind, in the order of the checks.
	Violations []Violation

	// Arrived is the time at which the block's last byte was read.
	Arrived time.Time
	// Silence is the longest wait of a single read since the block before. It
	// never exceeds the real silence between two bytes.
	Silence time.Duration
}

// maxNotes bounds Comments and Unknown, so that a block of many tiny lines
// can't cost a multiple of its size.
const maxNotes = 1024

// Dispatched reports whether EventSource fires an event for the block: it is
// terminated and has a data line, which may be empty.
func (f *Frame) Dispatched() bool { return f.Terminated && f.DataLines > 0 }

// A Kind names an irregularity of a block.
type Kind string

// The kinds of violations.
const (
	BOM               Kind = "byte-order-mark"     // at the start of the body
	MixedLineEnds     Kind = "mixed-line-ends"     // differs from the body's first line end
	InvalidUTF8       Kind = "invalid-utf8"        // an ill-formed sequence
	BadRetry          Kind = "bad-retry"           // a retry that isn't digits
	NULInID           Kind = "nul-in-id"           // an id that EventSource ignores
	Unterminated      Kind = "unterminated"        // no blank line before the end of the body
	FieldWithoutColon Kind = "field-without-colon" // legal, its value is empty; a note only
)

// A Violation is one irregularity of a block.
type Violation struct {
	Kind   Kind   // at most one of a kind in a block
	Offset int64  // of its first byte in the body
	Line   int    // from 1
	Detail string // for people
}

// A LimitError reports that a block exceeded Options.MaxFrame, or that its data would take too much memory decoded.
type LimitError struct {
	Limit   int64 // bytes
	Decoded bool  // they are those of the values in the data
	Offset  int64 // where the block begins in the body
	Line    int   // where the block begins, from 1
}

func (e *LimitError) Error() string {
	if e.Decoded {
		return fmt.Sprintf("event stream block at byte %d (line %d) has so many JSON values that they take more than %d bytes of memory", e.Offset, e.Line, e.Limit)
	}
	return fmt.Sprintf("event stream block at byte %d (line %d) exceeds %d bytes", e.Offset, e.Line, e.Limit)
}

// violate records v unless the frame has one of its kind.
func (f *Frame) violate(v Violation) {
	for i := range f.Violations {
		if f.Violations[i].Kind == v.Kind {
			return
		}
	}
	f.Violations = append(f.Violations, v)
}
