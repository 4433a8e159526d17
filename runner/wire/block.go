package wire

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// A lineEnd is one of the three terminators, or none yet.
type lineEnd byte

const (
	none lineEnd = iota
	lf
	cr
	crlf
)

func (e lineEnd) size() int {
	if e == crlf {
		return 2
	}
	return 1
}

func (e lineEnd) String() string { return [...]string{"none", "LF", "CR", "CR LF"}[e] }

// endAt classifies the terminator at buf[i]; known is false for a CR that an LF may still follow.
func (r *Reader) endAt(i int) (ends lineEnd, known bool) {
	switch {
	case r.buf[i] == '\n':
		return lf, true
	case i+1 < r.end && r.buf[i+1] == '\n':
		return crlf, true
	default:
		return cr, i+1 < r.end || r.err != nil
	}
}

// countEnd notes a line end at buf[i] that differs from the body's first.
func (r *Reader) countEnd(ends lineEnd, i int) {
	if r.bodyEnd == none {
		r.bodyEnd = ends
	}
	if ends != r.bodyEnd {
		r.cur.violate(Violation{MixedLineEnds, r.base + int64(i-r.start), r.lineNo,
			fmt.Sprintf("line ends with %v, the body's first line with %v", ends, r.bodyEnd)})
	}
	r.prevEnd = ends
}

// remark reports a comment as soon as its line is complete, once.
func (r *Reader) remark(text []byte) {
	if r.o.OnComment == nil || r.noted || len(text) == 0 || text[0] != ':' {
		return
	}
	r.noted = true
	r.o.OnComment(string(value(text, 0)), r.arrived)
}

// value returns the text after the colon at line[colon], less one space.
func value(line []byte, colon int) []byte {
	v := line[colon+1:]
	if len(v) > 0 && v[0] == ' ' {
		v = v[1:]
	}
	return v
}

// field takes one line that isn't blank and begins at byte at of the block;
// ended reports whether its line end was there.
func (r *Reader) field(line []byte, at int, ended bool) {
	f := &r.cur
	if !r.open {
		r.open = true
		f.Line = r.lineNo
	}
	r.checkUTF8(line, at, ended)
	colon := bytes.IndexByte(line, ':')
	if colon == 0 { // a comment
		if len(f.Comments) < maxNotes {
			f.Comments = append(f.Comments, string(value(line, 0)))
		}
		return
	}
	name, val := line, []byte(nil)
	if colon > 0 {
		name, val = line[:colon], value(line, colon)
	} else {
		r.violate(FieldWithoutColon, at, "the line has no colon")
	}
	switch string(name) {
	case "data":
		r.data(val, at+len(line)-len(val))
	case "id":
		r.id(val, at)
	case "event":
		f.HasEvent = true
		f.Event = same(val, r.lastEvent)
		r.lastEvent = f.Event
	case "retry":
		if ended { // a body that ends within the digits shows another number
			r.retry(val, at)
		}
	default:
		if len(f.Unknown) < maxNotes {
			f.Unknown = append(f.Unknown, string(name))
		}
	}
}

func (r *Reader) violate(kind Kind, at int, detail string) {
	r.cur.violate(Violation{kind, r.base + int64(at), r.lineNo, detail})
}

// data adds a data line. The first one stays in the later Raw; only a second one makes a joined copy necessary.
func (r *Reader) data(val []byte, at int) {
	switch r.cur.DataLines {
	case 0:
		r.dataAt, r.dataLen = at, len(val)
	case 1:
		first := r.buf[r.start+r.dataAt:][:r.dataLen]
		r.joined = append(make([]byte, 0, len(first)+1+len(val)), first...)
		fallthrough
	default:
		r.joined = append(append(r.joined, '\n'), val...)
	}
	r.cur.DataLines++
}

func (r *Reader) id(val []byte, at int) {
	f := &r.cur
	if bytes.IndexByte(val, 0) >= 0 {
		f.IDBad = true
		r.violate(NULInID, at, "the id holds a NUL")
		return
	}
	f.HasID = true
	f.ID = same(val, r.lastID)
}

func (r *Reader) retry(val []byte, at int) {
	for _, c := range val {
		if c < '0' || c > '9' {
			val = nil
			break
		}
	}
	if len(val) == 0 {
		r.violate(BadRetry, at, "retry isn't a number of digits")
		return
	}
	ms, err := strconv.ParseInt(string(val), 10, 32)
	if err != nil { // only digits, so out of range
		ms = math.MaxInt32
	}
	r.cur.Retry, r.cur.HasRetry = int(ms), true
}

// same returns b as a string, without allocating if known states the same.
func same(b []byte, known string) string {
	if string(b) == known {
		return known
	}
	return string(b)
}

// emit completes the current block, which ends at r.line, and starts the next.
func (r *Reader) emit(terminated bool) *Frame {
	f := r.cur
	f.Raw = append(make([]byte, 0, r.line-r.start), r.buf[r.start:r.line]...)
	f.Index, f.Offset = r.index, r.base
	f.End = f.Offset + int64(len(f.Raw))
	f.Arrived, f.Silence = r.arrived, r.silence
	switch {
	case f.DataLines == 1:
		f.Data = f.Raw[r.dataAt : r.dataAt+r.dataLen : r.dataAt+r.dataLen]
	case f.DataLines > 1:
		f.Data = r.joined
	}
	f.Terminated = terminated
	if terminated && f.HasID {
		r.lastID = f.ID
	}
	f.LastEventID = r.lastID
	if !terminated {
		f.violate(Violation{Unterminated, f.End, r.lineNo, "the body ended before the block's blank line"})
	}

	r.index++
	r.base = f.End
	r.start, r.firstLine = r.line, r.lineNo
	r.cur, r.open, r.joined, r.silence = Frame{}, false, nil, 0
	return &f
}

// checkUTF8 notes the first ill-formed sequence of the line at byte at of the
// block. A sequence that the end of the body splits is none.
func (r *Reader) checkUTF8(line []byte, at int, ended bool) {
	if utf8.Valid(line) {
		return
	}
	for i := 0; i < len(line); {
		c, n := utf8.DecodeRune(line[i:])
		if c == utf8.RuneError && n == 1 {
			if ended || utf8.FullRune(line[i:]) {
				r.violate(InvalidUTF8, at+i, fmt.Sprintf("byte 0x%02x isn't valid UTF-8 here", line[i]))
			}
			return
		}
		i += n
	}
}
