package observe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// A session plays one plan against the server.
type session struct {
	s             *sweep        // shared with other sessions
	plan          plan          // never changes
	have          int           // index of the last event that came
	start         int           // index that the current connection's cursor acknowledges
	requestCursor *string       // the cursor that the current connection was made with
	cursor        client.Cursor // the last id since, which the next one is made with
	fresh         bool          // something came on the current connection
	why           string        // how the last connection broke, "" if none did
	machine       judge.Machine // nil if the frames aren't judged
	done          bool          // nothing more is required of the current connection
}

// barren limits the consecutive connections without an event.
const barren = 3

// play returns the failure of a plan, nil for none, or an *undecided error.
func (s *sweep) play(ctx context.Context, p plan, machine judge.Machine) (*failure, error) {
	c := &session{s: s, plan: p, have: -1, machine: machine}
	if p.after != "" {
		c.cursor.ID = p.after
	}
	var found *failure
	idle, err := client.Cuts{
		Next: func(n int) int64 {
			if n >= len(p.cuts) {
				return 0
			}
			return max(1, p.cuts[n]-s.base.offset(c.cursor.Acknowledged()))
		},
		Connect: func(disconnect int64) (came client.Progress, err error) {
			found, err = c.connect(ctx, disconnect)
			switch {
			case found != nil, c.done, disconnect == 0 && c.caughtUp():
				return client.Over, err
			case c.fresh:
				return client.Some, err
			}
			return client.Nothing, err
		},
		Idle: barren,
	}.Read()
	if idle {
		return c.missing(cmp.Or(c.why, "the server closes the body without sending it"), false), nil
	}
	return found, err
}

// connect makes one connection and reads it to its disconnect, or to the end.
func (c *session) connect(ctx context.Context, disconnect int64) (*failure, error) {
	c.requestCursor, c.fresh = c.cursor.Acknowledged(), false
	c.start = c.s.base.after(c.requestCursor)
	c.have = c.start
	c.s.connections.Add(1)
	res, err := c.s.request.Send(ctx, c.requestCursor, c.s.o.Grace)
	var timeout interface{ Timeout() bool }
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, &undecided{"the sweep ended meanwhile"}
	case c.requestCursor != nil && errors.As(err, &timeout) && timeout.Timeout():
		f := c.missing(fmt.Sprintf("no answer within %v", c.s.o.Grace), true)
		if c.caughtUp() {
			f.requirement, f.want = c.s.resume.Head, "a head at once"
		}
		return f, nil
	case err != nil && (c.requestCursor == nil || dialing(err)):
		return nil, &undecided{err.Error()}
	case err != nil:
		c.why = "the connection breaks before an answer: " + err.Error()
		return nil, nil
	}
	defer res.Close()
	if f, err := c.status(res); f != nil || err != nil || c.done {
		return f, err
	}
	if c.machine != nil {
		c.s.found(c, nil, c.machine.Head(headOf(c.s.request, res, c.requestCursor)))
	}
	return c.read(res, disconnect)
}

// status judges an answer that is no stream.
func (c *session) status(res *client.Response) (*failure, error) {
	code := res.StatusCode
	switch {
	case code == http.StatusOK:
		return nil, nil
	case code == http.StatusNoContent && c.s.base.ends(c.requestCursor):
		c.done = true
		return nil, nil
	case code == http.StatusBadRequest && c.s.base.ends(c.requestCursor) && *c.requestCursor != c.s.base.terminal.id: // beyond the latest event
		c.done = true
		return nil, nil
	case code == http.StatusGone:
		return nil, &undecided{"the server answers 410: it doesn't keep what follows that cursor any more"}
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 502 && code <= 504:
		return nil, &undecided{fmt.Sprintf("the server answers %d", code)}
	case c.requestCursor == nil:
		return nil, &undecided{fmt.Sprintf("the server answers %d to a read from the start", code)}
	}
	f := c.missing(fmt.Sprintf("answered %d", code), false)
	f.message = fmt.Sprintf("a resume at %s, an id that the server gave, is answered %d", *c.requestCursor, code)
	f.refused = true
	if f.requirement != c.s.resume.NoContent {
		f.want = "200 with what follows"
	}
	return f, nil
}

// caughtUp reports whether the reader has received everything of a stream that is still open.
func (c *session) caughtUp() bool {
	return c.s.base.terminal == nil && c.have == len(c.s.base.events)-1
}

