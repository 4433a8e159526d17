package aep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// spelled writes a JSON text in one of the ways in which JSON may be written: as it is, in ASCII, or over many lines.
func spelled(raw []byte, n int) []byte {
	switch n % 4 {
	case 1:
		return inASCII(raw)
	case 2:
		var out bytes.Buffer
		out.WriteString("\r\n ")
		if json.Indent(&out, raw, "", "\t") == nil {
			out.WriteString("\n")
			return out.Bytes()
		}
	}
	return raw
}

// inASCII escapes in strings what isn't ASCII, and each slash.
func inASCII(raw []byte) []byte {
	out := make([]byte, 0, len(raw)+len(raw)/4)
	escaped := false // the character before begins an escape
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		switch {
		case r == '/' && !escaped:
			out = append(out, '\\', '/')
		case r < utf8.RuneSelf:
			out = append(out, byte(r))
		default:
			for _, half := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, "\\u%04x", half)
			}
		}
		escaped, raw = r == '\\' && !escaped, raw[size:]
	}
	return out
}
