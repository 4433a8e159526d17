package helix

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/streamcert/streamcert/reference/helix"
)

// campaignOnlyStreamNames take two ids for one.
func campaignOnlyStreamNames() []Mutant {
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
		{Name: "ids-of-compatible-characters", Requirement: "helix.security.isolation",
			Summary: "Ids are normalised by compatibility, so that a ligature and a raised digit are the letters and the digit.",
			Apply:   onStreamID(strings.NewReplacer("\ufb01", "fi", "\u00b2", "2", "\u2461", "2").Replace)},
		{Name: "ids-by-a-hash", Requirement: "helix.security.isolation",
			Summary: "Streams are found by the hash of their id in 32 bits, as Java has it, and nobody compares the id itself.",
			Apply:   onStreamID(hashed())},
	}
}

// hashed takes an id for the first one that has its hash.
func hashed() func(id string) string {
	var first sync.Map // ids, by their hashes
	return func(id string) string {
		var hash int32
		for _, unit := range utf16.Encode([]rune(id)) {
			hash = 31*hash + int32(unit)
		}
		known, _ := first.LoadOrStore(hash, id)
		return known.(string)
	}
}

// campaignOnlyCursorForms read cursors that are none, or overlook one.
func campaignOnlyCursorForms() []Mutant {
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