// read takes frames up to the disconnect, the end, or a wait that is too long.
func (c *session) read(res *client.Response, disconnect int64) (*failure, error) {
	body := io.Reader(&capped{src: res.Stream, left: 2*c.s.o.Limit + 1})
	if disconnect > 0 {
		body = client.DisconnectAfter(res.Stream, disconnect)
	}
	wait := c.s.o.Grace
	if c.caughtUp() {
		wait = c.s.o.Quiet
	}
	timer := time.AfterFunc(wait, func() { res.Cancel(errGrace) })
	defer timer.Stop()
	frames := wire.NewReader(body, wire.Options{MaxFrame: wire.DefaultMaxFrame})
	for {
		f, err := frames.Next()
		if err != nil {
			return c.broken(err, res.Why(err), disconnect > 0)
		}
		if !f.Terminated {
			continue // EventSource discards it
		}
		what := roleOf(c.s.resume, f)
		failed, undecided := c.frame(f, what)
		if failed == nil && c.machine != nil {
			c.s.found(c, f, c.machine.Frame(f))
		}
		if failed != nil || undecided != nil || c.done {
			return failed, undecided
		}
		if what == pack.Event {
			timer.Reset(c.s.o.Grace)
		}
		c.cursor.Take(f)
	}
}

// broken takes the end of a body. One that ends early is read on by connecting
// again, as EventSource does; a wait that was too long is a failure.
func (c *session) broken(err, why error, disconnect bool) (*failure, error) {
	var limit *wire.LimitError
	switch {
	case errors.Is(err, client.ErrDisconnected), errors.Is(err, io.EOF):
		return nil, nil
	case errors.Is(why, errGrace) && (disconnect || c.caughtUp()):
		return nil, nil // silence is right, or the bytes that the cut waits for don't come and it is cut here
	case errors.Is(why, errGrace):
		return c.missing(fmt.Sprintf("nothing within %v", c.s.o.Grace), true), nil
	case errors.Is(why, context.Canceled):
		return nil, &undecided{"the sweep ended meanwhile"}
	case errors.As(err, &limit), errors.Is(err, errLimit):
		f := c.missing("a body that is much larger than the first", true)
		return f, nil
	}
	c.why = "the connection breaks: " + client.Bare(why).Error()
	return nil, nil
}

