package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/streamcert/streamcert/runner/wire"
)

// Frames returns the frames of a recording, in order.
type Frames interface {
	// Next returns the next frame; at the end io.EOF. The data of a frame may be
	// overwritten by the next call.
	Next() (*wire.Frame, error)
	// Offset is the number of bytes read so far.
	Offset() int64
}

// Open reads the body of an event stream ("sse"), or the data of its frames
// as one JSON document a line ("ndjson"). The format is recognised by the first
// character. maxFrame bounds the bytes of one frame; 0 means
// wire.DefaultMaxFrame.
func Open(r io.Reader, maxFrame int64) (format string, frames Frames) {
	if maxFrame <= 0 {
		maxFrame = wire.DefaultMaxFrame
	}
	in := bufio.NewReaderSize(r, sniffed)
	if isNDJSON(in) {
		return "ndjson", &lines{in: in, limit: maxFrame}
	}
	// Nothing here depends on when a recording is read.
	clock := func() time.Time { return time.Time{} }
	return "sse", wire.NewReader(in, wire.Options{MaxFrame: maxFrame, Now: clock})
}

// sniffed limits the bytes that are inspected to recognise a recording.
const sniffed = 64 << 10

// isNDJSON inspects the first byte that isn't blank.
func isNDJSON(in *bufio.Reader) bool {
	for n := 1; ; n++ {
		b, _ := in.Peek(n) // an error comes again when the byte is read
		if len(b) < n {
			return false
		}
		switch b[n-1] {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF: // the last three are a byte order mark
		default:
			return b[n-1] == '{'
		}
	}
}

// lines reads frames whose data was recorded alone, one a line.
type lines struct {
	in     *bufio.Reader
	limit  int64  // bytes of a line
	offset int64  // of the next line, in bytes
	line   int    // number of the last line, from 1
	index  int    // of the next frame
	buf    []byte // the last line; reused
}

func (l *lines) Offset() int64 { return l.offset }

// Next returns the next line that isn't blank. A last line without its line end
// that is no JSON is a frame that isn't terminated.
func (l *lines) Next() (*wire.Frame, error) {
	for {
		at := l.offset
		text, err := l.read()
		whole := bytes.HasSuffix(text, []byte("\n"))
		if at == 0 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		text = bytes.TrimSpace(text)
		if len(text) == 0 {
			if err != nil {
				return nil, err
			}
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if err := wire.Weigh(text, at, l.line); err != nil {
			return nil, err
		}
		f := &wire.Frame{
			Index: l.index, Offset: at, End: l.offset, Line: l.line, Raw: text, Data: text, DataLines: 1,
			Terminated: whole || json.Valid(text),
		}
		l.index++
		return f, nil
	}
}

// read returns the next line with its end. It reuses the memory of the line before.
func (l *lines) read() ([]byte, error) {
	l.line++
	at := l.offset
	l.buf = l.buf[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		l.offset += int64(len(part))
		l.buf = append(l.buf, part...)
		switch {
		case int64(len(l.buf)) > l.limit:
			return nil, &wire.LimitError{Limit: l.limit, Offset: at, Line: l.line}
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil || errors.Is(err, io.EOF):
			return l.buf, err
		default:
			return nil, fmt.Errorf("reading line %d at byte %d: %w", l.line, l.offset, err)
		}
	}
}
