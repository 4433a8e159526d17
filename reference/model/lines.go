package model

import (
	"bufio"
	"bytes"
	"io"
)

// lines reads the data of events, as the standard of server-sent events has them: lines end in LF, CR or both, a byte order
// mark may come first, and an event may have several lines of data.
type lines struct {
	r       *bufio.Reader // read to the end of an answer
	started bool          // a line was read
	ended   bool          // the last line ended in CR: an LF after it ends no other one
	buffer  []byte        // the line that was read last
	data    []byte        // of the event that was read last; valid until the next
}

func newLines(body io.Reader) *lines { return &lines{r: bufio.NewReaderSize(body, 16<<10)} }

// next returns the data of the next event that has some. It is good until next is called again.
func (l *lines) next() ([]byte, error) {
	l.data = l.data[:0]
	has := false
	for {
		line, err := l.line()
		switch data, found := bytes.CutPrefix(line, []byte("data:")); {
		case err != nil:
			return nil, err
		case found:
			if has {
				l.data = append(l.data, '\n')
			}
			l.data, has = append(l.data, bytes.TrimPrefix(data, []byte(" "))...), true
		case len(line) == 0 && has:
			return l.data, nil
		}
	}
}

// line returns the next line without its end. It is good until line is called again.
func (l *lines) line() ([]byte, error) {
	l.buffer = l.buffer[:0]
	for {
		c, err := l.r.ReadByte()
		after := l.ended
		l.ended = c == '\r'
		switch {
		case err != nil:
			return nil, err
		case c == '\n' && after:
		case c == '\n', c == '\r':
			line := l.buffer
			if !l.started {
				line = bytes.TrimPrefix(line, []byte("\ufeff"))
			}
			l.started = true
			return line, nil
		default:
			l.buffer = append(l.buffer, c)
		}
	}
}

// remaining returns a reader of the bytes after the last line.
func (l *lines) remaining() io.Reader { return l.r }
