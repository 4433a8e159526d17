package helix

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// The library takes an empty key for the object itself, and "+1", "-0" and "01" for indexes, which RFC 6901 doesn't. While
// patches apply, each key of these kinds, and each that begins with a NUL, has one more NUL before it.
const (
	nul    = "\x00"
	marked = `"\u0000` // how a key with a NUL before it begins as JSON
)

// mistaken matches a key or a token that needs the NUL.
var mistaken = regexp.MustCompile(`^(?:$|\x00|\+|-0|0[0-9])`)

// suspects finds the beginnings of strings that may be such keys. Most texts have none, and are searched much faster for them.
var suspects = regexp.MustCompile(`"(?:"|\\u00|\+|-0|0[0-9])`)

// texts finds the strings of a JSON text. Keys include the colon after them.
var texts = regexp.MustCompile(`"(?:[^"\\]|\\.)*"(?:[ \t\r\n]*:)?`)

// markKeys inserts the NUL before the keys of a JSON text.
func markKeys(text json.RawMessage) json.RawMessage {
	if !suspects.Match(text) {
		return text
	}
	return eachKey(text, func(key []byte) []byte {
		var name string
		if json.Unmarshal(key[:bytes.LastIndexByte(key, '"')+1], &name) != nil || !mistaken.MatchString(name) {
			return key
		}
		return append([]byte(marked), key[1:]...)
	})
}

// bareKeys takes the NUL away again.
func bareKeys(text json.RawMessage) json.RawMessage {
	if !bytes.Contains(text, []byte(marked)) {
		return text
	}
	return eachKey(text, func(key []byte) []byte {
		if rest, found := bytes.CutPrefix(key, []byte(marked)); found {
			return append([]byte{'"'}, rest...)
		}
		return key
	})
}

// markTokens inserts the NUL before the tokens of a pointer.
func markTokens(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i, token := range tokens {
		if i > 0 && mistaken.MatchString(token) {
			tokens[i] = nul + token
		}
	}
	return strings.Join(tokens, "/")
}

// eachKey replaces the keys of a JSON text, quotes and colon included.
func eachKey(text json.RawMessage, changed func(key []byte) []byte) json.RawMessage {
	return texts.ReplaceAllFunc(text, func(found []byte) []byte {
		if !bytes.HasSuffix(found, []byte{':'}) {
			return found
		}
		return changed(found)
	})
}
