package redact

import (
	"html"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
)

// truncation marks where a text was truncated: the prefix of a secret before it is also redacted.
const truncation = "…"

// scan is one reading of a text. Its time grows with the text and with the secrets, never with their product squared:
// a long run of backslashes is counted once, and each attempt at a form has a budget.
type scan struct {
	s     string
	runs  []run // of longRun backslashes and more, in order; nil before they are first needed
	left  int   // steps that the attempt at a form may still take
	steps int   // that were taken in all
}

// run is s[from:to], all backslashes.
type run struct{ from, to int }

// longRun is the size from which runs are cached: shorter ones are recounted.
const longRun = 16

// budget returns the number of steps for an attempt at a form of some bytes. An escape tool writes a text in two steps a
// byte; more are only needed where a secret of backslashes could be read in several ways.
func budget(size int) int { return 4*size + 32 }

// begins lists the possible first bytes of a secret at s[i].
func (t *scan) begins(i int, room []byte) []byte {
	s := t.s
	out := append(room, s[i])
	add := func(text string, size int) int {
		if text != "" {
			out = append(out, text[0])
		}
		return -1
	}
	t.escapes(i, add)
	return out
}

// match reads the remainder of a secret from s[j], each character as it is or in any escape, and returns its end, -1 if it isn't
// there. done is the number of bytes of the secret before.
func (t *scan) match(j int, remainder string, done int) int {
	s := t.s
	for i := 0; i < len(remainder); i++ {
		t.steps++
		if t.left--; t.left < 0 {
			return -1
		}
		if j < len(s) && s[j] == remainder[i] && s[j] != '%' && s[j] != '\\' && s[j] != '&' {
			j++
			continue
		}
		if done+i >= shortest && strings.HasPrefix(s[j:], truncation) {
			return j
		}
		if j >= len(s) {
			return -1
		}
		return t.escaped(j, remainder[i:], done+i)
	}
	return j
}

// escaped is match for a position s[j] with an escape, or a character that could begin one.
func (t *scan) escaped(j int, remainder string, done int) int {
	then := func(text string, size int) int {
		if text == "" || !strings.HasPrefix(remainder, text) {
			return -1
		}
		return t.match(j+size, remainder[len(text):], done+len(text))
	}
	if t.s[j] == remainder[0] && remainder[0] == '\\' {
		// A run that is escaped as a whole has each of its backslashes 1, 2, 4 or 8 times.
		size, n := backslashes(remainder), t.backslashes(j)
		for times := 1; times <= 8 && size*times <= n; times *= 2 {
			if end := then(remainder[:size], size*times); end >= 0 {
				return end
			}
		}
	} else if t.s[j] == remainder[0] {
		if end := then(remainder[:1], 1); end >= 0 {
			return end
		}
	}
	return t.escapes(j, then)
}

// escapes calls then with each text that the bytes at s[j] may be an escape of, and the size of the escape, until then
// returns an end; else it returns -1.
func (t *scan) escapes(j int, then func(text string, size int) int) int {
	switch t.s[j] {
	case '+': // a space of a form
		return then(" ", 1)
	case '%':
		return t.percent(j, then)
	case '&':
		return t.entity(j, then)
	case '\\':
		return t.slashed(j, then)
	}
	return -1
}

// mostTimes bounds how often a text may have been percent-encoded or escaped for HTML: a proxy does it once more.
const mostTimes = 3

// percent reads a percent-encoded byte; the percent sign may be encoded itself.
func (t *scan) percent(j int, then func(text string, size int) int) int {
	size := 1
	for range mostTimes {
		text := octet(t.s, j+size)
		if end := then(text, size+2); end >= 0 {
			return end
		}
		if text == "+" { // a space of a form, encoded once more
			if end := then(" ", size+2); end >= 0 {
				return end
			}
		}
		if !strings.HasPrefix(t.s[j+size:], "25") {
			break
		}
		size += 2
	}
	return -1
}

// entity reads a character reference of HTML or XML; its ampersand may be escaped itself.
func (t *scan) entity(j int, then func(text string, size int) int) int {
	const longest = 11 // bytes after the ampersand
	from := j + 1
	for range mostTimes {
		size := strings.IndexByte(t.s[from:min(len(t.s), from+longest)], ';') + 1
		if size == 0 {
			break
		}
		text := html.UnescapeString("&" + t.s[from:from+size])
		if end := then(text, from+size-j); end >= 0 {
			return end
		}
		if text != "&" {
			break
		}
		from += size
	}
	return -1
}

// slashed reads an escape of another character than that of a backslash, which begins with a backslash, or with several
// where text was escaped more than once.
func (t *scan) slashed(j int, then func(text string, size int) int) int {
	s, n := t.s, t.backslashes(j)
	if j+n >= len(s) {
		return -1
	}
	switch c := s[j+n]; c {
	case 'u':
		return then(t.unicode(j, j+n+1))
	case 'U':
		return then(character(s, j, j+n+1))
	case 'x':
		return then(octet(s, j+n+1), n+3)
	case 'n', 'r', 't', 'b', 'f', 'v', 'a':
		if end := then(string("\n\r\t\b\f\v\a"[strings.IndexByte("nrtbfva", c)]), n+1); end >= 0 {
			return end
		}
	}
	return then(s[j+n:j+n+1], n+1)
}

// backslashes counts those that a text begins with.
func backslashes(s string) int { return len(s) - len(strings.TrimLeft(s, `\`)) }

// backslashes counts the backslashes from s[j] on.
func (t *scan) backslashes(j int) int {
	s := t.s
	for n := range longRun {
		if j+n >= len(s) || s[j+n] != '\\' {
			return n
		}
	}
	if t.runs == nil {
		t.runs = longRuns(s)
	}
	at := sort.Search(len(t.runs), func(i int) bool { return t.runs[i].to > j })
	return t.runs[at].to - j
}

// longRuns finds the runs that are remembered.
func longRuns(s string) []run {
	var out []run
	sought := strings.Repeat(`\`, longRun)
	for at := 0; ; {
		next := strings.Index(s[at:], sought)
		if next < 0 {
			return out
		}
		from := at + next
		for at = from + longRun; at < len(s) && s[at] == '\\'; {
			at++
		}
		out = append(out, run{from, at})
	}
}

// octet returns the byte of two digits in base 16, "" if there are none.
func octet(s string, at int) string {
	if at+2 > len(s) {
		return ""
	}
	n, err := strconv.ParseUint(s[at:at+2], 16, 8)
	if err != nil {
		return ""
	}
	return string([]byte{byte(n)})
}

// character returns the character of \U and eight digits, and the size of the escape from the first backslash.
func character(s string, from, at int) (string, int) {
	if at+8 > len(s) {
		return "", 0
	}
	n, err := strconv.ParseUint(s[at:at+8], 16, 31)
	if err != nil {
		return "", 0
	}
	return string(rune(n)), at + 8 - from
}

// unicode returns the character of \u and four digits, or of two such that make one.
func (t *scan) unicode(from, at int) (string, int) {
	s := t.s
	unit := func(at int) rune {
		if at+4 > len(s) {
			return -1
		}
		n, err := strconv.ParseUint(s[at:at+4], 16, 32)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	first := unit(at)
	if first < 0 {
		return "", 0
	}
	if low := at + 4 + at - from; utf16.IsSurrogate(first) && low <= len(s) && s[low-1] == 'u' && t.backslashes(at+4) == at-from-1 {
		return string(utf16.DecodeRune(first, unit(low))), low + 4 - from
	}
	return string(first), at + 4 - from
}
