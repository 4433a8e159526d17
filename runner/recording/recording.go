package recording

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/spec"
)

// Options are how a recording is checked.
type Options struct {
	// Found is called for each finding as it is made; its error ends the check.
	Found func(Finding) error
	// MaxFrame bounds the bytes of one frame; 0 means wire.DefaultMaxFrame.
	MaxFrame int64
	// Profile says what the data of a frame is.
	Profile judge.Profile
	// Names are the members that the server calls otherwise than the specification.
	Names record.Names
	// Seen is called with each block before it is judged, nil for nobody who looks. It must not keep the data.
	Seen func(*wire.Frame)
}

// Finding is something that is wrong with a recording.
type Finding struct {
	record.Finding
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
	// Hint says what else the recording may be, if it looks like something other than what it was judged as; "" if not.
	Hint string
}

// ExitCode is the exit code that a check without an error stands for: 1 for any
// finding on a MUST (or, when strict, on a SHOULD), else 0.
func (c Checked) ExitCode(strict bool) int {
	if c.Must > 0 || strict && c.Should > 0 {
		return 1
	}
	return 0
}

// Findings is the number of findings that are the server's.
func (c Checked) Findings() int { return c.Must + c.Should }

// EmptyError says that a recording holds nothing that could be judged.
type EmptyError struct{ Message string }

func (e *EmptyError) Error() string { return e.Message }

// Run judges a recording of what a server produced: the body of an event
// stream, or the data of its frames as one JSON document a line. It needs the
// same memory for any number of frames. What it found until an error is returned
// with the error: one of reading, a *wire.LimitError, an *EmptyError, or that of
// Found.
func Run(ctx context.Context, rules Rules, r io.Reader, o Options) (Checked, error) {
	c := &checking{rules: rules, options: o}
	if rules.Judge.Look != nil {
		c.look = rules.Judge.Look()
	}
	format, frames := Open(r, o.MaxFrame)
	c.out.Format = format
	c.machine = rules.Judge.Machine(judge.Options{
		Origin: record.Produced, Bare: format == "ndjson", Profile: o.Profile, Names: o.Names, Schemas: rules.Schemas,
	})
	// What had been removed before the recording began isn't known.
	c.machine.Head(judge.Head{Removed: true})
	err := c.all(ctx, frames)
	c.out.Bytes = frames.Offset()
	c.out.Exercised = slices.Sorted(maps.Keys(c.machine.Occasions()))
	if c.look != nil {
		c.out.Hint = c.look.Hint(o.Profile)
	}
	if err == nil {
		err = c.empty()
	}
	return c.out, err
}

type checking struct {
	rules   Rules
	options Options
	machine judge.Machine
	look    judge.Look // nil where the pack has one profile only
	out     Checked
}

func (c *checking) all(ctx context.Context, frames Frames) error {
	for {
		f, err := frames.Next()
		switch {
		case errors.Is(err, io.EOF):
			return c.found(c.machine.Close(record.ClientClose)...)
		case err != nil:
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("checking was interrupted at line %d: %w", f.Line, ctx.Err())
		}
		if c.options.Seen != nil {
			c.options.Seen(f)
		}
		if f.Dispatched() {
			c.out.Events++
			if c.look != nil && c.out.Events <= lookedAt {
				c.look.Add(f.Data)
			}
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
	return c.options.Found(Finding{Finding: record.Finding{Message: message, Frame: f.Index, Offset: f.Offset, Line: f.Line}})
}

func (c *checking) found(findings ...record.Finding) error {
	for _, f := range findings {
		q, _ := c.rules.Book.Get(f.Requirement)
		if q.Level.Advisory() {
			c.out.Should++
		} else {
			c.out.Must++
		}
		if c.options.Found == nil {
			continue
		}
		if err := c.options.Found(Finding{Finding: f, Level: q.Level}); err != nil {
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
		return &EmptyError{fmt.Sprintf("none of the %d events has a type that pack %s knows; is it of another protocol?", c.out.Events, c.rules.Pack)}
	}
	return nil
}
