package helix

import (
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
)

// Cursor is the position at which a reader starts.
type Cursor struct {
	After int64 // the last sequence that the reader has; 0 is the start
	Given bool  // false: the request named none
}

// ParseCursor reads the cursor of a request: the header Last-Event-ID, else the query parameter fromSequence or its
// alias fromOffset. An empty one counts as absent. Errors are *Error with status 400.
func ParseCursor(r *http.Request) (Cursor, error) {
	// helix.resume.header-wins: the query is read only if there is no header, so that a bad one next to it does no harm.
	// helix.resume.empty-cursor: an empty header counts as none; so does an empty parameter below.
	if text := r.Header.Get("Last-Event-ID"); text != "" {
		return ParseSequence(text)
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return Cursor{}, invalid("the query can't be read")
	}
	// helix.resume.query, helix.resume.offset-alias: ParseSequence reads parameters and header alike.
	for _, name := range []string{"fromSequence", "fromOffset"} {
		if text := query.Get(name); text != "" {
			return ParseSequence(text)
		}
	}
	return Cursor{}, nil
}

// helix.resume.padded-cursor: a leading zero doesn't match, so the server refuses 010 and never reads it as 8.
var decimal = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)

// ParseSequence reads a cursor that is not empty. One that is too large for a sequence is beyond the end of any stream.
func ParseSequence(text string) (Cursor, error) {
	// helix.resume.invalid-cursor: invalid makes a 400.
	if !decimal.MatchString(text) {
		return Cursor{}, invalid("a cursor is a non-negative decimal integer")
	}
	after, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		after = math.MaxInt64 // helix.resume.large-cursor
	}
	// helix.resume.zero: no event has a sequence below 1, so 0 is the start, as without a cursor.
	return Cursor{After: after, Given: true}, nil
}
