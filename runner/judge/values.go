package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/streamcert/streamcert/schemas/jsontext"
)

// Number is an integer that may be missing.
type Number struct {
	N  int64 // undefined unless OK
	OK bool  // there was an integer that fits
}

// Raise takes a larger number, or any where there is none.
func (n *Number) Raise(to int64) {
	if !n.OK || to > n.N {
		*n = Number{to, true}
	}
}

// Lower takes a smaller number where there is one.
func (n *Number) Lower(to Number) {
	if n.OK && to.OK && to.N < n.N {
		*n = to
	}
}

// IsDecimal reports whether s is decimal digits without leading zeros.
func IsDecimal(s string) bool {
	if s == "" || s[0] == '0' && len(s) > 1 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// Decimal reads a number of decimal digits. A larger one than fits is missing.
func Decimal(s string) Number {
	if !IsDecimal(s) {
		return Number{}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return Number{n, err == nil}
}

// Integer reads a JSON number that has an integral value, however written.
func Integer(v any) Number {
	text, ok := v.(json.Number)
	if !ok || len(text) > 64 {
		return Number{}
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return Number{n, true}
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return Number{}
	}
	return Number{int64(x), true}
}

// Double returns the number as readers parse it: a number that is too large is infinite, and zero has no sign.
func Double(n json.Number) float64 {
	x, _ := strconv.ParseFloat(string(n), 64)
	return x + 0
}

// Digest hashes a decoded JSON value. Two values that readers can't tell apart
// have equal digests: members in any order, numbers by the double that they are.
func Digest(v any) uint64 {
	switch v := v.(type) {
	case nil:
		return 1
	case bool:
		if v {
			return 2
		}
		return 3
	case json.Number:
		return CombineHashes(4, math.Float64bits(Double(v)))
	case string:
		return TextDigest(Hash(v))
	case []any:
		sum := CombineHashes(6, uint64(len(v)))
		for _, item := range v {
			sum = CombineHashes(sum, Digest(item))
		}
		return sum
	case map[string]any:
		sum := CombineHashes(7, uint64(len(v)))
		for name, member := range v {
			sum += CombineHashes(Hash(name), Digest(member))
		}
		return sum
	}
	return 0
}

// TextDigest returns the digest of the string that has a hash.
func TextDigest(hash uint64) uint64 { return CombineHashes(5, hash) }

// OneValue decodes a text that is exactly one JSON value.
func OneValue(text []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	_, err := d.Token()
	return v, err == io.EOF
}

// Object decodes a text that is exactly one JSON object, nil if it isn't.
func Object(text []byte) map[string]any {
	if v, ok := OneValue(text); ok {
		object, _ := v.(map[string]any)
		return object
	}
	return nil
}

// Show renders a JSON value for people, shortened where it gets long.
func Show(v any) string {
	const most = 80
	if text, ok := v.(string); ok && len(text) > 2*most {
		v = text[:2*most] // not worth escaping 16 MiB for
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if len(b) <= most {
		return string(b)
	}
	n := most
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return string(b[:n]) + "…"
}

// IsASCII reports whether each character of a text is one byte, which can't be split.
func IsASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// HalfSurrogate returns the first escape of a JSON text that is half a surrogate pair,
// "" if there is none.
func HalfSurrogate(text []byte) string {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		r, n := jsontext.Escape(text[i:])
		if utf16.IsSurrogate(r) {
			return string(text[i : i+n])
		}
		i += max(n, 2) - 1
	}
	return ""
}
