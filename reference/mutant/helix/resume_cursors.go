package helix

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
)

// cursors read the text of a cursor wrongly.
func cursors() []Mutant {
	return []Mutant{
		{Name: "invalid-cursor-replays-all", Requirement: "helix.resume.invalid-cursor",
			Summary: "A cursor that is no number counts as none.",
			Also:    []string{"helix.security.no-secret-echo"},
			Apply: onCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				if _, no := strconv.Atoi(strings.TrimSpace(text)); no != nil && err != nil {
					return helix.Cursor{}, nil
				}
				return c, err
			})},
		{Name: "reads-cursor-prefix", Requirement: "helix.resume.invalid-cursor",
			Summary: "A cursor is read up to the first character that isn't a digit, as parseInt does.",
			Apply: onCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				text = strings.TrimSpace(text)
				end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
				if end <= 0 {
					return c, err
				}
				return helix.ParseSequence(text[:end])
			})},
		{Name: "cursor-wraps-at-32-bits", Requirement: "helix.resume.large-cursor",
			Summary: "A cursor is kept in 32 bits.",
			Apply: onCursorText(func(_ string, c helix.Cursor, err error) (helix.Cursor, error) {
				c.After &= 1<<32 - 1
				return c, err
			})},
		{Name: "long-cursor-is-none", Requirement: "helix.resume.large-cursor",
			Summary: "A cursor that doesn't fit into 64 bits counts as none.",
			Apply: onCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				if _, no := strconv.ParseInt(text, 10, 64); errors.Is(no, strconv.ErrRange) {
					return helix.Cursor{}, nil
				}
				return c, err
			})},
	}
}

// cursorForms read a number that is written otherwise wrongly.
func cursorForms() []Mutant {
	return []Mutant{
		{Name: "padded-cursor-is-octal", Requirement: "helix.resume.padded-cursor",
			Summary: "A cursor with a leading zero is read as an octal number.",
			Apply: onCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				after, no := strconv.ParseInt(text, 8, 64)
				if no != nil || len(text) < 2 || text[0] != '0' {
					return c, err
				}
				return helix.Cursor{After: after, Given: true}, nil
			})},
		{Name: "empty-cursor-refused", Requirement: "helix.resume.empty-cursor",
			Summary: "A cursor that is there and empty is refused as no number.",
			Apply: onCursor(func(header, query *string, c helix.Cursor, err error) (helix.Cursor, error) {
				for _, text := range []*string{header, query} {
					if text != nil && *text == "" {
						return helix.Cursor{}, &helix.Error{Status: http.StatusBadRequest, Code: "validation_error",
							Message: "the cursor is empty"}
					}
				}
				return c, err
			})},
	}
}

// onCursor changes how a cursor is read. The function gets the header and the query parameter, nil where there is none,
// and what a good server makes of them.
func onCursor(read func(header, query *string, c helix.Cursor, err error) (helix.Cursor, error)) apply {
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

// onCursorText is onCursor for the text that decides, if there is one.
func onCursorText(read func(text string, c helix.Cursor, err error) (helix.Cursor, error)) apply {
	return onCursor(func(header, query *string, c helix.Cursor, err error) (helix.Cursor, error) {
		for _, text := range []*string{header, query} {
			if text != nil && *text != "" {
				return read(*text, c, err)
			}
		}
		return c, err
	})
}
