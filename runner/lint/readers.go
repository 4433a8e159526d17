package lint

import (
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// readers: a requirement on readers shows the bytes that a reader receives, and the frames among them are valid. Invalid
// JSON and unknown types are shown on purpose.
func readers(t *tree) {
	if t.book == nil {
		return
	}
	for _, p := range t.packs {
		for _, q := range t.book.Pack(p.Name) {
			if q.Role != spec.RoleReader || q.Withdrawn != "" {
				continue
			}
			shown, fenced := fencedLines(q.Why)
			if !fenced {
				t.report("reader", "spec/"+q.File, q.Line, "%s shows no bytes: expected a fenced block with what a reader is given", q.ID)
			}
			event := ""
			for _, line := range shown {
				if name, named := strings.CutPrefix(line, "event:"); named {
					event = strings.TrimSpace(name)
				}
				data, isData := strings.CutPrefix(line, "data:")
				if !isData || p.schemas == nil || !json.Valid([]byte(data)) {
					continue
				}
				if r := p.schemas.Event(schemas.Lenient, event, []byte(data)); r.Known && !r.OK() {
					t.report("reader", "spec/"+q.File, q.Line, "%s shows a frame that no server may send: %s", q.ID, r.Findings[0].Message)
				}
			}
		}
	}
}

// fencedLines lists the lines of the fenced blocks of a Markdown text; fenced reports whether there is a block.
func fencedLines(text string) (lines []string, fenced bool) {
	within := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			within, fenced = !within, true
			continue
		}
		if within {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines, fenced
}
