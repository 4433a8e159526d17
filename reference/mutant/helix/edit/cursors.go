package edit

import (
	"net/http"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
)

// OnCursor changes how a cursor is read. The function gets the header and the query parameter, nil where there is none, and
// the cursor or error of a good server.
func OnCursor(read func(header, query *string, c helix.Cursor, err error) (helix.Cursor, error)) on.Apply {
	return on.OnCursor(func(stream string, r *http.Request, inner on.CursorReader) (helix.Cursor, error) {
		var header, query *string
		if values := r.Header.Values("Last-Event-ID"); len(values) > 0 {
			header = &values[0]
		}
		if values := r.URL.Query()["fromSequence"]; len(values) > 0 {
			query = &values[0]
		}
		c, err := inner(stream, r)
		return read(header, query, c, err)
	})
}

// OnCursorText is OnCursor for the text that decides, if there is one.
func OnCursorText(read func(text string, c helix.Cursor, err error) (helix.Cursor, error)) on.Apply {
	return OnCursor(func(header, query *string, c helix.Cursor, err error) (helix.Cursor, error) {
		for _, text := range []*string{header, query} {
			if text != nil && *text != "" {
				return read(*text, c, err)
			}
		}
		return c, err
	})
}

// OnStreamID changes every stream id, for readers and for control calls.
func OnStreamID(change func(string) string) on.Apply {
	return func(o reference.Options) reference.Options {
		read := o.StreamID
		o.StreamID = func(segment string) (string, error) {
			id, err := read(segment)
			if err != nil {
				return "", err
			}
			return change(id), nil
		}
		return o
	}
}
