package crosscheck

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/streamcert/streamcert/runner/target"
)

// mark identifies the scenario that some content belongs to: a positive mark is the number in a name that the scenario
// coined, a negative one is the number of the epoch that its timestamps lie in.
type mark int64

func (m mark) shown(prefix string) string {
	if m < 0 {
		return "a timestamp"
	}
	return fmt.Sprintf("the name %s-%d", prefix, m)
}

// stamped is the text before the value of a timestamp. JSON inside a string escapes the quote after it.
var stamped = []byte("timestamp")

// marksIn visits the marks in a text.
func (l *Registry) marksIn(text []byte, visit func(mark)) {
	prefix := []byte(l.prefix + "-")
	for rest := text; ; {
		i := bytes.Index(rest, prefix)
		if i < 0 {
			break
		}
		rest = rest[i+len(prefix):]
		if n, ok := number(rest); ok {
			visit(mark(n))
		}
	}
	for rest := text; ; {
		i := bytes.Index(rest, stamped)
		if i < 0 {
			break
		}
		rest = rest[i+len(stamped):]
		if n, ok := number(bytes.TrimLeft(rest[:min(len(rest), 32)], `\": `)); ok && target.EpochOf(n) > 0 {
			visit(mark(-target.EpochOf(n)))
		}
	}
}

// number reads the digits that a text begins with.
func number(text []byte) (int64, bool) {
	n := 0
	for n < len(text) && n < 18 && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	v, err := strconv.ParseInt(string(text[:n]), 10, 64)
	return v, err == nil
}
