package observe

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/report"
)

// errCapture reports that the capture could not be written.
var errCapture = errors.New("writing the capture")

// A capture is the unchanged body after comments with the request and the response head. Parsers of the body ignore the
// comments.
type capture struct {
	w     io.Writer
	head  []byte // nil once it was written
	begin []byte // buffered until it is known whether the body begins with a byte order mark
}

// bom is a byte order mark, with which a body may begin.
var bom = []byte("\xef\xbb\xbf")

// newCapture keeps no value that may be a secret.
func newCapture(w io.Writer, r Request, res *client.Response) *capture {
	var b strings.Builder
	fmt.Fprintf(&b, ": %s %s\n", cmp.Or(r.Method, http.MethodGet), report.OneLine(r.Redacted(client.Shown(r.URL))))
	fmt.Fprintf(&b, ": %s %d\n", res.Proto, res.StatusCode)
	for _, name := range slices.Sorted(maps.Keys(res.Header)) {
		value := client.Hidden
		switch name {
		case "Content-Type", "Cache-Control", "Connection", "Content-Encoding", "Content-Length", "Date", "Server", "Vary",
			"X-Accel-Buffering":
			value = strings.Join(res.Header[name], ", ")
		}
		fmt.Fprintf(&b, ": %s: %s\n", strings.ToLower(name), report.OneLine(r.Redacted(value)))
	}
	return &capture{w: w, head: []byte(b.String() + "\n")}
}

// close writes the buffered data of a body that ended at once.
func (c *capture) close() error {
	if c.head == nil {
		return nil
	}
	if _, err := c.w.Write(slices.Concat(c.head, c.begin)); err != nil {
		return fmt.Errorf("%w: %w", errCapture, err)
	}
	return nil
}

// Write implements io.Writer. A byte order mark stays at the start, where it is
// judged.
func (c *capture) Write(p []byte) (int, error) {
	out := p
	if c.head != nil {
		c.begin = append(c.begin, p...)
		if len(c.begin) < len(bom) && bytes.HasPrefix(bom, c.begin) {
			return len(p), nil
		}
		rest, marked := bytes.CutPrefix(c.begin, bom)
		out = slices.Concat(c.head, rest)
		if marked {
			out = slices.Concat(bom, out)
		}
		c.head, c.begin = nil, nil
	}
	if _, err := c.w.Write(out); err != nil {
		return 0, fmt.Errorf("%w: %w", errCapture, err)
	}
	return len(p), nil
}
