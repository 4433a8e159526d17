package explain

import (
	"bytes"
	"fmt"

	"github.com/streamcert/streamcert/runner/trace"
)

// mostSourceLines limits the lines of code under one heading of an explanation.
const mostSourceLines = 8

// writeLines shows lines of code under a heading; nothing if there are none.
func writeLines(b *bytes.Buffer, heading string, lines []trace.Line) {
	if len(lines) == 0 {
		return
	}
	section(b, heading)
	shown := lines[:min(len(lines), mostSourceLines)]
	for _, p := range shown {
		fmt.Fprintf(b, "  %s\n    %s\n", p, shorten(p.Text))
	}
	if more := len(lines) - len(shown); more > 0 {
		fmt.Fprintf(b, "  … and %d more\n", more)
	}
}
