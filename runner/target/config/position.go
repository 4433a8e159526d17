package config

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/similar"
)

// Position is the position of a value: a line of a file, or a variable of the environment.
type Position struct {
	File     string // "" for a variable
	Line     int    // 1-based; 0 for the complete file
	Variable string // its name; "" for a file
}

// Error is a mistake in a config. Error returns one line: file and line, or the variable, the mistake, and the expected
// value.
type Error struct {
	Position
	Message string // one line, without the position
}

func (e *Error) Error() string {
	switch {
	case e.Variable != "":
		return fmt.Sprintf("%s: %s", e.Variable, e.Message)
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// Errorf returns an *Error at a position.
func (p Position) Errorf(format string, args ...any) error {
	return &Error{p, fmt.Sprintf(format, args...)}
}

// Positions are the positions of a config's values, by the paths of their keys. A section has the position of its first key.
type Positions map[string]Position

// Of returns the position of a key, or of the nearest section around it that was written.
func (p Positions) Of(path string) Position {
	for {
		if at, ok := p[path]; ok {
			return at
		}
		i := strings.LastIndexByte(path, '.')
		if i < 0 {
			return p[""]
		}
		path = path[:i]
	}
}

// Has reports whether a key, or a section, was written at all.
func (p Positions) Has(path string) bool { _, ok := p[path]; return ok }

// suggest returns a question about the nearest of some words, "" if none is near.
func suggest(word string, among []string) string {
	best, at := "", 3
	for _, w := range among {
		if d := similar.Distance(word, w, at); d < at {
			best, at = w, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean `%s`?)", best)
}
