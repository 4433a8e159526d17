package model

import (
	"bufio"
	"bytes"
	"io"
)

// lines reads the data of events, each of which has one line of it.
type lines struct{ r *bufio.Reader }

func newLines(body io.Reader) *lines { return &lines{bufio.NewReaderSize(body, 16<<10)} }

// next returns the data of the next event. It is good until next is called again.
func (l *lines) next() ([]byte, error) {
	for {
		line, err := l.r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long := bytes.Clone(line)
			var rest []byte
			rest, err = l.r.ReadBytes('\n')
			line = append(long, rest...)
		}
		if err != nil {
			return nil, err
		}
		if data, found := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("data:")); found {
			return bytes.TrimPrefix(data, []byte(" ")), nil
		}
	}
}

// rest is what nobody has read.
func (l *lines) rest() io.Reader { return l.r }
