package pack

import (
	"path"
	"strings"
)

// SelectionError reports that a selection matches nothing.
type SelectionError struct {
	Message string
	Near    bool // the message names the location that was probably meant
}

func (e *SelectionError) Error() string { return e.Message }

// Matches reports whether a pattern selects a requirement. A pattern is an id or a glob such as resume.*, with or
// without the name of the pack; one that is no glob selects nothing.
func Matches(pattern, id string) bool {
	_, short, _ := strings.Cut(id, ".")
	for _, name := range []string{id, short} {
		// Ids have no slash, so a star spans dots.
		if ok, err := path.Match(pattern, name); ok && err == nil {
			return true
		}
	}
	return false
}