// dialing reports whether an error occurred before there was a connection.
func dialing(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// frame compares one frame with the next required one.
func (c *session) frame(f *wire.Frame, what pack.Role) (*failure, error) {
	switch what {
	case pack.Removal:
		return nil, &undecided{"chunks were removed meanwhile"}
	case pack.Terminal:
		return c.terminal(f), nil
	case pack.Event:
		return c.chunk(f)
	}
	return nil, nil
}

// terminal takes the frame after which nothing comes. All events must have come, and the client must not have had it.
func (c *session) terminal(f *wire.Frame) *failure {
	c.done = true
	end := c.s.base.terminal
	switch {
	case c.have < len(c.s.base.events)-1:
		return c.missing("the terminal frame", false)
	case c.s.base.ends(c.requestCursor):
		return c.fail(c.s.resume.NoContent, f, "a reader that has the terminal frame is sent it again", "204",
			"200 with the terminal frame")
	case end != nil && (!same(end.data, f.Data, c.s.resume.TerminalMembers) || end.id != f.ID):
		return c.fail(c.tail(), f, "the terminal frame isn't the one of the first read",
			shown(end.id, end.data), shown(f.ID, f.Data))
	}
	return nil
}

// chunk takes an event and compares it with that of the first read. Events that a later read lacked are passed over, and
// so are events without an id if the first read had such.
func (c *session) chunk(f *wire.Frame) (*failure, error) {
	base := c.s.base
	i, known := base.index[f.ID]
	switch {
	case base.gone[f.ID], !f.HasID && base.idless:
		return nil, nil
	case !f.HasID:
		return c.fail(c.s.resume.EventID, f, "a chunk comes without an id, which it had on the first read", "an id", "none"), nil
	case known && !same(base.events[i].data, f.Data, c.s.resume.EventMembers):
		return c.fail(c.s.resume.Stable, f, "event "+f.ID+" isn't the same as on the first read",
			shown(f.ID, base.events[i].data), shown(f.ID, f.Data)), nil
	case c.requestCursor != nil && c.have == c.start && !c.follows(f.ID):
		failed := c.fail(c.s.resume.AfterCursor, f, "after a resume at event "+*c.requestCursor+" comes one that the reader has",
			"an id above "+*c.requestCursor, f.ID)
		failed.fromStart = known && i == 0 && c.start > 0
		return failed, nil
	case !known:
		return c.unknown(f)
	case i <= c.have:
		return c.fail(c.s.resume.Complete, f, "event "+f.ID+" comes twice on one connection, or too late",
			"an id above "+base.events[c.have].id, f.ID), nil
	case i > c.have+1:
		due := base.events[c.have+1].id
		return c.fail(c.s.resume.Complete, f, "event "+due+" is missing: event "+f.ID+" comes in its place", due, f.ID), nil
	}
	c.have, c.fresh = i, true
	c.done = base.terminal == nil && i == len(base.events)-1
	return nil, nil
}

// follows reports whether an id may come first after the cursor.
func (c *session) follows(id string) bool {
	if i, known := c.s.base.index[id]; known {
		return i > c.start
	}
	return !digits(id) || !digits(*c.requestCursor) || above(id, *c.requestCursor)
}

// unknown takes an event that the first read didn't contain: a new one, if no required one is missing.
func (c *session) unknown(f *wire.Frame) (*failure, error) {
	base := c.s.base
	if c.s.base.ends(c.requestCursor) {
		return nil, &undecided{"the stream goes on after its end: it was reset"}
	}
	news := base.terminal == nil && (!digits(f.ID) || !digits(base.latest()) || above(f.ID, base.latest()))
	switch {
	case c.have < len(base.events)-1 && news:
		due := base.events[c.have+1].id
		return c.fail(c.s.resume.Complete, f, "event "+due+" is missing: event "+f.ID+" comes in its place", due, f.ID), nil
	case news:
		c.done = true
		return nil, nil
	}
	return c.fail(c.s.resume.Stable, f, "there is no event "+f.ID+" on a read from the start",
		"the ids of the first read", cmp.Or(f.ID, "no id")), nil
}

// tail returns the rule that asks for the terminal frame.
func (c *session) tail() string {
	if c.start == len(c.s.base.events)-1 {
		return c.s.resume.FinishedTail
	}
	return c.s.resume.Complete
}

// missing returns the failure of a connection that doesn't deliver the next required event.
func (c *session) missing(got string, slow bool) *failure {
	base := c.s.base
	if c.have > c.start {
		got += ", the last was event " + base.events[c.have].id
	}
	f := &failure{}
	switch {
	case c.s.base.ends(c.requestCursor) && base.terminal != nil:
		f = c.fail(c.s.resume.NoContent, nil, "a resume at the terminal frame's id isn't answered 204", "204", got)
	case c.have < len(base.events)-1:
		due := base.events[c.have+1].id
		f = c.fail(c.s.resume.Complete, nil, "event "+due+" is missing", due, got)
	case base.terminal != nil:
		f = c.fail(c.tail(), nil, "the terminal frame is missing", shown(base.terminal.id, base.terminal.data), got)
	default:
		f = c.fail(c.s.resume.AtLatest, nil, "a resume at the latest event of a stream that goes on isn't served", "200", got)
	}
	f.slow = slow
	return f
}

// fail returns a failure of the plan on the current connection; f is the frame that shows it, nil for none.
func (c *session) fail(requirement string, f *wire.Frame, message, want, got string) *failure {
	return &failure{
		plan: c.plan, requirement: requirement, message: message, want: want, got: got, frame: f, cursor: c.requestCursor,
	}
}

// shownData limits the bytes of an event that are shown next to another.
const shownData = 300

// shown returns an event for people: its id and the beginning of its data.
func shown(id string, data []byte) string {
	text := string(data[:min(len(data), shownData)])
	if len(data) > shownData {
		text += "…"
	}
	return fmt.Sprintf("id %s, %s", cmp.Or(id, "none"), text)
}

// found adds the judge's findings on a resumed response, without those that were found before.
func (s *sweep) found(c *session, f *wire.Frame, findings []record.Finding) {
	for _, found := range findings {
		if s.rd.counters.found[found.Requirement] > 0 {
			continue
		}
		out := findingOf(found, f, "resumed after event "+*c.requestCursor)
		out.Rerun, out.Curl = s.rerun(c.plan), s.request.Curl(c.requestCursor)
		s.rd.counters.add(out, 1)
	}
}
