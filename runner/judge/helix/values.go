package helix

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// isDecimal says whether s is decimal digits without leading zeros.
func isDecimal(s string) bool {
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

// decimal reads a plain decimal. A larger one than fits is missing.
func decimal(s string) number {
	if !isDecimal(s) {
		return number{}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return number{n, err == nil}
}

// integer reads a JSON number that has an integral value, however written.
func integer(v any) number {
	text, ok := v.(json.Number)
	if !ok || len(text) > 64 {
		return number{}
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return number{n, true}
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return number{}
	}
	return number{int64(x), true}
}

// show renders a JSON value for people, cut where it gets long.
func show(v any) string {
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
