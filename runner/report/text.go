package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable makes text safe to print: characters that a terminal interprets or hides, such as an escape sequence of a server,
// become visible escapes. Line feeds and tabs stay.
func Printable(s string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x` + strconv.FormatInt(int64(s[0]), 16))
		case hidden(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
		s = s[size:]
	}
	return b.String()
}

// hidden is true of a rune that isn't seen as itself: control characters, and
// those that reorder or join the text around them.
func hidden(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsGraphic(r) }

// OneLine is Printable without line feeds.
func OneLine(s string) string {
	return lineEscapes.Replace(Printable(s))
}

var lineEscapes = strings.NewReplacer("\n", `\n`, "\t", `\t`) // made once: making it costs more than using it

// indent begins every line of s with the same prefix, so that no line of it can
// be taken for a line of the report.
func indent(prefix, s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(prefix+line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// clipped shortens a longer text to most bytes, followed by its length.
func clipped(s string, most int) string {
	if len(s) <= most {
		return s
	}
	at := most
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:at], len(s))
}
