package steps

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"

	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/schemas/jsontext"
)

// Encode writes a JSON value compactly, without escapes for HTML. It panics on a value that JSON can't express, which
// decoded JSON never is.
func Encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only values that came from JSON are encoded
	}
	return bytes.TrimSpace(b.Bytes())
}

// Decode reads the first JSON value of a text; numbers are of type json.Number. The error is that of encoding/json.
func Decode(b []byte) (any, error) {
	d := decoder{jsontext.NewReader(b, deepest)}
	d.Space()
	v := d.value()
	d.Space()
	if d.Err() == "" && len(d.Remaining()) == 0 {
		return v, nil
	}
	// Text follows the value, or it is invalid: encoding/json decides.
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}

// deepest is the nesting limit of encoding/json.
const deepest = 10_000

// decoder makes values as encoding/json does, in one pass.
type decoder struct{ jsontext.Reader }

func (d *decoder) value() any {
	switch c := d.Next(); {
	case c == '{':
		members := map[string]any{}
		for more := d.Open('}'); more; more = d.More('}') {
			name, ok := d.Name()
			if !ok {
				break
			}
			members[d.Text(name)] = d.value()
		}
		return members
	case c == '[':
		items := []any{}
		for more := d.Open(']'); more; more = d.More(']') {
			items = append(items, d.value())
		}
		return items
	case c == '"':
		return d.Text(d.String())
	case c == '-' || c >= '0' && c <= '9':
		literal, _ := d.Number()
		return json.Number(literal)
	case c == 't':
		d.Word("true")
		return true
	case c == 'f':
		d.Word("false")
		return false
	}
	d.Word("null")
	return nil
}

// ExceedsDepth reports whether a JSON text is nested deeper than messages may be. Decoded, it would take a hundred times its
// size.
func ExceedsDepth(b []byte) bool {
	if bytes.Count(b, []byte{'{'})+bytes.Count(b, []byte{'['}) <= schemas.MaxDepth {
		return false
	}
	level, quoted := 0, false
	for i := 0; i < len(b) && level <= schemas.MaxDepth; i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			level++
		case c == '}', c == ']':
			level--
		}
	}
	return level > schemas.MaxDepth
}

// MemberOf returns a member of a JSON object, nil where there is none or v is no object.
func MemberOf(v any, name string) any {
	object, _ := v.(map[string]any)
	return object[name]
}

// Same compares two JSON values; numbers compare as doubles.
func Same(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			w, ok := y[k]
			if !ok || !Same(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !Same(x[i], y[i]) {
				return false
			}
		}
		return true
	case json.Number:
		y, ok := b.(json.Number)
		return ok && (x == y || Float(x) == Float(y))
	}
	return a == b
}

// Float returns a JSON number as a double, NaN where it is out of range.
func Float(n json.Number) float64 {
	f, err := n.Float64()
	if err != nil {
		return math.NaN()
	}
	return f
}

// Clip shortens a server's text to fit a line. Writers of reports escape control characters.
func Clip(b []byte) string {
	const most = 240
	s := strings.TrimSpace(string(b))
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	if s == "" {
		return "nothing"
	}
	return s
}
