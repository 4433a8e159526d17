package jsontext

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Reader reads one JSON text. After the first error, results have no meaning.
type Reader struct {
	data         []byte // never changed; results may share its memory
	pos          int    // index of the next byte; only grows
	depth        int    // of the open arrays and objects, at most most
	most         int    // depth beyond which the text is refused
	white        int    // bytes of white space that were passed over
	err          string // the first; "" before
	exceedsDepth bool   // err is about the depth
}

// NewReader reads data, in which nothing may be nested deeper than most levels.
func NewReader(data []byte, most int) Reader { return Reader{data: data, most: most} }

// Err describes the first syntax error, "" for none.
func (r *Reader) Err() string { return r.err }

// ExceedsDepth reports whether the error is the depth.
func (r *Reader) ExceedsDepth() bool { return r.exceedsDepth }

// Pos returns the offset of the next byte.
func (r *Reader) Pos() int { return r.pos }

// Remaining returns the text that wasn't read yet.
func (r *Reader) Remaining() []byte { return r.data[r.pos:] }

// Skip passes over bytes that the caller understands.
func (r *Reader) Skip(n int) { r.pos += n }

// Space passes over white space.
func (r *Reader) Space() {
	for r.pos < len(r.data) {
		switch r.data[r.pos] {
		case ' ', '\t', '\n', '\r':
			r.pos++
			r.white++
		default:
			return
		}
	}
}

// Fail makes the remainder unreadable. The first error stays.
func (r *Reader) Fail(message string) {
	if r.err == "" {
		r.err = message
	}
}

// Unexpected fails at the next byte, where something else was expected.
func (r *Reader) Unexpected(want string) {
	if r.pos >= len(r.data) {
		r.Fail(fmt.Sprintf("the JSON ends at byte %d where %s is expected", r.pos, want))
		return
	}
	c, _ := utf8.DecodeRune(r.data[r.pos:])
	r.Fail(fmt.Sprintf("%q at byte %d of the JSON, where %s is expected", c, r.pos, want))
}

// Next returns the first byte of the value that comes next, 0 at the end.
func (r *Reader) Next() byte {
	if r.pos >= len(r.data) {
		return 0
	}
	return r.data[r.pos]
}

// Word reads true, false or null.
func (r *Reader) Word(word string) {
	if !bytes.HasPrefix(r.data[r.pos:], []byte(word)) {
		r.Unexpected(word)
		return
	}
	r.pos += len(word)
}

// Open enters an object or an array, which ends in end. It returns false if it is empty, or on an error.
func (r *Reader) Open(end byte) bool {
	if r.depth >= r.most {
		r.exceedsDepth = true
		r.Fail(fmt.Sprintf("the JSON is nested deeper than %d levels", r.most))
		return false
	}
	r.pos++
	r.Space()
	if r.take(end) {
		return false
	}
	r.depth++
	return true
}

// Name reads a member's name up to its value. It is false on an error.
func (r *Reader) Name() (String, bool) {
	if r.Next() != '"' {
		r.Unexpected("a member name")
		return String{}, false
	}
	name := r.String()
	r.Space()
	if r.err == "" && !r.take(':') {
		r.Unexpected("a colon")
	}
	r.Space()
	return name, r.err == ""
}

// More advances to the next value of an object or an array. It returns false at the end, and on an error.
func (r *Reader) More(end byte) bool {
	if r.err != "" {
		return false
	}
	r.Space()
	switch {
	case r.take(end):
		r.depth--
		return false
	case !r.take(','):
		r.Unexpected("a comma or " + string(end))
		return false
	}
	r.Space()
	return true
}

// take reads a byte if it comes next.
func (r *Reader) take(c byte) bool {
	if r.pos < len(r.data) && r.data[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

// Number reads a number and returns its literal, and where in it the exponent begins: at its e, or at the end.
func (r *Reader) Number() (literal []byte, exponent int) {
	start := r.pos
	r.take('-')
	if !r.take('0') && !r.digits() {
		return nil, 0
	}
	if r.take('.') && !r.digits() {
		return nil, 0
	}
	exponent = r.pos - start
	if r.take('e') || r.take('E') {
		if !r.take('+') {
			r.take('-')
		}
		if !r.digits() {
			return nil, 0
		}
	}
	return r.data[start:r.pos], exponent
}

// digits reads at least one.
func (r *Reader) digits() bool {
	start := r.pos
	for r.pos < len(r.data) && r.data[r.pos] >= '0' && r.data[r.pos] <= '9' {
		r.pos++
	}
	if r.pos == start {
		r.Unexpected("a digit")
		return false
	}
	return true
}
