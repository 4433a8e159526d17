package patch

import (
	"strconv"
	"strings"
)

// Pointer is a JSON pointer (RFC 6901), split into its tokens; the empty one is the document itself.
type Pointer []string

// ParsePointer reads a JSON pointer; false if it doesn't begin with a slash.
func ParsePointer(text string) (Pointer, bool) {
	if text == "" {
		return nil, true
	}
	if text[0] != '/' {
		return nil, false
	}
	tokens := strings.Split(text[1:], "/")
	for i, t := range tokens {
		if strings.Contains(t, "~") {
			tokens[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
		}
	}
	return tokens, true
}

// index reads an array index of at most most.
func index(token string, most int) (int, bool) {
	if token == "" || token[0] == '0' && len(token) > 1 || len(token) > 9 {
		return 0, false
	}
	for _, c := range []byte(token) {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	i, err := strconv.Atoi(token)
	return i, err == nil && i <= most
}
