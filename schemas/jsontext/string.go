package jsontext

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// String is the position of a string in the text.
type String struct {
	Start, End int  // offsets in bytes of the content between the quotes
	ASCII      bool // the content is ASCII without escapes
}

// Raw returns the bytes between the quotes, as they were sent.
func (r *Reader) Raw(s String) []byte { return r.data[s.Start:s.End] }

// String reads a string. Its escapes are well-formed.
func (r *Reader) String() String {
	start := r.pos + 1
	i := start + asciiLength(r.data[start:]) // most strings are plain
	if i == len(r.data) {
		r.pos = i
		r.Unexpected("the end of a string")
		return String{}
	}
	if r.data[i] != '"' {
		return r.readEscaped(start, i)
	}
	r.pos = i + 1
	return String{start, i, true}
}

// asciiLength returns the number of leading bytes that represent themselves in a string: ASCII without controls, quotes and
// backslashes. It checks eight at a time, since strings may be megabytes.
func asciiLength(text []byte) int {
	const (
		each   = 0x0101010101010101 // a one in every byte
		high   = 0x80 * each
		quotes = '"' * each
		slants = '\\' * each
	)
	i := 0
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		q, s := w^quotes, w^slants
		// Of each difference, the lowest byte that has its high bit set is exact: only those above it may be wrong.
		if found := (w | (w-0x20*each)&^w | (q-each)&^q | (s-each)&^s) & high; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\\' || c < 0x20 || c >= utf8.RuneSelf {
			break
		}
	}
	return i
}

// Text returns the decoded string, as encoding/json decodes it: invalid UTF-8, and half a surrogate pair, become U+FFFD.
func (r *Reader) Text(s String) string {
	raw := r.Raw(s)
	if s.ASCII {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		c, n := rune(raw[i]), 1
		switch {
		case c == '\\':
			c, n = Escape(raw[i:])
		case c >= utf8.RuneSelf:
			c, n = utf8.DecodeRune(raw[i:])
		}
		out = utf8.AppendRune(out, c)
		i += n
	}
	return string(out)
}

// readEscaped reads a string on from a byte that is escaped or not ASCII.
func (r *Reader) readEscaped(start, i int) String {
	for i < len(r.data) {
		switch c := r.data[i]; {
		case c == '"':
			r.pos = i + 1
			return String{start, i, false}
		case c < 0x20:
			r.pos = i
			r.Fail(fmt.Sprintf("control character %#x in a string at byte %d, where an escape is expected", c, i))
			return String{}
		case c == '\\':
			n := r.escape(i)
			if n == 0 {
				return String{}
			}
			i += n
		default:
			i++
		}
	}
	r.pos = len(r.data)
	r.Unexpected("the end of a string")
	return String{}
}

// escape checks the escape at a position and returns its length, 0 if it isn't one.
func (r *Reader) escape(at int) int {
	rest := r.data[at:]
	if _, n := Escape(rest); n > 0 {
		return n
	}
	r.pos = at
	switch {
	case len(rest) < 2:
		r.pos = len(r.data)
		r.Unexpected("an escape")
	case rest[1] == 'u':
		r.Fail(fmt.Sprintf("\\u without four hexadecimal digits at byte %d", at))
	default:
		r.Fail(fmt.Sprintf("unknown escape in a string at byte %d", at))
	}
	return 0
}

// Escape reads the escape at the beginning of a text and returns the character and the escape's length. Two escapes that
// make a surrogate pair are one character; half a pair is returned as it is. The length is 0 if there is no escape.
func Escape(text []byte) (rune, int) {
	if len(text) < 2 || text[0] != '\\' {
		return 0, 0
	}
	switch c := text[1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return unit(text)
	}
	return 0, 0
}

func unit(text []byte) (rune, int) {
	c, ok := hex(text)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(c) && len(text) > 6 {
		if low, ok := hex(text[6:]); ok {
			if whole := utf16.DecodeRune(c, low); whole != utf8.RuneError {
				return whole, 12
			}
		}
	}
	return c, 6
}

// hex reads \uXXXX.
func hex(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	var c rune
	for _, digit := range text[2:6] {
		switch {
		case digit >= '0' && digit <= '9':
			digit -= '0'
		case digit >= 'a' && digit <= 'f':
			digit -= 'a' - 10
		case digit >= 'A' && digit <= 'F':
			digit -= 'A' - 10
		default:
			return 0, false
		}
		c = c<<4 | rune(digit)
	}
	return c, true
}
