package runner

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/spec"
)

// CheckOptions are how a recording is checked.
type CheckOptions struct {
	// Found is called for each finding as it is made; its error ends the check.
	Found func(CheckFinding) error
	// MaxFrame bounds the bytes of one frame; 0 means wire.DefaultMaxFrame.
	MaxFrame int64
}

// CheckFinding is something that is wrong with a recording.
type CheckFinding struct {
	judge.Finding
	// Level is that of the requirement; "" for a note, which is about the
	// recording and not about the server that was recorded.
	Level spec.Level
}

// Checked is what came out of a check.
type Checked struct {
	Format    string   // "sse" or "ndjson"
	Events    int      // frames that were judged
	Bytes     int64    // of the recording, as far as it was read
	Must      int      // findings on MUST and MUST NOT
	Should    int      // findings on SHOULD and SHOULD NOT
	Notes     int      // findings on the recording itself
	Exercised []string // ids of the requirements that had something to be judged by
}

// Findings is the number of findings that are the server's.
func (c Checked) Findings() int { return c.Must + c.Should }

// EmptyError says that a recording holds nothing that could be judged.
type EmptyError struct{ Message string }

func (e *EmptyError) Error() string { return e.Message }

// Check judges a recording of what a server produced: the body of an event
// stream, or the data of its frames as one JSON document a line. It needs the
// same memory for any number of frames. What it found until an error is returned
// with the error: one of reading, a *wire.LimitError, an *EmptyError, or that of
// Found.
func (s *Suite) Check(ctx context.Context, r io.Reader, o CheckOptions) (Checked, error) {
	c := &checking{suite: s, options: o}
	if c.options.MaxFrame <= 0 {
		c.options.MaxFrame = wire.DefaultMaxFrame
	}
	in := bufio.NewReaderSize(r, sniffed)
	bare := isNDJSON(in)
	var frames source
	if bare {
		c.out.Format, frames = "ndjson", &lines{in: in, limit: c.options.MaxFrame}
	} else {
		// Nothing here depends on when a recording is read.
		clock := func() time.Time { return time.Time{} }
		c.out.Format, frames = "sse", wire.NewReader(in, wire.Options{MaxFrame: c.options.MaxFrame, Now: clock})
	}
	c.machine = s.Machine(judge.Options{Origin: judge.Produced, Bare: bare})
	// What had been removed before the recording began isn't known.
	c.machine.Head(judge.Head{Removed: true})
	err := c.all(ctx, frames)
	c.out.Bytes = frames.Offset()
	c.out.Exercised = slices.Sorted(maps.Keys(c.machine.Occasions()))
	if err == nil {
		err = c.empty()
	}
	return c.out, err
}

// source is where frames come from.
type source interface {
	Next() (*wire.Frame, error)
	Offset() int64
}

type checking struct {
	suite   *Suite
	options CheckOptions
	machine judge.Machine
	out     Checked
}

func (c *checking) all(ctx context.Context, frames source) error {
	for {
		f, err := frames.Next()
		switch {
		case errors.Is(err, io.EOF):
			return c.found(c.machine.Close(judge.Cut)...)
		case err != nil:
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("checking was interrupted at line %d: %w", f.Line, ctx.Err())
		}
		if f.Dispatched() {
			c.out.Events++
		}
		if err := c.found(c.machine.Frame(f)...); err != nil {
			return err
		}
		if !f.Terminated && (f.DataLines > 0 || f.HasID || f.HasEvent) {
			if err := c.note(f, "the recording is cut in the middle of a frame, which is not judged"); err != nil {
				return err
			}
		}
	}
}

func (c *checking) note(f *wire.Frame, message string) error {
	c.out.Notes++
	if c.options.Found == nil {
		return nil
	}
	return c.options.Found(CheckFinding{Finding: judge.Finding{Message: message, Frame: f.Index, Offset: f.Offset, Line: f.Line}})
}

func (c *checking) found(findings ...judge.Finding) error {
	for _, f := range findings {
		q, _ := c.suite.Book.Get(f.Requirement)
		if q.Level.Advisory() {
			c.out.Should++
		} else {
			c.out.Must++
		}
		if c.options.Found == nil {
			continue
		}
		if err := c.options.Found(CheckFinding{Finding: f, Level: q.Level}); err != nil {
			return err
		}
	}
	return nil
}

// empty refuses to let a recording pass in which nothing could be judged.
func (c *checking) empty() error {
	switch {
	case c.out.Findings() > 0:
		return nil
	case c.out.Events == 0:
		return &EmptyError{fmt.Sprintf("there is no event in %d bytes; expected the body of an event stream, or one frame a line as JSON", c.out.Bytes)}
	case c.machine.Unknown() == c.out.Events:
		return &EmptyError{fmt.Sprintf("none of the %d events has a type that pack %s knows; is it of another protocol?", c.out.Events, c.suite.Pack)}
	}
	return nil
}

// sniffed is how many bytes are looked at to see what a recording is.
const sniffed = 64 << 10

// isNDJSON looks at the first byte that isn't blank.
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

// lines reads frames of which only the data was recorded, one a line.
type lines struct {
	in     *bufio.Reader
	limit  int64
	offset int64
	line   int
	index  int
	buf    []byte
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
		f := &wire.Frame{
			Index: l.index, Offset: at, End: l.offset, Line: l.line, Raw: text, Data: text, DataLines: 1,
			Terminated: whole || json.Valid(text),
		}
		l.index++
		return f, nil
	}
}

// read returns the next line with its end. The memory is that of the line
// before.
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
