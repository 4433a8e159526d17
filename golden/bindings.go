package golden

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Epoch is the first timestamp that a script wrote, as transcripts show it: each scenario writes others, and
// transcripts don't change from run to run.
const Epoch = 1702329600000

// Bindings are the values that are known before a transcript is normalised.
type Bindings struct {
	// Literals maps a literal to the placeholder that replaces it everywhere: "s-7f3a" → "{stream}".
	Literals map[string]string
	// Timestamps are those that the script wrote, in Unix milliseconds. They are shifted so that the first is Epoch.
	Timestamps []int64
	// Produced reports that the server made the chunks and doesn't relay them: their ids and timestamps are free choices.
	Produced bool
}

// Validate reports literals and placeholders that Normalise would skip: a literal must not be empty or contain a brace, a
// placeholder is a word of letters in braces.
func (b Bindings) Validate() error {
	var errs []error
	for _, literal := range sortedKeys(b.Literals) {
		if !bindable(literal, b.Literals[literal]) {
			errs = append(errs, fmt.Errorf("literal %q can't be bound to placeholder %q", literal, b.Literals[literal]))
		}
	}
	return errors.Join(errs...)
}

var (
	placeholderWord = regexp.MustCompile(`^\{[A-Za-z]+\}$`)
	placeholder     = regexp.MustCompile(`\{[A-Za-z]+[0-9]{0,9}(?:<ts[0-9]{1,9})?\}`)
	stampToken      = regexp.MustCompile(`^\{ts[0-9]{1,9}(?:<ts[0-9]{1,9})?\}`)
)

func bindable(literal, token string) bool {
	return literal != "" && !strings.ContainsAny(literal, "{}") && placeholderWord.MatchString(token)
}

// bareStamp returns the length of a placeholder for a number at the beginning of s.
func bareStamp(s []byte) int {
	if !bytes.HasPrefix(s, []byte("{ts")) {
		return 0
	}
	return len(stampToken.Find(s))
}

// tokenLen returns the length of a placeholder at the beginning of s.
func tokenLen(s string) int {
	if at := placeholder.FindStringIndex(s[:min(len(s), 64)]); at != nil && at[0] == 0 {
		return at[1]
	}
	return 0
}

// tokenParts takes a placeholder for a free choice apart; the first of a class has no number.
func tokenParts(token string) (class string, number int) {
	token, _, _ = strings.Cut(strings.Trim(token, "{}"), "<")
	class = strings.TrimRight(token, "0123456789")
	if class == token {
		return class, 1
	}
	number, _ = strconv.Atoi(token[len(class):]) // at most nine digits: can't fail
	return class, number
}

type literal struct{ text, json, token string }

func (b Bindings) literals() []literal {
	var out []literal
	for _, text := range sortedKeys(b.Literals) {
		if token := b.Literals[text]; bindable(text, token) {
			out = append(out, literal{text, jsonText(text), token})
		}
	}
	// The longest first: of two ids, one may begin with the other.
	slices.SortStableFunc(out, func(a, b literal) int { return cmp.Compare(len(b.text), len(a.text)) })
	return out
}

// replacer puts placeholders for literals. match returns how much of s a literal covers; step how long
// one unit of the text is (an escape, a code point), so that no literal is found in the middle of one.
type replacer struct {
	match func(l literal, s string) int // 0: the literal doesn't begin here
	step  func(s string) int            // at least 1
}

var (
	inText = replacer{
		match: func(l literal, s string) int { return prefixLen(s, l.text) },
		step:  func(string) int { return 1 },
	}
	inJSON = replacer{
		match: func(l literal, s string) int { return prefixLen(s, l.json) },
		step: func(s string) int {
			switch {
			case s[0] != '\\' || len(s) < 2:
				return 1
			case s[1] == 'u':
				return min(6, len(s))
			}
			return 2
		},
	}
	inPath = replacer{match: matchPercent, step: func(s string) int { _, n := percentUnit(s); return n }}
)

func prefixLen(s, prefix string) int {
	if strings.HasPrefix(s, prefix) {
		return len(prefix)
	}
	return 0
}

func matchPercent(l literal, s string) int {
	at := 0
	for i := range len(l.text) {
		if at >= len(s) {
			return 0
		}
		c, n := percentUnit(s[at:])
		if c != l.text[i] {
			return 0
		}
		at += n
	}
	return at
}

// percentUnit reads one byte of a path, percent-encoded or not.
func percentUnit(s string) (c byte, n int) {
	if s[0] == '%' && len(s) >= 3 {
		if v, err := strconv.ParseUint(s[1:3], 16, 8); err == nil {
			return byte(v), 3
		}
	}
	return s[0], 1
}

func (r replacer) replace(s string, literals []literal) string {
	if len(literals) == 0 {
		return s
	}
	var b strings.Builder
	for s != "" {
		n, with := r.at(s, literals)
		b.WriteString(with)
		s = s[n:]
	}
	return b.String()
}

// at returns the length of the next piece of s, and its replacement.
func (r replacer) at(s string, literals []literal) (n int, with string) {
	if s[0] == '{' {
		if n := tokenLen(s); n > 0 {
			return n, s[:n]
		}
	}
	for _, l := range literals {
		if n := r.match(l, s); n > 0 {
			return n, l.token
		}
	}
	n = r.step(s)
	return n, s[:n]
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
