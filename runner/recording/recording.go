package recording

import (
	"cmp"
	"context"
	"encoding/json"
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

// Options configure how a recording is checked.
type Options struct {
	// Found is called for each finding as it is made; its error ends the check.
	Found func(Finding) error
	// MaxFrame bounds the bytes of one frame; 0 means wire.DefaultMaxFrame.
	MaxFrame int64
	// Profile describes the content of a frame's data.
	Profile judge.Profile
	// Route is the name of the route, "" if it is unknown.
	Route string
	// Names are the members that the server calls otherwise than the specification.
	Names record.Names
	// Others are the rules of other packs, by which a recording that is none of the pack is named; nil for none.
	Others []Rules
	// Seen is called with each block before it is judged. It may be nil, and must not retain the data.
	Seen func(*wire.Frame)
}

// Finding is something that is wrong with a recording.
type Finding struct {
	record.Finding
	// Level is the level of the requirement; "" for a note, which is about the recording and not about the recorded server.
	Level spec.Level
}

// Checked is the result of a check.
type Checked struct {
	Format    string   // "sse" or "ndjson"
	Events    int      // frames that were judged
	Bytes     int64    // of the recording, as far as it was read
	Must      int      // findings on MUST and MUST NOT
	Should    int      // findings on SHOULD and SHOULD NOT
	Notes     int      // findings on the recording itself
	Exercised []string // ids of the requirements that had an occasion
	// Hint names another pack or profile that the recording fits better; "" for none.
	Hint string
}

// ExitCode returns the exit code for a check without an error: 1 for any finding on a MUST (or, when strict, on a SHOULD),
// else 0.
func (c Checked) ExitCode(strict bool) int {
	if c.Must > 0 || strict && c.Should > 0 {
		return 1
	}
	return 0
}

// Findings returns the number of findings that are the server's.
func (c Checked) Findings() int { return c.Must + c.Should }

// EmptyError reports that a recording contains nothing that can be judged.
type EmptyError struct{ Message string }

func (e *EmptyError) Error() string { return e.Message }

// Run judges a recording of a server's output: the body of an event stream, or the data of its frames as one JSON document
// a line. Its memory is constant for any number of frames. The results up to an error are returned with the error: one of
// reading, a *wire.LimitError, an *EmptyError, or that of Found.
func Run(ctx context.Context, rules Rules, r io.Reader, o Options) (Checked, error) {
	in, sample := peeked(r)
	c := &checking{rules: rules, options: o, sample: sample}
	if rules.Judge.Recogniser != nil {
		c.shapes = rules.Judge.Recogniser()
	}
	format, frames := Open(in, o.MaxFrame)
	c.out.Format = format
	c.machine = rules.Judge.Machine(judge.Options{
		Origin: record.Produced, Bare: format == "ndjson", Profile: o.Profile, Names: o.Names, Schemas: rules.Schemas,
	})
	// It is unknown whether chunks were removed before the recording.
	head := judge.Head{Removed: true, Route: o.Route}
	if head.Cursor, head.HasCursor = c.resumed(); head.HasCursor {
		c.firstNote = "the ids begin above 1: the recording is judged as a response to a reader that came back"
	}
	c.machine.Head(head)
	err := c.all(ctx, frames)
	c.out.Bytes = frames.Offset()
	c.out.Exercised = slices.Sorted(maps.Keys(c.machine.Occasions()))
	if c.shapes != nil {
		c.out.Hint = c.shapes.Hint(o.Profile)
	}
	if g, guesses := c.machine.(judge.Guess); guesses && g.Guessed() != "" {
		c.out.Hint = "judged as " + g.Guessed() + ", which is a guess; say it with --variant"
	}
	if err == nil {
		err = errors.Join(c.release(), c.empty())
	}
	return c.out, err
}

type checking struct {
	rules         Rules               // of the pack that was chosen or recognised
	options       Options             // never change
	machine       judge.Machine       // of rules
	shapes        judge.Recogniser    // nil where the pack has one profile only
	out           Checked             // complete at the end
	sample        []byte              // the beginning of the recording
	otherProtocol judge.OtherProtocol // counts every event
	delayed       []Finding           // until an event is of the pack
	recognised    bool                // the pack was recognised, and findings aren't delayed any more
	firstNote     string              // a note on the first event, "" for none
	truncated     bool                // the recording ends within a frame
	joined        bool                // a block was of several events
	last          wire.Frame          // with its position alone
}

func (c *checking) all(ctx context.Context, frames Frames) error {
	for {
		f, err := frames.Next()
		switch {
		case errors.Is(err, io.EOF):
			if err := c.found(c.machine.Close(record.ClientClose)...); err != nil {
				return err
			}
			return c.stopped()
		case err != nil:
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("checking was interrupted at line %d: %w", f.Line, ctx.Err())
		}
		if c.options.Seen != nil {
			c.options.Seen(f)
		}
		c.otherProtocol.Add(f)
		c.last = wire.Frame{Index: f.Index, Offset: f.Offset, Line: f.Line}
		if f.Dispatched() {
			c.out.Events++
			if c.shapes != nil && c.out.Events <= lookedAt {
				c.shapes.Add(f.Data)
			}
		}
		if c.firstNote != "" {
			if err := c.note(f, c.firstNote); err != nil {
				return err
			}
			c.firstNote = ""
		}
		found := c.machine.Frame(f)
		if m, can := c.machine.(interface{ Several() bool }); can {
			c.joined = c.joined || m.Several()
		}
		if err := c.found(found...); err != nil {
			return err
		}
		if !f.Terminated && len(found) == 0 && (f.DataLines > 0 || f.HasID || f.HasEvent) { // a recording may end anywhere, which is no finding
			c.truncated = true
			if err := c.note(f, cutting(f)); err != nil {
				return err
			}
		}
	}
}

// cutting describes a block without its blank line.
func cutting(f *wire.Frame) string {
	if f.DataLines == 1 && (json.Valid(f.Data) || string(f.Data) == "[DONE]") {
		return "the recording ends before the blank line of its last frame, without which readers drop it; it is not judged"
	}
	return "the recording is cut in the middle of a frame, which is not judged"
}

// stopped notes where a recording stops between events.
func (c *checking) stopped() error {
	m, can := c.machine.(judge.Unfinished)
	if !can || c.truncated || c.joined || c.out.Events == 0 {
		return nil
	}
	if where := m.Unfinished(); where != "" {
		return c.note(&c.last, "the recording ends "+where+"; what would have followed is not judged")
	}
	return nil
}

func (c *checking) note(f *wire.Frame, message string) error {
	c.out.Notes++
	return c.pass(Finding{Finding: record.Finding{Message: message, Frame: f.Index, Offset: f.Offset, Line: f.Line}})
}

func (c *checking) found(findings ...record.Finding) error {
	for _, f := range findings {
		q, _ := c.rules.Book.Get(f.Requirement)
		if q.Level.Advisory() {
			c.out.Should++
		} else {
			c.out.Must++
		}
		if err := c.pass(Finding{Finding: f, Level: q.Level}); err != nil {
			return err
		}
	}
	return nil
}

// pass reports a finding, or delays it while nothing has shown that the recording is of the pack.
func (c *checking) pass(f Finding) error {
	if c.options.Found == nil {
		return nil
	}
	if _, is := c.otherProtocol.Only(c.machine.Unknown()); is && !c.recognised && len(c.delayed) < maxDelayed {
		c.delayed = append(c.delayed, f)
		return nil
	}
	if err := c.release(); err != nil {
		return err
	}
	return c.options.Found(f)
}

// maxDelayed bounds the findings that are delayed.
const maxDelayed = 1000

// release reports the delayed findings, unless the recording is of another protocol.
func (c *checking) release() error {
	if _, is := c.otherProtocol.Only(c.machine.Unknown()); is && len(c.delayed) < maxDelayed {
		return nil
	}
	c.recognised = true
	held := c.delayed
	c.delayed = nil
	for _, f := range held {
		if err := c.options.Found(f); err != nil {
			return err
		}
	}
	return nil
}

// empty refuses to let a recording pass in which nothing could be judged.
func (c *checking) empty() error {
	if name, is := c.otherProtocol.Only(c.machine.Unknown()); is {
		c.out.Must, c.out.Should, c.out.Notes, c.delayed = 0, 0, 0, nil
		return &EmptyError{c.otherProtocol.Sentence(c.out.Events, c.rules.Pack, cmp.Or(name, c.likely()))}
	}
	if c.out.Findings() == 0 && c.out.Events == 0 {
		return &EmptyError{fmt.Sprintf("there is no event in %d bytes; expected the body of an event stream, or one frame a line as JSON", c.out.Bytes)}
	}
	return nil
}

// likely returns the pack that knows most of the first events, "" if none knows any.
func (c *checking) likely() string {
	best, most := "", 0
	for _, other := range c.options.Others {
		if n := recognised(other, c.sample); n > most && other.Pack != c.rules.Pack {
			best, most = "pack "+other.Pack, n
		}
	}
	return best
}
