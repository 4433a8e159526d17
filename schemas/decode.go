package schemas

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/schemas/jsontext"
)

// maxProblems limits the memory for a document that is wrong everywhere.
const maxProblems = 20

type kind int

const (
	syntax kind = iota
	duplicate
	number
	badUTF8
)

// problem is something that is wrong with the JSON itself.
type problem struct {
	kind    kind   // decides which requirement it breaks
	message string // for people
	pointer string // JSON pointer to the value
}

// decoder reads one JSON value in a single pass.
type decoder struct {
	jsontext.Reader
	interned map[string]string // member names that need no memory; shared, only read
	path     []step            // from the root to the value that is being read
	problems []problem         // at most maxProblems, and a syntax error first
	value    any               // nil if the JSON is invalid
	broken   bool              // the value could not be read to its end
	texts    [64]any           // strings that were decoded last, which often occur again
}

// mostRepeated limits the strings that are looked up among those that were decoded last, in bytes.
const mostRepeated = 16

// step is one level of the way from the root to the value that is being read.
type step struct {
	key   string // of a member that is being read
	index int    // -1 in an object
}

// decode reads data. Known names are taken from interned instead of being allocated.
func decode(data []byte, interned map[string]string) *decoder {
	var room [8]step
	d := &decoder{Reader: jsontext.NewReader(data, MaxDepth), interned: interned, path: room[:0]}
	d.Space()
	if d.Pos() == len(data) {
		d.Fail("there is no JSON value")
	} else {
		d.value = d.any()
	}
	if d.Err() != "" {
		d.breaks()
		return d
	}
	d.Space()
	if d.Pos() < len(data) {
		d.report(syntax, fmt.Sprintf("%d bytes follow the JSON value, from byte %d", len(data)-d.Pos(), d.Pos()))
	}
	return d
}

// breaks reports why the value could not be read to its end, before anything else.
func (d *decoder) breaks() {
	d.broken = true
	if d.ExceedsDepth() {
		d.path = d.path[:0] // a pointer of that length isn't useful
	}
	d.problems = slices.Insert(d.problems, 0, problem{syntax, d.Err(), d.pointer()})
	d.value = nil
}

func (d *decoder) report(k kind, message string) {
	if len(d.problems) < maxProblems {
		d.problems = append(d.problems, problem{k, message, d.pointer()})
	}
}

func (d *decoder) pointer() string {
	if len(d.path) == 0 {
		return ""
	}
	var b strings.Builder
	for _, s := range d.path {
		b.WriteByte('/')
		if s.index >= 0 {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(escapePointer(s.key))
		}
	}
	return b.String()
}

func escapePointer(token string) string {
	if !strings.ContainsAny(token, "~/") {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

func (d *decoder) any() any {
	switch c := d.Next(); {
	case c == '{':
		return d.object()
	case c == '[':
		return d.array()
	case c == '"':
		return d.string(d.String())
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	case c == 't':
		d.Word("true")
		return true
	case c == 'f':
		d.Word("false")
		return false
	case c == 'n':
		d.Word("null")
		return nil
	}
	d.Unexpected("a value")
	return nil
}

func (d *decoder) object() any {
	members := make(map[string]any, 8)
	d.path = append(d.path, step{index: -1})
	for more := d.Open('}'); more; more = d.More('}') {
		name, ok := d.Name()
		if !ok {
			break
		}
		key := d.text(name)
		d.path[len(d.path)-1].key = key
		if _, again := members[key]; again {
			d.report(duplicate, "the key is there twice")
		}
		members[key] = d.any()
	}
	d.leave()
	return members
}

func (d *decoder) array() any {
	items := []any{}
	d.path = append(d.path, step{})
	for more := d.Open(']'); more; more = d.More(']') {
		d.path[len(d.path)-1].index = len(items)
		items = append(items, d.any())
	}
	d.leave()
	return items
}

// leave goes one level up. Of a broken text the path shows where it broke.
func (d *decoder) leave() {
	if d.Err() == "" {
		d.path = d.path[:len(d.path)-1]
	}
}

// text decodes a string. Half a surrogate pair becomes U+FFFD, as in encoding/json.
func (d *decoder) text(s jsontext.String) string {
	raw := d.Raw(s)
	if s.ASCII {
		if known, ok := d.interned[string(raw)]; ok {
			return known
		}
		return string(raw)
	}
	return d.unescaped(raw, s.Start)
}

// string decodes a string as a value. One that was decoded shortly before takes no memory again.
func (d *decoder) string(s jsontext.String) any {
	raw := d.Raw(s)
	if !s.ASCII || len(raw) == 0 || len(raw) > mostRepeated {
		return d.text(s)
	}
	slot := &d.texts[(int(raw[0])+7*int(raw[len(raw)-1])+31*len(raw))%len(d.texts)]
	if last, is := (*slot).(string); !is || last != string(raw) {
		*slot = d.text(s)
	}
	return *slot
}

func (d *decoder) unescaped(raw []byte, start int) string {
	out, reported := make([]byte, 0, len(raw)), false
	for i := 0; i < len(raw); {
		r, n := rune(raw[i]), 1
		switch {
		case r == '\\':
			r, n = jsontext.Escape(raw[i:])
		case r >= utf8.RuneSelf:
			r, n = utf8.DecodeRune(raw[i:])
			if r == utf8.RuneError && n == 1 && !reported {
				d.report(badUTF8, fmt.Sprintf("a string is not valid UTF-8, from byte %d", start+i))
				reported = true
			}
		}
		out = utf8.AppendRune(out, r) // U+FFFD for half a pair
		i += n
	}
	return string(out)
}
