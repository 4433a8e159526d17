package schemas

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// string reads a string; the common one, plain ASCII without escapes, is a single slice.
func (d *decoder) string() string {
	start := d.pos + 1
	for i := start; i < len(d.data); i++ {
		switch c := d.data[i]; {
		case c == '"':
			d.pos = i + 1
			if known, ok := d.interned[string(d.data[start:i])]; ok {
				return known
			}
			return string(d.data[start:i])
		case c == '\\' || c < 0x20 || c >= utf8.RuneSelf:
			return d.slowString(start, i)
		}
	}
	d.pos = len(d.data)
	d.unexpected("the end of a string")
	return ""
}

func (d *decoder) slowString(start, i int) string {
	out := append(make([]byte, 0, i-start+32), d.data[start:i]...)
	reported := false
	for i < len(d.data) {
		switch c := d.data[i]; {
		case c == '"':
			d.pos = i + 1
			return string(out)
		case c < 0x20:
			d.pos = i
			d.fail(fmt.Sprintf("control character %#x in a string at byte %d, where an escape is expected", c, i))
			return ""
		case c == '\\':
			d.pos = i
			r, n := d.escape()
			if d.broken {
				return ""
			}
			out = utf8.AppendRune(out, r)
			i += n
		case c < utf8.RuneSelf:
			out = append(out, c)
			i++
		default:
			r, n := utf8.DecodeRune(d.data[i:])
			if r == utf8.RuneError && n == 1 && !reported {
				d.report(badUTF8, fmt.Sprintf("a string is not valid UTF-8, from byte %d", i))
				reported = true
			}
			out = utf8.AppendRune(out, r)
			i += n
		}
	}
	d.pos = len(d.data)
	d.unexpected("the end of a string")
	return ""
}

// escape reads the escape at the current byte and returns its length too. Half a surrogate pair is U+FFFD, as
// encoding/json has it.
func (d *decoder) escape() (rune, int) {
	rest := d.data[d.pos:]
	if len(rest) < 2 {
		d.pos = len(d.data)
		d.unexpected("an escape")
		return 0, 0
	}
	switch rest[1] {
	case '"', '\\', '/':
		return rune(rest[1]), 2
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
		return d.unicode(rest)
	}
	d.fail(fmt.Sprintf("unknown escape in a string at byte %d", d.pos))
	return 0, 0
}

func (d *decoder) unicode(rest []byte) (rune, int) {
	r, ok := hex4(rest[2:])
	if !ok {
		d.fail(fmt.Sprintf("\\u without four hexadecimal digits at byte %d", d.pos))
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(rest) >= 12 && rest[6] == '\\' && rest[7] == 'u' {
		if low, ok := hex4(rest[8:]); ok {
			if whole := utf16.DecodeRune(r, low); whole != utf8.RuneError {
				return whole, 12
			}
		}
	}
	return utf8.RuneError, 6
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
