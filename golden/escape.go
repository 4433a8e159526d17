package golden

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An escape is \<name>. Any other backslash is literal, so that JSON stays readable; only a backslash before < is written
// as an escape.
const (
	escNothing = `\<>`    // no byte: prevents a line from being read as another kind
	escEnd     = `\<end>` // the frame ends here, without a blank line
	escCR      = `\<CR>`
)

// invisible are the ranges of code points that can't be seen or resemble a space. They are listed here and not taken from
// package unicode, whose tables grow with the toolchain: a golden must not change with it.
var invisible = [...][2]rune{
	{0x80, 0xa0}, {0xad, 0xad}, {0x61c, 0x61c}, {0x1680, 0x1680}, {0x180e, 0x180e}, {0x2000, 0x200f},
	{0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb},
	{0xe0000, 0xe01ef},
}

func hidden(r rune) bool {
	for _, span := range invisible {
		if r >= span[0] && r <= span[1] {
			return true
		}
	}
	return false
}

// appendEscaped writes s as the remainder of a line: a space at its end can't be seen and is escaped.
func appendEscaped(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c < ' ' || c == 0x7f, c == ' ' && i == len(s)-1, c == '\\' && i+1 < len(s) && s[i+1] == '<':
				dst = appendByte(dst, c)
			default:
				dst = append(dst, c)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = appendByte(dst, c)
		case r == 0xfeff:
			dst = append(dst, `\<BOM>`...)
		case hidden(r):
			dst = fmt.Appendf(dst, `\<U+%04X>`, r)
		default:
			dst = append(dst, s[i:i+size]...)
		}
		i += size
	}
	return dst
}

func appendByte(dst []byte, c byte) []byte {
	switch c {
	case 0:
		return append(dst, `\<NUL>`...)
	case '\t':
		return append(dst, `\<TAB>`...)
	case '\n':
		return append(dst, `\<LF>`...)
	case '\r':
		return append(dst, escCR...)
	}
	return fmt.Appendf(dst, `\<%02x>`, c)
}

// appendWord writes s as one word: without a space, and with the given separators escaped; nothing at all is a hyphen.
func appendWord(dst []byte, s, separators string) []byte {
	if s == "" {
		return append(dst, '-')
	}
	if s == "-" {
		return append(dst, `\<2d>`...)
	}
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] == ' ' || strings.IndexByte(separators, s[i]) >= 0 {
			dst = appendEscaped(dst, s[start:i])
			dst = appendByte(dst, s[i])
			start = i + 1
		}
	}
	return appendEscaped(dst, s[start:])
}

// unescape reverses appendEscaped. ended reports \<end>, which must be last.
func unescape(s string) (text string, ended bool, err error) {
	i := strings.Index(s, `\<`)
	if i < 0 {
		return s, false, nil
	}
	var b strings.Builder
	for i >= 0 {
		b.WriteString(s[:i])
		s = s[i+2:]
		name, rest, closed := strings.Cut(s, ">")
		if !closed || len(name) > 8 {
			return "", false, fmt.Errorf("an escape like %s", escCR)
		}
		if name == "end" {
			if rest != "" {
				return "", false, fmt.Errorf("nothing after %s", escEnd)
			}
			return b.String(), true, nil
		}
		what, ok := escapeNamed(name)
		if !ok {
			return "", false, fmt.Errorf("an escape like %s", escCR)
		}
		b.WriteString(what)
		s = rest
		i = strings.Index(s, `\<`)
	}
	b.WriteString(s)
	return b.String(), false, nil
}

func escapeNamed(name string) (string, bool) {
	switch name {
	case "":
		return "", true
	case "NUL":
		return "\x00", true
	case "TAB":
		return "\t", true
	case "LF":
		return "\n", true
	case "CR":
		return "\r", true
	case "BOM":
		return "\ufeff", true
	}
	if hex, ok := strings.CutPrefix(name, "U+"); ok {
		n, err := strconv.ParseUint(hex, 16, 32)
		return string(rune(n)), err == nil && hidden(rune(n))
	}
	n, err := strconv.ParseUint(name, 16, 8)
	return string([]byte{byte(n)}), err == nil && len(name) == 2
}

func unescapeWord(s string) (string, error) {
	if s == "-" {
		return "", nil
	}
	text, ended, err := unescape(s)
	if err == nil && ended {
		err = fmt.Errorf("%s only in a frame", escEnd)
	}
	return text, err
}
