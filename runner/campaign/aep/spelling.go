package aep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// spelled writes a JSON text in one of the ways in which JSON may be written: as it is, in ASCII, over many lines, or with the
// members of each object in the other order.
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
	case 3:
		return backwards(raw)
	}
	return raw
}

// said are headers of the nth request in one of the ways in which clients say what they send and take, nil for the shortest.
func said(n int) map[string]string {
	switch n % 7 {
	case 2:
		return map[string]string{"Accept": "*/*"}
	case 4:
		return map[string]string{"Content-Type": "application/json; charset=utf-8"}
	case 5:
		return map[string]string{"Accept": "text/event-stream, */*;q=0.1", "Content-Type": "application/json;charset=UTF-8"}
	}
	return nil
}

// backwards writes the members of each object from the last name to the first.
func backwards(raw json.RawMessage) []byte {
	var out []byte
	switch raw[0] {
	case '{':
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			return raw
		}
		names := slices.Sorted(maps.Keys(members))
		for _, name := range slices.Backward(names) {
			out = append(append(append(out, ','), encode(name)...), ':')
			out = append(out, backwards(members[name])...)
		}
	case '[':
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return raw
		}
		for _, item := range items {
			out = append(append(out, ','), backwards(item)...)
		}
	default:
		return raw
	}
	if len(out) == 0 {
		return raw
	}
	out[0] = raw[0]
	return append(out, raw[0]+2) // the bracket that closes
}

// recased is an id in letters of the other case, "" where that is the same id to whoever reads it as a number: that of a UUID,
// or one in base 32.
func recased(id string) string {
	if numeral.MatchString(id) || len(id) < counted {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, id)
}

// numeral is an id in digits of which letters of one case are some.
var numeral = regexp.MustCompile(`^([0-9A-F{}-]+|[0-9a-f{}-]+|[0-9A-Z]{26}|[0-9a-z]{26})$`)

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
