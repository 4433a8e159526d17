package provider

import (
	"slices"
	"strings"
)

// Spelling writes the events that follow in another way that the standard of server-sent events has; "" writes them as
// providers do. [Spellings] lists the others, and [Marked] counts where a step begins with it.
type Spelling string

// Marked begins the body with a byte order mark, and without the event that names the role: the first event has content.
const Marked Spelling = "a byte order mark"

// spellings rewrite an event that has one line of data.
var spellings = map[Spelling]func(event string) string{
	"lines that end in CRLF": func(event string) string { return strings.ReplaceAll(event, "\n", "\r\n") },
	// The comment shows that no LF follows: a reader may wait for one.
	"lines that end in CR":   func(event string) string { return strings.ReplaceAll(event, "\n", "\r") + ":\r" },
	"no space behind data":   func(event string) string { return strings.Replace(event, "data: ", "data:", 1) },
	"two lines of data":      func(event string) string { return strings.Replace(event, "data: {", "data: {\ndata: ", 1) },
	"fields other than data": func(event string) string { return "id: 7\nretry: 3000\nnote: data: {}\n" + event },
	"comments":               func(event string) string { return ": ping\n\n:\n" + event },
}

// Spellings lists the ways in which events can be written anywhere in a body, sorted.
func Spellings() []string {
	out := make([]string, 0, len(spellings))
	for way := range spellings {
		out = append(out, string(way))
	}
	slices.Sort(out)
	return out
}

func (Spelling) isAction() {}
