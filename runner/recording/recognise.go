package recording

import (
	"bufio"
	"bytes"
	"io"
	"strconv"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/schemas"
)

// lookedAt limits the events that are inspected to recognise a recording.
const lookedAt = 100

// Recognise returns the rules of the pack that knows most of a recording's first events, the first one if several do, and a
// reader of all of the recording.
func Recognise(all []Rules, r io.Reader) (Rules, io.Reader) {
	if len(all) == 1 {
		return all[0], r
	}
	in, sample := peeked(r)
	best, most := all[0], 0
	for _, s := range all {
		if n := recognised(s, sample); n > most {
			best, most = s, n
		}
	}
	return best, in
}

// peeked returns a reader of all of a recording, and its beginning.
func peeked(r io.Reader) (io.Reader, []byte) {
	in := bufio.NewReaderSize(r, sniffed)
	sample, _ := in.Peek(sniffed) // an error comes again when the byte is read
	return in, bytes.Clone(sample)
}

// resumed reports whether the recording is the response to a resumed reader, and its cursor: the ids of its events begin
// above 1, and its first event isn't one that begins a response.
func (c *checking) resumed() (cursor string, is bool) {
	if c.rules.Judge.Begins == nil {
		return "", false
	}
	_, frames := Open(bytes.NewReader(c.sample), 0)
	for n := 0; n < lookedAt; {
		f, err := frames.Next()
		if err != nil {
			break
		}
		if !f.Dispatched() {
			continue
		}
		if n == 0 && c.rules.Judge.Begins(f.Data) {
			break
		}
		n++
		if id := judge.Decimal(f.ID); f.HasID && id.OK {
			return strconv.FormatInt(id.N-1, 10), id.N > 1
		}
	}
	return "", false
}

// recognised counts the events of kinds that the pack has.
func recognised(s Rules, sample []byte) int {
	_, frames := Open(bytes.NewReader(sample), 0)
	n := 0
	for range lookedAt {
		f, err := frames.Next()
		if err != nil {
			break
		}
		if f.DataLines > 0 && (s.Schemas.Event(schemas.Lenient, f.Event, f.Data).Known || s.Schemas.Chunk(schemas.Lenient, f.Data).Known) {
			n++
		}
	}
	return n
}
