package aep

import (
	"regexp"
	"strings"
	"unicode"
)

// recased is an id in letters of the other case, "" where that is the same id to whoever reads it as a number: that of a UUID,
// or one in base 32.
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

// numeral is an id in digits of which letters of one case are some.
var numeral = regexp.MustCompile(`^([0-9A-F{}-]+|[0-9a-f{}-]+|[0-9A-Z]{26}|[0-9a-z]{26})$`)
