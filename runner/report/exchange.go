package report

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/streamcert/streamcert/runner/record"
)

// Exchange is a record.Exchange as it is written down, raw enough to be judged
// again. Secrets are redacted.
type Exchange struct {
	Kind     record.Kind `json:"kind"`               // decides whether and how it is judged
	Produced bool        `json:"produced,omitempty"` // the server made the stream's chunks itself
	Heading  string      `json:"heading,omitempty"`  // the step that began it
	Hidden   bool        `json:"hidden,omitempty"`   // bookkeeping of the suite
	Removed  bool        `json:"removed,omitempty"`  // chunks of the stream had been removed before
	Route    string      `json:"route,omitempty"`    // name of the route, if the protocol of the response depends on it
	State    Body        `json:"state,omitzero"`     // that the stream began with, as JSON
	// Refused reports that a server that was busy refused the call (409, 429 or 503), so that it isn't judged.
	Refused  bool       `json:"refused,omitempty"`
	Method   string     `json:"method"`
	Path     string     `json:"path"`               // with its query
	Request  []string   `json:"request,omitempty"`  // header lines, "name: value"; none of control calls
	Body     Body       `json:"body,omitzero"`      // of the request
	Status   int        `json:"status"`             // 0 if there was no answer
	Response []string   `json:"response,omitempty"` // header lines, "name: value"
	Answer   Body       `json:"answer,omitzero"`    // body of a unary answer
	Frames   Body       `json:"frames,omitzero"`    // of a stream, one after another
	End      record.End `json:"end,omitempty"`      // of the body of a stream
	Error    string     `json:"error,omitempty"`    // why there is no answer, or why the body broke
	// Altered reports that a part of the response was redacted, so that it can't be judged again.
	Altered bool `json:"altered,omitempty"`
	// Shortened reports that the exchange exceeded the budget of the run, so that it can't be judged again.
	Shortened bool `json:"shortened,omitempty"`
}

const (
	// maxTextBody is the largest body, in bytes, that is stored as text.
	maxTextBody = 16 << 10
	// packedBody limits the compressed size of a body in bytes.
	packedBody = 1 << 20
	// mostBody limits the decompressed size of a body.
	mostBody = 64 << 20
)

// ErrOmitted reports that a body was too large for the report.
var ErrOmitted = errors.New("the report has no room for this body")

// Body is bytes as they were sent. Its JSON form is a string if they are short and valid UTF-8, else an object: {"gzip": …}
// contains them compressed in base64, {"omitted": n} reports that n bytes were left out. The zero value is empty.
type Body struct {
	decoded []byte // nil if it is packed or was omitted
	packed  []byte // gzip of the bytes; nil if decoded has them
	size    int    // of the bytes, also if they were omitted
}

// NewBody keeps b, which must not be changed any more.
func NewBody(b []byte) Body {
	if len(b) <= maxTextBody && utf8.Valid(b) {
		return Body{decoded: b, size: len(b)}
	}
	var packed bytes.Buffer
	z := packers.Get().(*gzip.Writer)
	z.Reset(&packed)
	_, _ = z.Write(b) // a buffer takes everything
	_ = z.Close()
	packers.Put(z)
	if packed.Len() > packedBody {
		return Body{size: len(b)}
	}
	return Body{packed: packed.Bytes(), size: len(b)}
}

// packers are used again, since making one costs more than packing a body.
var packers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is one that exists
	return z
}}

// IsZero reports whether there are no bytes at all.
func (b Body) IsZero() bool { return b.size == 0 && b.packed == nil }

// Size returns the number of bytes, -1 if it isn't known.
func (b Body) Size() int { return b.size }

// Bytes returns all of them. The error is ErrOmitted, or reports that the report is
// damaged.
func (b Body) Bytes() ([]byte, error) {
	out, err := b.Begin(mostBody + 1)
	if err == nil && len(out) > mostBody {
		err = errLarge
	}
	return out, err
}

// Begin returns the first n bytes, or all if there are fewer. Errors are those of
// Bytes.
func (b Body) Begin(n int) ([]byte, error) {
	if b.packed == nil && len(b.decoded) == b.size {
		return b.decoded[:min(n, len(b.decoded))], nil
	}
	body, err := b.open()
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(body, int64(n)))
	if err != nil {
		return nil, fmt.Errorf("reading a compressed body: %w", err)
	}
	return out, nil
}

// open returns a reader of at most one byte more than a body may have. Errors are
// those of Bytes.
func (b Body) open() (io.Reader, error) {
	switch {
	case b.packed != nil:
		z, err := gzip.NewReader(bytes.NewReader(b.packed))
		if err != nil {
			return nil, fmt.Errorf("reading a compressed body: %w", err)
		}
		return io.LimitReader(z, mostBody+1), nil
	case len(b.decoded) == 0 && b.size != 0:
		return nil, ErrOmitted
	}
	return bytes.NewReader(b.decoded), nil
}

type packedJSON struct {
	Gzip    []byte `json:"gzip,omitempty"`    // nil if the bytes were omitted
	Omitted int    `json:"omitted,omitempty"` // number of bytes; 0 if Gzip is set
}

// MarshalJSON implements json.Marshaler.
func (b Body) MarshalJSON() ([]byte, error) {
	switch {
	case b.packed != nil:
		return json.Marshal(packedJSON{Gzip: b.packed})
	case len(b.decoded) == 0 && b.size != 0:
		return json.Marshal(packedJSON{Omitted: b.size})
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(string(b.decoded))
	return bytes.TrimSpace(out.Bytes()), err
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *Body) UnmarshalJSON(in []byte) error {
	if bytes.HasPrefix(in, []byte(`"`)) {
		var text string
		err := json.Unmarshal(in, &text)
		*b = Body{decoded: []byte(text), size: len(text)}
		return err
	}
	var p packedJSON
	if err := json.Unmarshal(in, &p); err != nil {
		return err
	}
	*b = Body{packed: p.Gzip, size: p.Omitted}
	if p.Gzip != nil {
		b.size = -1
	}
	return nil
}

// Shell is one argument as a shell reads it, in quotes where it needs them.
func Shell(s string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./~-"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
