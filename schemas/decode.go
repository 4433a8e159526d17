package schemas

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxProblems keeps a document that is wrong everywhere from costing memory.
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
	kind    kind
	message string
	pointer string
}

// decoder reads one JSON value in a single pass.
type decoder struct {
	data     []byte
	pos      int
	interned map[string]string
	path     []step
	problems []problem
	value    any
	broken   bool // the value could not be read to its end
}

// step is one level of the way from the root to the value that is being read.
type step struct {
	key   string
	index int // -1 in an object
}

// decode reads data. Known names are taken from interned instead of being allocated.
func decode(data []byte, interned map[string]string) *decoder {
	var room [8]step
	d := &decoder{data: data, interned: interned, path: room[:0]}
	d.space()
	if d.pos == len(data) {
		d.fail("there is no JSON value")
		return d
	}
	d.value = d.any()
	if d.broken {
		d.value = nil
		return d
	}
	d.space()
	if d.pos < len(data) {
		d.path = d.path[:0]
		d.report(syntax, fmt.Sprintf("%d bytes follow the JSON value, from byte %d", len(data)-d.pos, d.pos))
	}
	return d
}

func (d *decoder) space() {
	for d.pos < len(d.data) {
		switch d.data[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

func (d *decoder) report(k kind, message string) {
	if len(d.problems) < maxProblems {
		d.problems = append(d.problems, problem{k, message, d.pointer()})
	}
}

// fail reports what makes the rest unreadable.
func (d *decoder) fail(message string) {
	if !d.broken {
		d.broken = true
		// The first thing that is reported of a broken document is why it is broken.
		d.problems = append([]problem{{syntax, message, d.pointer()}}, d.problems...)
	}
}

// unexpected fails at the current byte.
func (d *decoder) unexpected(want string) {
	if d.pos >= len(d.data) {
		d.fail(fmt.Sprintf("the JSON ends at byte %d where %s is expected", d.pos, want))
		return
	}
	r, _ := utf8.DecodeRune(d.data[d.pos:])
	d.fail(fmt.Sprintf("%q at byte %d of the JSON, where %s is expected", r, d.pos, want))
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
	if d.pos >= len(d.data) {
		d.unexpected("a value")
		return nil
	}
	switch c := d.data[d.pos]; {
	case c == '{':
		return d.object()
	case c == '[':
		return d.array()
	case c == '"':
		return d.string()
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	case c == 't':
		return d.word("true", true)
	case c == 'f':
		return d.word("false", false)
	case c == 'n':
		return d.word("null", nil)
	default:
		d.unexpected("a value")
		return nil
	}
}

func (d *decoder) word(word string, value any) any {
	if len(d.data)-d.pos < len(word) || string(d.data[d.pos:d.pos+len(word)]) != word {
		d.unexpected(word)
		return nil
	}
	d.pos += len(word)
	return value
}

// enter opens one level of nesting.
func (d *decoder) enter(s step) bool {
	if len(d.path) >= MaxDepth {
		d.path = d.path[:0] // a pointer that long helps nobody
		d.fail(fmt.Sprintf("the JSON is nested deeper than %d levels", MaxDepth))
		return false
	}
	d.path = append(d.path, s)
	d.pos++
	d.space()
	return true
}

func (d *decoder) leave() {
	if !d.broken {
		d.path = d.path[:len(d.path)-1]
	}
}

// closes consumes the closing bracket if it is next.
func (d *decoder) closes(bracket byte) bool {
	if d.pos < len(d.data) && d.data[d.pos] == bracket {
		d.pos++
		return true
	}
	return false
}

func (d *decoder) object() any {
	members := make(map[string]any, 8)
	if !d.enter(step{index: -1}) {
		return nil
	}
	defer d.leave()
	if d.closes('}') {
		return members
	}
	for !d.broken {
		key := d.key()
		if d.broken {
			break
		}
		d.path[len(d.path)-1].key = key
		if _, again := members[key]; again {
			d.report(duplicate, "the key is there twice")
		}
		members[key] = d.any()
		d.space()
		if d.broken || d.closes('}') {
			return members
		}
		if !d.closes(',') {
			d.unexpected("a comma or }")
		}
		d.space()
	}
	return nil
}

// key reads a member name and its colon, up to the value.
func (d *decoder) key() string {
	if d.pos >= len(d.data) || d.data[d.pos] != '"' {
		d.unexpected("a member name")
		return ""
	}
	key := d.string()
	d.space()
	if !d.broken && !d.closes(':') {
		d.unexpected("a colon")
	}
	d.space()
	return key
}

func (d *decoder) array() any {
	items := []any{}
	if !d.enter(step{}) {
		return nil
	}
	defer d.leave()
	if d.closes(']') {
		return items
	}
	for !d.broken {
		d.path[len(d.path)-1].index = len(items)
		items = append(items, d.any())
		d.space()
		if d.broken || d.closes(']') {
			return items
		}
		if !d.closes(',') {
			d.unexpected("a comma or ]")
		}
		d.space()
	}
	return nil
}
