package helix

import (
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/helix"
)

// deepStreamNames take two ids for one.
func deepStreamNames() []Mutant {
	return []Mutant{
		{Name: "ids-without-extension", Requirement: "helix.security.isolation",
			Summary: "The router takes .json behind an id for the format that is asked for.",
			Apply:   onStreamID(func(id string) string { return strings.TrimSuffix(id, ".json") })},
		{Name: "ids-that-are-numbers", Requirement: "helix.security.isolation",
			Summary: "An id that is a number is kept as one, so that leading zeros get lost.",
			Apply: onStreamID(func(id string) string {
				if n, err := strconv.ParseFloat(id, 64); err == nil {
					return strconv.FormatFloat(n, 'g', -1, 64)
				}
				return id
			})},
		{Name: "ids-without-soft-hyphens", Requirement: "helix.security.isolation",
			Summary: "A soft hyphen is no character to the collation of the database.",
			Apply:   onStreamID(func(id string) string { return strings.ReplaceAll(id, "\u00ad", "") })},
	}
}

// deepCursorForms read cursors that are none, or overlook one.
func deepCursorForms() []Mutant {
	return []Mutant{
		{Name: "cursor-with-underscores", Requirement: "helix.resume.invalid-cursor",
			Summary: "A cursor is read by a parser of a language in which digits may be grouped by underscores.",
			Apply: onCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				if n, no := strconv.ParseInt(text, 0, 64); no == nil && err != nil && strings.Contains(text, "_") {
					return helix.Cursor{After: n, Given: true}, nil
				}
				return c, err
			})},
		{Name: "full-width-digits-are-digits", Requirement: "helix.resume.invalid-cursor",
			Summary: "Full-width digits are folded to those that they look like before a cursor is read.",
			Apply: onCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				folded := strings.Map(func(r rune) rune {
					if r >= '０' && r <= '９' {
						return r - '０' + '0'
					}
					return r
				}, text)
				if folded == text {
					return c, err
				}
				return helix.ParseSequence(folded)
			})},
	}
}
