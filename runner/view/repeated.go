package view

import (
	"strings"

	"github.com/streamcert/streamcert/runner/wire"
)

// Repeated reports whether a frame repeats a chunk at or below a cursor.
func Repeated(f *wire.Frame, cursor string) bool {
	e, ok := eventOf(f)
	return ok && e.Kind == ChunkEvent && digits(f.ID) && digits(cursor) &&
		(len(f.ID) < len(cursor) || len(f.ID) == len(cursor) && f.ID <= cursor)
}

func digits(id string) bool {
	return id != "" && strings.Trim(id, "0123456789") == "" && (id[0] != '0' || id == "0")
}
