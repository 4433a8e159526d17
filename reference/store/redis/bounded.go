package redis

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"strconv"
)

const (
	deepest     = 8        // arrays within arrays that an answer may have; those of this store have 5
	elementCost = 16       // memory that the client takes for an element of an array in addition to its text
	longestLine = 64 << 10 // limit of a line in bytes: Redis sends lengths, numbers and errors as lines, and everything else after a length
)

var errAnswer = errors.New("the answer isn't one that Redis gives to this store")

// boundedConn reads the answers of Redis and fails at a length over the limit, before the client allocates it.
//
// https://redis.io/docs/latest/develop/reference/protocol-spec: an answer is lines that begin with a mark. After $ follow
// as many bytes as its line states, and after * as many elements.
type boundedConn struct {
	net.Conn
	most int64 // bytes that one answer may take

	used  int64          // bytes of this answer so far
	skip  int64          // bytes that a string and its line end still lack
	line  []byte         // the beginning of an incomplete line
	open  [deepest]int64 // elements that arrays lack, the outermost first; above 0 up to depth
	depth int            // number of open arrays, at most deepest
}

// Read implements net.Conn.
func (b *boundedConn) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		passed, err := b.pass(rest)
		if err != nil {
			return 0, err
		}
		rest = rest[passed:]
	}
	return n, err
}

// pass counts the header of a piece, and returns its length in bytes.
func (b *boundedConn) pass(piece []byte) (int, error) {
	if b.skip > 0 {
		n := min(b.skip, int64(len(piece)))
		if b.skip -= n; b.skip == 0 {
			b.end()
		}
		return int(n), nil
	}
	n, complete := bytes.IndexByte(piece, '\n')+1, true
	if n == 0 {
		n, complete = len(piece), false
	}
	b.line = append(b.line, piece[:n]...)
	if b.used += int64(n); b.used > b.most {
		return 0, b.tooMuch()
	}
	if len(b.line) > longestLine {
		return 0, fmt.Errorf("%w: a line of more than %d bytes", errAnswer, longestLine)
	}
	if !complete {
		return n, nil
	}
	err := b.begin(b.line[0], string(bytes.TrimRight(b.line[1:], "\r\n")))
	b.line = b.line[:0]
	return n, err
}

// begin reads a line.
func (b *boundedConn) begin(mark byte, text string) error {
	if mark != '$' && mark != '*' {
		b.end()
		return nil
	}
	size, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %q as a length", errAnswer, text[:min(len(text), 30)])
	case size < 0: // there is nothing
		b.end()
		return nil
	case size > b.most:
		return b.tooMuch()
	case mark == '$':
		b.used, b.skip = b.used+size, size+int64(len("\r\n"))
	case size == 0:
		b.end()
	case b.depth == deepest:
		return fmt.Errorf("%w: more than %d arrays within each other", errAnswer, deepest)
	default:
		b.used += size * elementCost
		b.open[b.depth] = size
		b.depth++
	}
	if b.used > b.most {
		return b.tooMuch()
	}
	return nil
}

// end counts an element, and with the last of an array that array.
func (b *boundedConn) end() {
	for ; b.depth > 0; b.depth-- {
		if b.open[b.depth-1]--; b.open[b.depth-1] > 0 {
			return
		}
	}
	b.used = 0
}

func (b *boundedConn) tooMuch() error {
	return fmt.Errorf("%w: it takes more than %d bytes", errAnswer, b.most)
}
