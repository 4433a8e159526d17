package wire

import (
	"bytes"
	"fmt"
	"io"
	"time"
)

// DefaultMaxFrame is the largest block that a Reader takes by default: a chunk
// of 16 MiB and its envelope.
const DefaultMaxFrame = 17 << 20

const (
	initialBuffer = 4 << 10   // the buffer starts here, which is enough for most bodies
	bufferSize    = 32 << 10  // once full it has this size, and grows from here
	bufferKeep    = 512 << 10 // a larger buffer is given back when it is empty
	maxNoReads    = 100       // reads in a row that bring nothing
)

// Options configure a Reader. The zero value is ready to use.
type Options struct {
	// MaxFrame bounds the bytes of one block, leading blank lines included;
	// 0 means DefaultMaxFrame.
	MaxFrame int64
	// Now is the clock for arrival times; nil means time.Now.
	Now func() time.Time
	// OnComment is called for every comment line as soon as its line end was
	// read, before its block ends.
	OnComment func(text string, at time.Time)
}

// A Reader splits a body into Frames. It isn't safe for concurrent use.
type Reader struct {
	src io.Reader // read in pieces of any size
	o   Options   // with defaults
	err error     // the error that ended the body, sticky

	over bool // err is a *LimitError

	// buf[start:end] is the block being read, with data read in advance.
	buf              []byte
	start, end       int
	line, scan       int           // start of the current line; where to go on looking for its end
	nextLF, nextCR   int           // cached positions, see find
	base             int64         // offset in the body of buf[start]
	lineNo           int           // of the current line, from 1
	firstLine        int           // of the block's first byte
	arrived          time.Time     // time of the last read
	silence          time.Duration // longest wait of a read since the last block
	cur              Frame         // the block being read
	open             bool          // cur contains a field or a comment
	dataAt, dataLen  int           // the only data line, relative to start
	joined           []byte        // several data lines; nil for one or none
	noted            bool          // the current line's comment was reported already
	prevEnd, bodyEnd lineEnd       // of the last line; bodyEnd: of the first line of the body
	swallowLF        bool          // the blank line was a CR; an LF that follows is part of it
	started          bool          // past the position where a byte order mark may be
	lastID           string        // last event id; it outlives blocks
	lastEvent        string        // shared by blocks of the same event, to save memory
	index            int           // of the next block
}

