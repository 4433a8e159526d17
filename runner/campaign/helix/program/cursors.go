package program

import (
	"fmt"
	"strconv"
)

// How a server must treat a cursor of a class.
const (
	NoCursor     = "none"     // like no cursor, or refused with 400
	Refused      = "bad"      // refused with 400
	PaddedCursor = "padded"   // like its number, or refused with 400
	BeyondLatest = "isBeyond" // as greater than every id of the stream
)

// invalidCursor is a class of cursors. Text returns one, from an id of the stream and from an id beyond the latest one.
type invalidCursor struct {
	Means string
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
