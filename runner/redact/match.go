package redact

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
)

// cut stands where a text was cut: the begin of a secret is as good as all of it.
const cut = "…"

// match reads the rest of a secret from s[j], each character as it is or in any
// escape, and returns where it ends, -1 if it isn't there. done is how many bytes
// of the secret stand before.
func match(s string, j int, rest string, done int) int {
	for i := 0; i < len(rest); i++ {
		if j < len(s) && s[j] == rest[i] && s[j] != '%' && s[j] != '\\' && s[j] != '&' {
			j++
			continue
		}
		if done+i >= shortest && strings.HasPrefix(s[j:], cut) {
			return j
		}
		return escaped(s, j, rest[i:], done+i)
	}
	return j
}

// escaped is match where an escape may stand at s[j], or a character that could
// begin one.
func escaped(s string, j int, rest string, done int) int {
	if j >= len(s) {
		return -1
	}
	then := func(text string, size int) int {
		if text == "" || !strings.HasPrefix(rest, text) {
			return -1
		}
		return match(s, j+size, rest[len(text):], done+len(text))
	}
	if s[j] == rest[0] {
		if end := then(rest[:1], 1); end >= 0 {
			return end
		}
	}
	switch s[j] {
	case '+': // a space of a form
		return then(" ", 1)
	case '%':
		return then(octet(s, j+1), 3)
	case '&':
		if size := strings.IndexByte(s[j:min(len(s), j+12)], ';') + 1; size > 0 {
			return then(html.UnescapeString(s[j:j+size]), size)
		}
	case '\\':
		return slashed(s, j, then)
	}
	return -1
}

// slashed reads an escape that begins with a backslash, or with several where text
// was escaped more than once.
func slashed(s string, j int, then func(text string, size int) int) int {
	n := 0
	for j+n < len(s) && s[j+n] == '\\' {
		n++
	}
	for size := 2; size <= min(n, 8); size *= 2 {
		if end := then(`\`, size); end >= 0 {
			return end
		}
	}
	if j+n >= len(s) {
		return -1
	}
	switch c := s[j+n]; c {
	case 'u':
		return then(unicode(s, j, j+n+1))
	case 'U':
		return then(character(s, j, j+n+1))
	case 'x':
		return then(octet(s, j+n+1), n+3)
	case 'n', 'r', 't', 'b', 'f', 'v', 'a':
		if end := then(string("\n\r\t\b\f\v\a"[strings.IndexByte("nrtbfva", c)]), n+1); end >= 0 {
			return end
		}
	}
	return then(s[j+n:j+n+1], n+1)
}

// stands is the byte that the escape at s[i] stands for, if it stands for itself or for one byte that can be told without
// looking further: a quote of JSON, the end of a line, a space of a form. Most of what is read holds no other escapes.
func stands(s string, i int) (byte, bool) {
	switch s[i] {
	case '+':
		return ' ', true
	case '\\':
		for i < len(s) && s[i] == '\\' {
			i++
		}
		if i == len(s) {
			return '\\', true
		}
		if strings.IndexByte("uUxnrtbfva", s[i]) < 0 {
			return s[i], true
		}
	}
	return 0, false
}

// octet is the byte that two digits in base 16 stand for, "" where there are none.
func octet(s string, at int) string {
	if at+2 > len(s) {
		return ""
	}
	n, err := strconv.ParseUint(s[at:at+2], 16, 8)
	if err != nil {
		return ""
	}
	return string([]byte{byte(n)})
}

// character is that of \U and eight digits, and the size of the escape from the
// first backslash.
func character(s string, from, at int) (string, int) {
	if at+8 > len(s) {
		return "", 0
	}
	n, err := strconv.ParseUint(s[at:at+8], 16, 31)
	if err != nil {
		return "", 0
	}
	return string(rune(n)), at + 8 - from
}

// unicode is the character of \u and four digits, or of two such that make one.
func unicode(s string, from, at int) (string, int) {
	unit := func(at int) rune {
		if at+4 > len(s) {
			return -1
		}
		n, err := strconv.ParseUint(s[at:at+4], 16, 32)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	first := unit(at)
	if first < 0 {
		return "", 0
	}
	if low := at + 4 + at - from; utf16.IsSurrogate(first) && low <= len(s) && s[at+4:low] == s[from:at] {
		return string(utf16.DecodeRune(first, unit(low))), low + 4 - from
	}
	return string(first), at + 4 - from
}
