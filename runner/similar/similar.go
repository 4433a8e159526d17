package similar

import (
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Distance returns the number of edits between two texts if it is less than below, else any number from below on. The
// difference of their lengths is a lower bound; comparing takes the product of both lengths.
func Distance(a, b string, below int) int {
	n, m := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if least := max(n-m, m-n); least >= below {
		return least
	}
	return levenshtein.ComputeDistance(a, b)
}
