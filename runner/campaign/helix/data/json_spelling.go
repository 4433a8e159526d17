package data

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// spelling is a spelling of JSON by a library. All spellings decode to the same value.
type spelling struct {
	colon, comma string // with the white space around it
	before, end  string // white space before and after the body
	ascii        bool   // other characters are escaped, as surrogate pairs where necessary
	slashed      bool   // slashes are escaped
	raw          bool   // line separators aren't escaped
	lettered     bool   // the first letter of each text and name is escaped
}

// spellings are the spellings of common libraries, of a formatter, and of a writer that escapes more than necessary.
var spellings = map[int]spelling{
	1: {colon: ": ", comma: ", ", ascii: true},
	3: {colon: ":", comma: ",", ascii: true, slashed: true},
	5: {colon: " :\t", comma: ",\r\n  ", before: "\n ", end: "\n", raw: true},
	7: {colon: ":", comma: ",", lettered: true},
}

// longestRespelled is the largest body in bytes that is respelled, which makes it longer.
const longestRespelled = 64 << 10

// Respelled returns a body in the spelling of another library for four of eight values of n, the number of chunks
// written before; else unchanged.
func Respelled(body []byte, n int) []byte {
	h, other := spellings[n%8]
	if !other || len(body) > longestRespelled {
		return body
	}
	return h.write(body)
}

// write returns compact JSON in this spelling.
func (h spelling) write(body []byte) []byte {
	out, inText := append(make([]byte, 0, 2*len(body)), h.before...), false
	for len(body) > 0 {
		r, n := utf8.DecodeRune(body)
		switch {
		case r == '"':
			inText = !inText
			if out = append(out, '"'); inText && h.lettered && len(body) > 1 && 'a' <= body[1] && body[1] <= 'z' {
				out, n = fmt.Appendf(out, `\u%04x`, body[1]), 2
			}
		case r == ':' && !inText:
			out = append(out, h.colon...)
		case r == ',' && !inText:
			out = append(out, h.comma...)
		case r == '\\':
			out, n = h.escape(out, body)
		case r == '/' && h.slashed:
			out = append(out, `\/`...)
		case r >= utf8.RuneSelf && h.ascii:
			for _, unit := range utf16.AppendRune(nil, r) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		default:
			out = append(out, body[:n]...)
		}
		body = body[n:]
	}
	return append(out, h.end...)
}

// escape appends the escape at the beginning of body to out and returns its length in body.
func (h spelling) escape(out, body []byte) ([]byte, int) {
	if len(body) >= 6 && h.raw {
		switch string(body[:6]) {
		case `\u2028`:
			return append(out, "\u2028"...), 6
		case `\u2029`:
			return append(out, "\u2029"...), 6
		}
	}
	return append(out, body[:2]...), 2
}
