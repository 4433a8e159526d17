package aep

import (
	"hash/maphash"
	"unicode/utf16"

	"github.com/streamcert/streamcert/runner/wire"
)

// largest is how much of a call's arguments is kept, in bytes.
const largest = 1 << 20

// joined puts the pieces of a block together. A text is hashed; the arguments of
// a call are kept, since they are compared as values.
type joined struct {
	size int
	sum  *maphash.Hash // nil before the first piece
	kept []byte
	lost bool   // more came than is kept
	head string // for people
}

func (j *joined) add(piece string, keep bool) {
	if j.sum == nil {
		j.sum = &maphash.Hash{}
		j.sum.SetSeed(seed)
	}
	j.size += len(piece)
	_, _ = j.sum.WriteString(piece) // never fails
	if len(j.head) < 200 {
		j.head += piece[:min(len(piece), 200)]
	}
	switch {
	case !keep:
	case len(j.kept)+len(piece) > largest:
		j.lost, j.kept = true, nil
	case !j.lost:
		j.kept = append(j.kept, piece...)
	}
}

func (j *joined) text() content {
	if j.sum == nil {
		return textOf("")
	}
	return content{sum: pair(5, j.sum.Sum64()), known: true, empty: j.size == 0}
}

func (j *joined) shown() string { return show(j.head) }

// content is what a block holds, as far as it is compared.
type content struct {
	sum   uint64
	known bool
	empty bool
}

func textOf(s string) content {
	return content{sum: pair(5, hash(s)), known: true, empty: s == ""}
}

func valueOf(v any) content { return content{sum: digest(v), known: true} }

// characters finds a delta that was cut inside a character. The decoded text
// doesn't show it any more, so the data is looked at as it came.
func (m *machine) characters(f *wire.Frame, object map[string]any) {
	if _, ok := object["delta"].(string); !ok {
		return
	}
	m.count[contentWholeCharacters]++
	if half := halfPair(f.Data); half != "" {
		m.add(contentWholeCharacters, placeOf(f), "a delta holds half a character", "a whole pair of surrogates", half)
	}
}

// halfPair returns the first escape of a JSON text that is half a surrogate pair,
// "" if there is none.
func halfPair(data []byte) string {
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		r, ok := unicodeEscape(data[i:])
		if !ok || !utf16.IsSurrogate(r) {
			i++ // what is escaped
			continue
		}
		low, ok := unicodeEscape(data[min(i+6, len(data)):])
		if !ok || utf16.DecodeRune(r, low) == '\uFFFD' {
			return string(data[i : i+6])
		}
		i += 11
	}
	return ""
}

// unicodeEscape reads \uXXXX.
func unicodeEscape(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
