package aep

import (
	"regexp"
	"strings"
	"unicode"
)

// recased returns an id with the case of its letters changed, "" if a parser of ids would read the same one: that of a
// UUID, or one in base 32.
func recased(id string) string {
	if numeral.MatchString(id) || len(id) < counted {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, id)
}

// numeral matches ids in hex or base 36, with letters of one case.
var numeral = regexp.MustCompile(`^([0-9A-F{}-]+|[0-9a-f{}-]+|[0-9A-Z]{26}|[0-9a-z]{26})$`)

const (
	// more is a suffix that no id has.
	more = "~x"
	// counted is the largest length of an id that may be a number.
	counted = 24
)
