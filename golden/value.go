package golden

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// kind is the JSON type of a value. kindStamp is a number that a placeholder stands for.
type kind byte

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
	kindStamp
)

// value is a JSON document in canonical spelling. text is the token of a scalar; a string's is escaped and has no
// quotes. Members keep duplicates, since a decoder that drops them would hide what was sent.
type value struct {
	kind    kind
	text    string
	items   []value
	members []member
}

type member struct {
	name  string // escaped like a string's text
	value value
}

// maxDepth bounds nesting; text that is deeper is compared as text.
const maxDepth = 10_000

// decode reads one JSON value. ok is false for anything else; a bare {ts1} counts as the number that it stands for.
func decode(text string) (v value, ok bool) {
	d := decoder{text: text}
	d.space()
	v, ok = d.value(0)
	d.space()
	return v, ok && d.at == len(text)
}

type decoder struct {
	text string
	at   int
}

func (d *decoder) space() {
	for d.at < len(d.text) && strings.IndexByte(" \t\r\n", d.text[d.at]) >= 0 {
		d.at++
	}
}

func (d *decoder) next(c byte) bool {
	if d.at < len(d.text) && d.text[d.at] == c {
		d.at++
		return true
	}
	return false
}

func (d *decoder) value(depth int) (value, bool) {
	if depth > maxDepth || d.at >= len(d.text) {
		return value{}, false
	}
	rest := d.text[d.at:]
	switch rest[0] {
	case '"':
		s, ok := d.str()
		return value{kind: kindString, text: s}, ok
	case '{':
		if n := bareStamp(rest); n > 0 {
			d.at += n
			return value{kind: kindStamp, text: rest[:n]}, true
		}
		return d.object(depth)
	case '[':
		return d.array(depth)
	}
	for _, word := range [...]value{{kind: kindNull, text: "null"}, {kind: kindBool, text: "true"}, {kind: kindBool, text: "false"}} {
		if strings.HasPrefix(rest, word.text) {
			d.at += len(word.text)
			return word, true
		}
	}
	n := numberLen(rest)
	d.at += n
	return value{kind: kindNumber, text: canonicalNumber(rest[:n])}, n > 0
}

func (d *decoder) object(depth int) (value, bool) {
	v := value{kind: kindObject}
	d.at++
	d.space()
	if d.next('}') {
		return v, true
	}
	for {
		if d.at >= len(d.text) || d.text[d.at] != '"' {
			return v, false
		}
		name, ok := d.str()
		d.space()
		if !ok || !d.next(':') {
			return v, false
		}
		d.space()
		item, ok := d.value(depth + 1)
		if !ok {
			return v, false
		}
		v.members = append(v.members, member{name, item})
		d.space()
		if d.next('}') {
			v.sort()
			return v, true
		}
		if !d.next(',') {
			return v, false
		}
		d.space()
	}
}

func (d *decoder) array(depth int) (value, bool) {
	v := value{kind: kindArray}
	d.at++
	d.space()
	if d.next(']') {
		return v, true
	}
	for {
		item, ok := d.value(depth + 1)
		if !ok {
			return v, false
		}
		v.items = append(v.items, item)
		d.space()
		if d.next(']') {
			return v, true
		}
		if !d.next(',') {
			return v, false
		}
		d.space()
	}
}

// str reads a string token and returns its content with only the escapes that JSON can't do without.
func (d *decoder) str() (string, bool) {
	d.at++
	start := d.at
	for d.at < len(d.text) && d.text[d.at] != '"' && d.text[d.at] != '\\' && d.text[d.at] >= ' ' {
		d.at++
	}
	out := []byte(d.text[start:d.at])
	for d.at < len(d.text) {
		c := d.text[d.at]
		switch {
		case c == '"':
			d.at++
			return string(out), true
		case c < ' ':
			return "", false
		case c != '\\':
			out = append(out, c)
			d.at++
		default:
			var ok bool
			if out, ok = d.escape(out); !ok {
				return "", false
			}
		}
	}
	return "", false
}

func (d *decoder) escape(out []byte) ([]byte, bool) {
	if d.at+1 >= len(d.text) {
		return nil, false
	}
	c := d.text[d.at+1]
	if c != 'u' {
		i := strings.IndexByte(`"\/bfnrt`, c)
		if i < 0 {
			return nil, false
		}
		d.at += 2
		return appendJSONRune(out, rune("\"\\/\b\f\n\r\t"[i])), true
	}
	r, ok := d.hex(d.at)
	if !ok {
		return nil, false
	}
	d.at += 6
	if utf16.IsSurrogate(r) {
		if low, ok := d.hex(d.at); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				d.at += 6
				return utf8.AppendRune(out, pair), true
			}
		}
	}
	return appendJSONRune(out, r), true
}

// hex reads a \uXXXX at a place.
func (d *decoder) hex(at int) (rune, bool) {
	if at+6 > len(d.text) || d.text[at:at+2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(d.text[at+2:at+6], 16, 16)
	return rune(n), err == nil
}

// appendJSONRune writes a code point of a string; half a surrogate pair has no other spelling than its escape.
func appendJSONRune(out []byte, r rune) []byte {
	if i := strings.IndexRune("\"\\\b\f\n\r\t", r); i >= 0 {
		return append(out, '\\', `"\bfnrt`[i])
	}
	if r < ' ' || utf16.IsSurrogate(r) {
		const digits = "0123456789abcdef"
		return append(out, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
	}
	return utf8.AppendRune(out, r)
}

// jsonText escapes a Go string as a JSON string's content.
func jsonText(s string) string {
	var out []byte
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			out = appendJSONRune(out, rune(s[i]))
		} else {
			out = append(out, s[i])
		}
	}
	return string(out)
}

func numberLen(s string) int {
	i := 0
	digits := func() bool {
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > start
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return 0
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return 0
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return 0
		}
	}
	return i
}

// canonicalNumber writes equal doubles in one way, the way JavaScript does; what no double holds stays as it is.
func canonicalNumber(token string) string {
	f, err := strconv.ParseFloat(token, 64)
	if err != nil {
		return token
	}
	if f == 0 {
		return "0"
	}
	if size := max(f, -f); size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	text = strings.Replace(text, "e-0", "e-", 1)
	return strings.Replace(text, "e+0", "e+", 1)
}

// sort orders members by name, and those of one name as they came.
func (v *value) sort() {
	slices.SortStableFunc(v.members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
}

// get returns the first member of a name.
func (v *value) get(name string) *value {
	for i := range v.members {
		if v.members[i].name == name {
			return &v.members[i].value
		}
	}
	return nil
}

func (v value) String() string { return string(v.append(nil)) }

func (v value) append(dst []byte) []byte {
	switch v.kind {
	case kindString:
		dst = append(dst, '"')
		dst = append(dst, v.text...)
		return append(dst, '"')
	case kindArray:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.append(dst)
		}
		return append(dst, ']')
	case kindObject:
		dst = append(dst, '{')
		for i, m := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, '"')
			dst = append(dst, m.name...)
			dst = append(dst, `":`...)
			dst = m.value.append(dst)
		}
		return append(dst, '}')
	}
	return append(dst, v.text...)
}
