package helix

import (
	"bytes"
	"encoding/json"
	"strings"
)

// The library takes an empty key for the object itself. While patches apply, each key that is empty or begins with a NUL
// has one more NUL before it.
const (
	nul        = "\x00"
	nulInJSON  = `\u0000`
	emptyKey   = `""`
	quotedMark = `"` + nulInJSON
)

// markKeys puts the NUL before the keys of a JSON text.
func markKeys(text json.RawMessage) json.RawMessage {
	return eachKey(text, func(key []byte) []byte {
		if string(key) != emptyKey && !bytes.HasPrefix(key, []byte(quotedMark)) {
			return key
		}
		return append([]byte(quotedMark), key[1:]...)
	})
}

// bareKeys takes the NUL away again.
func bareKeys(text json.RawMessage) json.RawMessage {
	return eachKey(text, func(key []byte) []byte {
		if !bytes.HasPrefix(key, []byte(quotedMark)) {
			return key
		}
		return append([]byte{'"'}, key[len(quotedMark):]...)
	})
}

// markTokens puts the NUL before the tokens of a pointer.
func markTokens(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i, token := range tokens {
		if i > 0 && (token == "" || strings.HasPrefix(token, nul)) {
			tokens[i] = nul + token
		}
	}
	return strings.Join(tokens, "/")
}

// eachKey replaces the keys of a JSON text, quotes included. Most texts hold none that is marked.
func eachKey(text json.RawMessage, replace func(key []byte) []byte) json.RawMessage {
	if !bytes.Contains(text, []byte(emptyKey)) && !bytes.Contains(text, []byte(quotedMark)) {
		return text
	}
	out := make([]byte, 0, len(text)+len(nulInJSON))
	for len(text) > 0 {
		n := 1
		if text[0] == '"' {
			n = quoted(text)
		}
		piece := []byte(text[:n])
		if text = text[n:]; n > 1 && bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte{':'}) {
			piece = replace(piece)
		}
		out = append(out, piece...)
	}
	return out
}

// quoted is how long the string is that a JSON text begins with.
func quoted(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
