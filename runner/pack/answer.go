package pack

import (
	"bytes"
)

// IsPage reports whether an answer is an HTML page, such as that of a login or a proxy.
func IsPage(contentType string, body []byte) bool {
	return bytes.HasPrefix([]byte(contentType), []byte("text/html")) || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

// FirstLine returns the beginning of an answer's first line, at most 160 bytes, for a message.
func FirstLine(b []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	if len(line) > 160 {
		line = line[:160]
	}
	return string(line)
}
