package aep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

// Two JSON values are the same if readers can't tell them apart: members in any
// order, numbers by the double that they are.

var seed = maphash.MakeSeed()

func hash(text string) uint64 { return maphash.String(seed, text) }

func pair(a, b uint64) uint64 {
	var p [16]byte
	for i := range 8 {
		p[i], p[8+i] = byte(a>>(8*i)), byte(b>>(8*i))
	}
	return maphash.Bytes(seed, p[:])
}

// digest hashes a decoded JSON value; equal values have equal digests.
func digest(v any) uint64 {
	switch v := v.(type) {
	case nil:
		return 1
	case bool:
		if v {
			return 2
		}
		return 3
	case json.Number:
		x, _ := strconv.ParseFloat(string(v), 64) // what is too large is infinite
		return pair(4, math.Float64bits(x+0))     // zero has no sign
	case string:
		return pair(5, hash(v))
	case []any:
		sum := pair(6, uint64(len(v)))
		for _, item := range v {
			sum = pair(sum, digest(item))
		}
		return sum
	case map[string]any:
		sum := pair(7, uint64(len(v)))
		for name, member := range v {
			sum += pair(hash(name), digest(member))
		}
		return sum
	}
	return 0
}

// oneValue decodes a text that is exactly one JSON value.
func oneValue(text []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	_, err := d.Token()
	return v, err == io.EOF
}

// index reads a blockIndex or a deltaIndex, however it is written.
func index(v any) (int64, bool) {
	text, ok := v.(json.Number)
	if !ok || len(text) > 64 {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return n, n >= 0
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil || x != math.Trunc(x) || x < 0 || x > 1<<53 {
		return 0, false
	}
	return int64(x), true
}

// show renders a JSON value for people, cut where it gets long.
func show(v any) string {
	const longest = 80
	if text, ok := v.(string); ok && len(text) > 2*longest {
		v = text[:2*longest] // not worth escaping megabytes for
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if len(b) <= longest {
		return string(b)
	}
	n := longest
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return string(b[:n]) + "…"
}