// NewReader returns a Reader of the body r.
func NewReader(r io.Reader, o Options) *Reader {
	if o.MaxFrame <= 0 {
		o.MaxFrame = DefaultMaxFrame
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Reader{src: r, o: o, lineNo: 1, firstLine: 1}
}

// Offset returns the number of body bytes read from the source so far.
func (r *Reader) Offset() int64 { return r.base + int64(r.end-r.start) }

// Coming returns the number of bytes that were read and aren't part of a returned frame. While Next waits for the source,
// they are those of the incomplete block.
func (r *Reader) Coming() int { return r.end - r.start }

// Tail returns the bytes after the last frame once Next has returned an error:
// blank lines and a byte order mark that no block follows, or the beginning of
// the block that exceeded the limit.
func (r *Reader) Tail() []byte {
	if r.err == nil {
		return nil
	}
	return bytes.Clone(r.buf[r.start:r.end])
}

// Next returns the next block that contains a field or a comment. At the end of the body it returns io.EOF; a failed read
// is returned wrapped, after the unterminated block before it; a block over the limit is a *LimitError. An error is final:
// every later call returns it again.
func (r *Reader) Next() (*Frame, error) {
	for {
		if f := r.parse(); f != nil {
			return f, nil
		}
		if int64(r.end-r.start) > r.o.MaxFrame {
			r.limit()
		}
		if r.err != nil {
			return r.finish()
		}
		r.fill()
	}
}

// parse consumes complete lines until a block is complete.
func (r *Reader) parse() *Frame {
	if r.over || !r.begin() {
		return nil
	}
	for {
		if r.swallowLF && r.line < r.end {
			r.swallow()
		}
		i := r.find()
		if i == r.end {
			r.scan = i
			return nil
		}
		text := r.buf[r.line:i]
		last := len(text) == 0 && r.open // the line ends the block
		ends, known := r.endAt(i)
		if last && r.buf[i] == '\r' && r.prevEnd != crlf {
			ends, known, r.swallowLF = cr, true, true // whether or not the LF is there already
		}
		if !known { // the LF that may follow decides
			r.remark(text)
			r.scan = i
			return nil
		}
		r.countEnd(ends, i)
		r.line = i + ends.size()
		r.scan = r.line
		if len(text) > 0 {
			r.remark(text)
			r.field(text, i-len(text)-r.start, true)
		}
		r.lineNo++
		r.noted = false
		if last {
			if int64(r.line-r.start) > r.o.MaxFrame || r.heavy() {
				return nil
			}
			return r.emit(true)
		}
	}
}

// limit gives up on a block that is too large. How much of it was read, and
// whether the source had already failed, makes no difference to the error.
func (r *Reader) limit() {
	if !r.over {
		r.over = true
		r.err = &LimitError{Limit: r.o.MaxFrame, Offset: r.base, Line: r.firstLine}
	}
}

// heavy gives up on a block whose data would take too much memory decoded.
func (r *Reader) heavy() bool {
	data := r.joined
	if r.cur.DataLines == 1 {
		data = r.buf[r.start+r.dataAt:][:r.dataLen]
	}
	if err := Weigh(data, r.base, r.firstLine); err != nil {
		r.over, r.err = true, err
	}
	return r.over
}

// begin skips a byte order mark; false means that more bytes have to come.
func (r *Reader) begin() bool {
	if r.started {
		return true
	}
	const bom = "\xef\xbb\xbf"
	have := r.buf[r.start:r.end]
	if len(have) < len(bom) && r.err == nil && string(have) == bom[:len(have)] {
		return false
	}
	r.started = true
	if bytes.HasPrefix(have, []byte(bom)) {
		r.line += len(bom)
		r.scan = r.line
		r.cur.violate(Violation{BOM, r.base, 1, "the body begins with a byte order mark"})
	}
	return true
}

// swallow takes the LF of a CR LF whose CR already ended a block.
func (r *Reader) swallow() {
	r.swallowLF = false
	if r.buf[r.line] == '\n' {
		r.countEnd(crlf, r.line)
		r.line++
		r.scan = r.line
	}
}

// find returns the index of the current line's end, or r.end if it hasn't been read. The positions of both terminators are
// cached: searching for every line would be quadratic where one of them is missing.
func (r *Reader) find() int {
	r.nextLF = r.seek(r.nextLF, '\n')
	r.nextCR = r.seek(r.nextCR, '\r')
	return min(r.nextLF, r.nextCR)
}

func (r *Reader) seek(known int, c byte) int {
	if known < r.scan {
		known = r.scan
	} else if known < r.end && r.buf[known] == c {
		return known
	}
	if i := bytes.IndexByte(r.buf[known:r.end], c); i >= 0 {
		return known + i
	}
	return r.end
}

// finish turns the data left at the end of the body into the last block.
func (r *Reader) finish() (*Frame, error) {
	if r.over {
		return nil, r.err
	}
	if text := r.buf[r.line:r.end]; len(text) > 0 {
		r.field(text, r.line-r.start, false)
		r.line, r.scan = r.end, r.end
	}
	if r.open {
		if r.heavy() {
			return nil, r.err
		}
		return r.emit(false), nil
	}
	if held := r.end - r.start; held < len(r.buf) {
		r.move(make([]byte, held))
	}
	return nil, r.err
}

// fill reads once, enlarging the buffer first.
func (r *Reader) fill() {
	if r.end == len(r.buf) || r.start == r.end {
		r.makeSpace()
	}
	for range maxNoReads {
		before := r.o.Now()
		n, err := r.src.Read(r.buf[r.end:])
		if n > 0 {
			r.arrived = r.o.Now()
			r.silence = max(r.silence, r.arrived.Sub(before))
			r.end += n
		}
		switch {
		case err == io.EOF:
			r.err = io.EOF
		case err != nil:
			r.err = fmt.Errorf("reading event stream at byte %d: %w", r.Offset(), err)
		}
		if n > 0 || err != nil {
			return
		}
	}
	r.err = fmt.Errorf("reading event stream at byte %d: %w", r.Offset(), io.ErrNoProgress)
}

// makeSpace moves the block to the front of the buffer, and doubles the buffer when the block fills more than half of it, so
// that each byte moves a bounded number of times. The buffer never grows beyond the limit of a block.
func (r *Reader) makeSpace() {
	held, most := r.end-r.start, int(r.o.MaxFrame)+bufferSize
	switch size := len(r.buf); {
	case size == 0:
		r.move(make([]byte, initialBuffer))
	case size < bufferSize && r.end < size: // it was never full
		r.move(r.buf)
	case size < bufferSize, held > size/2 && size < most:
		r.move(borrowed(max(bufferSize, min(2*size, most))))
	case held == 0 && size > bufferKeep:
		r.move(borrowed(bufferSize))
	default:
		r.move(r.buf)
	}
}

// move moves the block to the front of a buffer, and leaves the one where it was to other bodies if that is another one.
func (r *Reader) move(to []byte) {
	from := r.buf
	copy(to, from[r.start:r.end])
	if len(to) != len(from) {
		lend(from)
	}
	r.buf = to
	shift := r.start
	r.start = 0
	r.end -= shift
	r.line -= shift
	r.scan -= shift
	r.nextLF = max(r.nextLF-shift, 0)
	r.nextCR = max(r.nextCR-shift, 0)
}
