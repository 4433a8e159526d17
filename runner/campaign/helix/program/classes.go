package program

import (
	"fmt"
	"strconv"
)

// The classes of data that aren't classes of texts.
const (
	AnyValue      = "any"            // JSON values
	UnknownMember = "unknown-member" // with a member that no chunk has
	UnknownType   = "unknown-type"   // of a type that no server knows
	LackingMember = "lacking"        // of such a type, without a member that every chunk has
	EveryClass    = "every"          // one class after the other
	ASCIIText     = "plain"          // words
	LongText      = "long"           // words of hundreds of KiB, with which a stream fails or ends
	EmptyText     = "empty"          // a text without a character, with which a stream fails
	GrowingState  = "growing"        // a patch that adds a member of that size to the state
	Patch         = "patch"          // patches, each with another kind of change
	PatchApart    = "patch-apart"    // patches of step 1, and of step 2, which change values within the value that the one before added
	Reasoning     = "thoughts"       // reasoning in blocks of two increments and a completing chunk, whose content is empty or the complete block
	EqualText     = "equal"          // words, equal in all chunks of an operation
)

// ForeignWriter is a writer that is opened for another agent. No snapshot shows its chunks.
const ForeignWriter = 9

// MixedChunks is the class of data in which each chunk is of another kind: most are texts of the root agent; the others
// may confuse a server.
const MixedChunks = "mingled"

// HeaderForms maps clients to the number of their headers for [campaign.HeadersOf].
var HeaderForms = map[string]int{"a page": 1, "curl": 2, "a library": 5, "a traced client": 6}

// How a server must treat a cursor of a class.
const (
	NoCursor     = "none"     // like no cursor, or refused with 400
	Refused      = "bad"      // refused with 400
	PaddedCursor = "padded"   // like its number, or refused with 400
	BeyondLatest = "isBeyond" // as greater than every id of the stream
)

// invalidCursor is a class of cursors. Text returns one, from an id of the stream and from an id beyond the latest one.
type invalidCursor struct {
	Means string // for the text of an operation
	Text  func(id, beyondLatest int64) string
}

// CursorClasses lists classes of cursors that no server sends.
var CursorClasses = map[string]*invalidCursor{
	"empty":       {NoCursor, always("")},
	"blank":       {NoCursor, always(" ")},
	"negative":    {Refused, func(id, _ int64) string { return "-" + strconv.FormatInt(max(id, 1), 10) }},
	"a-fraction":  {Refused, func(id, _ int64) string { return strconv.FormatInt(id, 10) + ".5" }},
	"a-word":      {Refused, always("abc")},
	"null":        {Refused, always("null")},
	"exponential": {Refused, always("1e3")},
	"hexadecimal": {Refused, always("0x10")},
	"two":         {Refused, func(id, _ int64) string { return fmt.Sprintf("%d %d", id, id) }},
	"a-list":      {Refused, func(id, _ int64) string { return fmt.Sprintf("%d,%d", id, id) }},
	"foreign":     {Refused, always("٣")},
	"full-width":  {Refused, always("１")},
	"grouped":     {Refused, func(id, _ int64) string { return fmt.Sprintf("%d_0", id) }},
	"with-zeros":  {PaddedCursor, func(id, _ int64) string { return fmt.Sprintf("00%d", id) }},
	"of-40-zeros": {PaddedCursor, func(id, _ int64) string { return fmt.Sprintf("%040d", id) }},
	"with-a-plus": {PaddedCursor, func(id, _ int64) string { return fmt.Sprintf("+%d", id) }},
	"spaced":      {PaddedCursor, func(id, _ int64) string { return fmt.Sprintf(" %d ", id) }},
	"beyond-all":  {BeyondLatest, func(_, beyondLatest int64) string { return strconv.FormatInt(beyondLatest, 10) }},
	"of-31-bits":  {BeyondLatest, always("2147483648")},
	"of-32-bits":  {BeyondLatest, always("4294967297")},
	"of-53-bits":  {BeyondLatest, always("9007199254740993")},
	"of-63-bits":  {BeyondLatest, always("9223372036854775808")},
	"of-64-bits":  {BeyondLatest, always("18446744073709551617")},
	"of-digits":   {BeyondLatest, always("10000000000000000000000000000000000000001")},
}

func always(text string) func(int64, int64) string { return func(int64, int64) string { return text } }
