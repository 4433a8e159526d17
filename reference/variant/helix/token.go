package helix

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tokens splits compact JSON into strings, punctuation, and runs of other bytes: numbers and literals.
func tokens(compact []byte) [][]byte {
	var out [][]byte
	for len(compact) > 0 {
		n := 1
		switch {
		case compact[0] == '"':
			n = stringLength(compact)
		case !isPunctuation(compact[0]):
			n = bytes.IndexAny(compact, "{}[],:\"")
			if n < 0 {
				n = len(compact)
			}
		}
		out = append(out, compact[:n])
		compact = compact[n:]
	}
	return out
}

func isPunctuation(c byte) bool { return strings.IndexByte("{}[],:", c) >= 0 }

// stringLength returns the length of the string that a text begins with, quotes included.
func stringLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// eachToken rewrites JSON token by token.
func eachToken(compact []byte, rewrite func(dst, token []byte) []byte) []byte {
	out := make([]byte, 0, 2*len(compact))
	for _, t := range tokens(compact) {
		out = rewrite(out, t)
	}
	return out
}

// eachString rewrites the strings of JSON, names of members included.
func eachString(compact []byte, rewrite func(dst []byte, text string) []byte) []byte {
	return eachToken(compact, func(dst, token []byte) []byte {
		// A lone surrogate has no text, so its string stays as it is.
		if token[0] != '"' || bytes.Contains(bytes.ToLower(token), []byte(`\ud`)) {
			return append(dst, token...)
		}
		var text string
		if err := json.Unmarshal(token, &text); err != nil { // the token came from valid JSON
			panic(fmt.Errorf("reading the string %s: %w", token, err))
		}
		return rewrite(dst, text)
	})
}

// eachNumber rewrites the numbers of JSON.
func eachNumber(compact []byte, rewrite func(text string) string) []byte {
	return eachToken(compact, func(dst, token []byte) []byte {
		if token[0] == '-' || token[0] >= '0' && token[0] <= '9' {
			return append(dst, rewrite(string(token))...)
		}
		return append(dst, token...)
	})
}

// escaped writes every character but letters and digits of ASCII as an escape.
func escaped(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case r == '/':
			dst = append(dst, `\/`...)
		case r < utf8.RuneSelf && strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789_", r):
			dst = append(dst, byte(r))
		case r > 0xffff:
			r -= 0x10000
			dst = fmt.Appendf(dst, `\u%04x\u%04X`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		}
	}
	return append(dst, '"')
}

// raw writes every character unescaped that JSON allows.
func raw(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// withPoint writes an integer as a number with a fraction.
func withPoint(text string) string {
	if strings.ContainsAny(text, ".eE") {
		return strings.Replace(text, "e", "E", 1)
	}
	return text + ".0"
}

// asDouble writes a number as a language does whose numbers are doubles.
func asDouble(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsInf(v, 0):
		return text // such a language would refuse it; no scenario depends on that
	case v == 0:
		return "0" // minus zero included
	case math.Abs(v) < 1e21 && v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// backwards writes the members of every object in the opposite order.
func backwards(compact []byte) []byte {
	out, _ := reversed(tokens(compact))
	return out
}

// reversed rewrites the first value of the tokens and returns the tokens after it.
func reversed(ts [][]byte) (value []byte, rest [][]byte) {
	open := ts[0]
	if open[0] != '{' && open[0] != '[' {
		return open, ts[1:]
	}
	var parts [][]byte
	ts = ts[1:]
	for ts[0][0] != '}' && ts[0][0] != ']' {
		if ts[0][0] == ',' {
			ts = ts[1:]
		}
		var name []byte
		if open[0] == '{' {
			name, ts = slices.Concat(ts[0], ts[1]), ts[2:]
		}
		value, ts = reversed(ts)
		parts = append(parts, slices.Concat(name, value))
	}
	if open[0] == '{' {
		slices.Reverse(parts)
	}
	return slices.Concat(open, bytes.Join(parts, []byte(",")), ts[0]), ts[1:]
}
