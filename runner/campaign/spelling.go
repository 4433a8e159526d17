package campaign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/streamcert/streamcert/runner/target"
)

// Spelled writes a JSON text in one of the ways in which JSON may be written: as it is, in ASCII, over many lines, or with the
// members of each object in the other order.
func Spelled(raw []byte, n int) []byte {
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

// HeadersOf returns headers of the nth request, in one of the ways in which browsers and their libraries declare content
// types, nil for the shortest way. Headers of the config are left out, and so is the type of a missing body. It returns nil
// if the kit plays the model of the server, because the config may then set headers for each request.
func HeadersOf(t *target.Target, n int, body bool) map[string]string {
	if t.Model() != nil {
		return nil
	}
	var headers map[string]string
	switch n % 7 {
	case 1:
		headers = page
	case 2:
		headers = map[string]string{"Accept": "*/*"}
	case 4:
		headers = map[string]string{"Content-Type": "application/json; charset=utf-8"}
	case 5:
		headers = map[string]string{"Accept": "text/event-stream, */*;q=0.1", "Content-Type": "application/json;charset=UTF-8"}
	case 6: // as of one who traces a visit, not a request
		headers = map[string]string{"X-Request-Id": "7d0f3c1e-52ab-4c7d-9a41-0b6f0d6f2c11", "Traceparent": "00-7d0f3c1e52ab4c7d9a410b6f0d6f2c11-52ab4c7d9a410b6f-01"}
	}
	headers = maps.Clone(headers)
	maps.DeleteFunc(headers, func(name, _ string) bool { return t.Sets(name) || !body && name == "Content-Type" })
	return headers
}

// page are the headers with which a page of the same origin asks.
var page = map[string]string{
	"Accept": "*/*", "Accept-Language": "de-AT,de;q=0.9,en;q=0.8", "Cache-Control": "no-cache", "Pragma": "no-cache", "Priority": "u=1, i", "Sec-Fetch-Dest": "empty",
	"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin", "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
	"Cookie": "theme=dark; seen=" + strings.Repeat("0123456789abcdef.", 70),
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
			quoted, err := json.Marshal(name)
			if err != nil { // every string can be written
				return raw
			}
			out = append(append(append(out, ','), quoted...), ':')
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

// inASCII escapes non-ASCII characters and slashes in strings.
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
