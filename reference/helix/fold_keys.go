package helix

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// The library takes an empty key for the object itself. While patches apply, each key that is empty or begins with a NUL
// has one more NUL before it.
const (
	nul      = "\x00"
	emptyKey = `""`
	marked   = `"\u0000` // how a key with a NUL before it begins as JSON
)

// texts finds the strings of a JSON text. Keys include the colon after them.
var texts = regexp.MustCompile(`"(?:[^"\\]|\\.)*"(?:[ \t\r\n]*:)?`)

// markKeys puts the NUL before the keys of a JSON text.
func markKeys(text json.RawMessage) json.RawMessage {
	text = eachKey(text, marked, marked+`\u0000`)
	return eachKey(text, emptyKey, marked+`"`)
}

// bareKeys takes the NUL away again.
func bareKeys(text json.RawMessage) json.RawMessage { return eachKey(text, marked, `"`) }

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

// eachKey replaces a prefix of the keys of a JSON text. Most texts have no such key.
func eachKey(text json.RawMessage, begins, becomes string) json.RawMessage {
	if !bytes.Contains(text, []byte(begins)) {
		return text
	}
	return texts.ReplaceAllFunc(text, func(key []byte) []byte {
		rest, found := bytes.CutPrefix(key, []byte(begins))
		if !found || !bytes.HasSuffix(key, []byte{':'}) {
			return key
		}
		return append([]byte(becomes), rest...)
	})
}
