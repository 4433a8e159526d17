package check

import (
	"bufio"
	"bytes"
	"io"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/schemas"
)

// lookedAt is how many events are looked at to see what a recording is of.
const lookedAt = 100

// Recognise says of which pack a recording is, by the kinds of its first events,
// and returns a reader of all of it. Where several know as many, it is the first.
func Recognise(suites []*pack.Suite, r io.Reader) (*pack.Suite, io.Reader) {
	if len(suites) == 1 {
		return suites[0], r
	}
	in := bufio.NewReaderSize(r, sniffed)
	sample, _ := in.Peek(sniffed) // an error comes again when the byte is read
	best, most := suites[0], 0
	for _, s := range suites {
		if n := recognised(s, sample); n > most {
			best, most = s, n
		}
	}
	return best, in
}

// recognised counts the events of kinds that the pack has.
func recognised(s *pack.Suite, sample []byte) int {
	_, frames := Recording(bytes.NewReader(sample), 0)
	n := 0
	for range lookedAt {
		f, err := frames.Next()
		if err != nil {
			break
		}
		if f.DataLines > 0 && (s.Schemas.Frame(schemas.Lenient, f.Data).Known || s.Schemas.Chunk(schemas.Lenient, f.Data).Known) {
			n++
		}
	}
	return n
}
