package stream

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// resumeCursors lists the mutants of resume cursors.
func resumeCursors() []edit.Mutant {
	return []edit.Mutant{
		// These read the text of a cursor wrongly.
		{Name: "invalid-cursor-replays-all", Requirement: "helix.resume.invalid-cursor",
			Summary: "A cursor that is no number counts as none.",
			Also:    []string{"helix.security.no-secret-echo"},
			Apply: edit.OnCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				if _, no := strconv.Atoi(strings.TrimSpace(text)); no != nil && err != nil {
					return helix.Cursor{}, nil
				}
				return c, err
			})},
		{Name: "reads-cursor-prefix", Requirement: "helix.resume.invalid-cursor",
			Summary: "A cursor is read up to the first character that isn't a digit, as parseInt does.",
			Apply: edit.OnCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				text = strings.TrimSpace(text)
				end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
				if end <= 0 {
					return c, err
				}
				return helix.ParseSequence(text[:end])
			})},
		{Name: "cursor-wraps-at-32-bits", Requirement: "helix.resume.large-cursor",
			Summary: "A cursor is kept in 32 bits.",
			Apply: edit.OnCursorText(func(_ string, c helix.Cursor, err error) (helix.Cursor, error) {
				c.After &= 1<<32 - 1
				return c, err
			})},
		{Name: "long-cursor-is-none", Requirement: "helix.resume.large-cursor",
			Summary: "A cursor that doesn't fit into 64 bits counts as none.",
			Apply: edit.OnCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				if _, no := strconv.ParseInt(text, 10, 64); errors.Is(no, strconv.ErrRange) {
					return helix.Cursor{}, nil
				}
				return c, err
			})},

		// These read a number that is written otherwise wrongly.
		{Name: "padded-cursor-is-octal", Requirement: "helix.resume.padded-cursor",
			Summary: "A cursor with a leading zero is read as an octal number.",
			Apply: edit.OnCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				after, no := strconv.ParseInt(text, 8, 64)
				if no != nil || len(text) < 2 || text[0] != '0' {
					return c, err
				}
				return helix.Cursor{After: after, Given: true}, nil
			})},
		{Name: "empty-cursor-refused", Requirement: "helix.resume.empty-cursor",
			Summary: "A cursor that is there and empty is refused as no number.",
			Apply: edit.OnCursor(func(header, query *string, c helix.Cursor, err error) (helix.Cursor, error) {
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
