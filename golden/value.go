package golden

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/streamcert/streamcert/schemas/jsontext"
)

// kind is the JSON type of a value. kindStamp is a number that a placeholder replaces.
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

// value is a JSON document in canonical spelling. text is the token of a scalar; a string's is escaped and has no quotes.
// Duplicate members are retained, because a decoder that drops them would hide data.
type value struct {
	kind    kind // decides which of the fields below are set
	text    string
	items   []value  // of an array
	members []member // of an object, in their order
}

type member struct {
	name  string // escaped like a string's text
	value value
}

// maxDepth bounds nesting; text that is deeper is compared as text.
const maxDepth = 10_000

// decode reads one JSON value. ok is false for anything else; a bare {ts1} counts as the number that it replaces.
func decode(text []byte) (v value, ok bool) {
	d := decoder{jsontext.NewReader(text, maxDepth)}
	d.Space()
	v = d.value()
	d.Space()
	return v, d.Err() == "" && d.Pos() == len(text)
}

type decoder struct{ jsontext.Reader }

func (d *decoder) value() value {
	switch d.Next() {
	case '"':
		return value{kind: kindString, text: d.text(d.String())}
	case '{':
		if n := bareStamp(d.Remaining()); n > 0 {
			stamp := string(d.Remaining()[:n])
			d.Skip(n)
			return value{kind: kindStamp, text: stamp}
		}
		return d.object()
	case '[':
		v := value{kind: kindArray}
		for more := d.Open(']'); more; more = d.More(']') {
			v.items = append(v.items, d.value())
		}
		return v
	case 'n':
		d.Word("null")
		return value{kind: kindNull, text: "null"}
	case 't':
		d.Word("true")
		return value{kind: kindBool, text: "true"}
	case 'f':
		d.Word("false")
		return value{kind: kindBool, text: "false"}
	}
	literal, _ := d.Number()
	return value{kind: kindNumber, text: canonicalNumber(string(literal))}
}

func (d *decoder) object() value {
	v := value{kind: kindObject}
	for more := d.Open('}'); more; more = d.More('}') {
		name, ok := d.Name()
		if !ok {
			break
		}
		v.members = append(v.members, member{d.text(name), d.value()})
	}
	v.sort()
	return v
}

// text returns the content of a JSON string with a canonical spelling: only the escapes that JSON requires.
func (d *decoder) text(s jsontext.String) string {
	raw := d.Raw(s)
	at := bytes.IndexByte(raw, '\\')
	if at < 0 {
		return string(raw)
	}
	out := append(make([]byte, 0, len(raw)), raw[:at]...)
	for at < len(raw) {
		if raw[at] != '\\' {
			out = append(out, raw[at])
			at++
			continue
		}
		r, n := jsontext.Escape(raw[at:])
		out = appendJSONRune(out, r)
		at += n
	}
	return string(out)
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

// canonicalNumber spells equal doubles equally, as JavaScript does; a number that no double represents stays as it is.
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
