package sweep

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps/helix/world"

	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/steps"
)

// disconnectingClient is a client that is disconnected again and again, and resumes as EventSource does.
type disconnectingClient struct {
	sweep  *sweep                            // whose stream it reads
	cuts   []disconnect                      // made so far
	cursor client.Cursor                     // after the last complete event
	got    []*world.Message                  // messages so far, in order, each once
	reads  int                               // connections so far
	from   map[*world.Message]*target.Reader // the connection of each message, of a read that is compared later

	among   bool           // other clients were disconnected meanwhile
	failure *steps.Failure // nil while it received what it should
}

// mostIdle is the number of responses without progress that a client accepts, not counting those that it closed itself.
const mostIdle = 20

// play reads a finished stream to its end with these disconnects.
func (sw *sweep) play(cuts []disconnect) (*disconnectingClient, error) {
	cl := &disconnectingClient{sweep: sw}
	return cl, cl.read(cuts, cl.wants("%d responses that ended without it"))
}

// read reads the stream to its end with these disconnects. idle is the failure after mostIdle responses without
// progress.
func (cl *disconnectingClient) read(cuts []disconnect, idle *steps.Failure) error {
	barren, err := client.Cuts{
		Next: func(int) int64 {
			for len(cl.cuts) < len(cuts) {
				next := cuts[len(cl.cuts)]
				if limit := cl.sweep.distance(len(cl.got), next); limit > 0 {
					return limit
				}
				cl.cuts = append(cl.cuts, next) // the client is already past it
			}
			return 0
		},
		Connect: func(limit int64) (client.Progress, error) {
			before := len(cl.got)
			over, err := cl.connection(limit, cl.sweep.expects)
			if err != nil || over {
				return client.Over, err
			}
			if limit > 0 {
				cl.cuts = append(cl.cuts, cuts[len(cl.cuts)])
			}
			if len(cl.got) > before {
				return client.Some, nil
			}
			return client.Nothing, nil
		},
		Idle: mostIdle,
	}.Read()
	if barren {
		idle.Want = cl.sweep.wanted(len(cl.got))
		err = idle
	}
	if err == nil {
		return nil
	}
	return cl.fails(err)
}

// wants returns the failure after mostIdle responses; got has a verb for their number.
func (cl *disconnectingClient) wants(got string) *steps.Failure {
	return &steps.Failure{Finding: record.Finding{Got: fmt.Sprintf(got, mostIdle), Frame: -1}}
}

// distance returns how many bytes of a body precede a disconnect, for a client that has received so many frames; 0 if
// it is past the disconnect.
func (sw *sweep) distance(have int, c disconnect) int64 {
	n := c.bytes
	for i := have; i < c.frame; i++ {
		n += sw.sizes[i]
	}
	if n == 0 || c.frame < have {
		return 0
	}
	return n + sw.prelude
}

// connection attaches, reads until the body ends and reports whether the client has every message. It calls expect for
// each message before it appends it to got.
func (cl *disconnectingClient) connection(limit int64, expect func(*disconnectingClient, *world.Message) error) (over bool, err error) {
	rd, err := cl.attach(limit)
	if err != nil {
		return false, err
	}
	by := cl.sweep.w.Session().Target().By()
	for {
		f, err := rd.Next(cl.sweep.wanted(len(cl.got)), by)
		if err != nil {
			return false, cl.at(rd, nil, err)
		}
		if f == nil {
			break
		}
		m := cl.take(f)
		if m == nil {
			continue
		}
		if err := expect(cl, m); err != nil {
			return false, cl.at(rd, f, err)
		}
		cl.got = append(cl.got, m)
		by = cl.sweep.w.Session().Target().By()
	}
	if err := cl.answered(rd); err != nil {
		return false, cl.at(rd, nil, err)
	}
	cl.reads++
	cl.sweep.w.Session().Forget(rd)
	return len(cl.got) == len(cl.sweep.messages), nil
}

func (cl *disconnectingClient) attach(limit int64) (*target.Reader, error) {
	sw := cl.sweep
	r := target.ReadRequest{Stream: sw.stream.ID, Heading: sw.w.Step(), DisconnectAfter: limit, Cursor: cl.cursor.Acknowledged()}
	rd, err := targethelix.Attach(sw.w.Session(), r)
	if err != nil {
		return nil, steps.Faultf("attaching: %v", err)
	}
	return rd, nil
}

// take processes a block as EventSource does, and returns it if it is a chunk or a terminal frame, else nil.
func (cl *disconnectingClient) take(f *wire.Frame) *world.Message {
	if !cl.cursor.Take(f) {
		return nil
	}
	m := world.ReadFrame(f)
	if m == nil || m.Type != "chunk" && m.Type != "end" && m.Type != "fail" {
		return nil
	}
	return m
}

// answered checks a response whose body has ended.
func (cl *disconnectingClient) answered(rd *target.Reader) error {
	v := rd.Now()
	switch v.Status {
	case 0, 200: // either side may have closed the connection
		if v.Status == 0 && v.End == record.Broken {
			return v.Err
		}
		return nil
	case 429, 503: // a server may limit the rate of requests
		return &steps.Unprovable{Reason: fmt.Sprintf("the server answers %d when a client comes back so often", v.Status)}
	}
	return &steps.Failure{Finding: record.Finding{Want: cl.sweep.wanted(len(cl.got)), Got: "an answer of " + steps.StatusOf(v), Frame: -1}}
}

// at adds the exchange and the frame to a failure that has none.
func (cl *disconnectingClient) at(rd *target.Reader, f *wire.Frame, err error) error {
	err = steps.Classify(err)
	if failure, ok := err.(*steps.Failure); ok && failure.Exchange == nil {
		failure.Exchange, failure.Frame = rd.Exchange, -1
		if f != nil {
			failure.Frame = f.Index
		}
	}
	return err
}

// fails stores a failure with the client's disconnects as its message.
func (cl *disconnectingClient) fails(err error) error {
	failure, ok := err.(*steps.Failure)
	if !ok {
		return err
	}
	if failure.Message == steps.TimedOut {
		failure.Got += cl.last()
	}
	if n := len(cl.sweep.messages); failure.Frame < 0 && n > 0 && len(cl.got) == n-1 {
		failure.DemandedBy = world.FinishedTail
	}
	failure.Message = cl.history()
	cl.failure = failure
	return failure
}

func (cl *disconnectingClient) last() string {
	if len(cl.got) == 0 {
		return "; no event had come before"
	}
	return "; the last that it had was " + cl.sweep.stream.NameOf(cl.got[len(cl.got)-1])
}

// expects compares a message with the message of the uninterrupted read at the same index.
func (sw *sweep) expects(cl *disconnectingClient, m *world.Message) error {
	at := len(cl.got)
	if at < len(sw.messages) && equal(sw.messages[at], m) {
		return nil
	}
	what := steps.Clip(m.Frame.Data)
	switch {
	case indexOf(sw.messages[:min(at, len(sw.messages))], m) >= 0:
		what = sw.stream.NameOf(m) + " again: " + what
	case at < len(sw.messages) && indexOf(sw.messages[at:], m) > 0:
		what = sw.stream.NameOf(m) + ": " + what
	case at < len(sw.messages) && m.ID == sw.messages[at].ID:
		what = "something else under the same id: " + what
	}
	return &steps.Failure{Finding: record.Finding{Want: sw.wanted(at), Got: what}}
}

func indexOf(all []*world.Message, m *world.Message) int {
	for i, other := range all {
		if equal(other, m) {
			return i
		}
	}
	return -1
}

// equal reports whether two messages have the same content and id.
func equal(a, b *world.Message) bool {
	if a.Type != b.Type || a.ID != b.ID {
		return false
	}
	if a.Type == "chunk" {
		return bytes.Equal(a.Chunk, b.Chunk) || steps.Same(a.Value(), b.Value())
	}
	return true
}

// wanted names the next message of the uninterrupted read.
func (sw *sweep) wanted(at int) string {
	switch {
	case len(sw.messages) == 0:
		return "the next event"
	case at >= len(sw.messages):
		return "nothing more"
	}
	m := sw.messages[at]
	return sw.stream.NameOf(m) + ": " + steps.Clip(m.Frame.Data)
}

// readN reads so many complete events on another connection and closes it; with 0 events it closes it after so many
// bytes. It sends the connection to out before it reads.
func (cl *disconnectingClient) readN(events int, bytes int64, out chan<- *target.Reader) error {
	if events > 0 {
		bytes = 0
	}
	rd, err := cl.attach(bytes)
	out <- rd
	if err != nil {
		return err
	}
	by := cl.sweep.w.Session().Target().By()
	for taken := 0; taken < events || events == 0; {
		f, err := rd.Next("the event after "+strconv.Quote(cl.cursor.ID), by)
		if err != nil {
			return cl.fails(cl.at(rd, nil, err))
		}
		if f == nil {
			break
		}
		if m := cl.take(f); m != nil {
			if indexOf(cl.got, m) >= 0 {
				return cl.fails(cl.at(rd, f, &steps.Failure{Finding: record.Finding{Want: "an event that the client didn't have", Got: cl.sweep.stream.NameOf(m) + " again"}}))
			}
			cl.got = append(cl.got, m)
			cl.from[m] = rd
			by = cl.sweep.w.Session().Target().By() // each event has its time
			taken++
		}
	}
	if err := cl.answered(rd); err != nil {
		return cl.fails(cl.at(rd, nil, err))
	}
	cl.reads++
	cl.cuts = append(cl.cuts, disconnect{len(cl.got), bytes})
	rd.Disconnect()
	rd.DropAfter(rd.Taken()) // what came meanwhile depends on the speed of the machine
	return nil
}

// compareAll compares the messages so far with those of the uninterrupted read, and then reads and compares the others.
func (cl *disconnectingClient) compareAll(entire *sweep) error {
	before := cl.got
	cl.sweep, cl.got = entire, nil
	for _, m := range before {
		if err := entire.expects(cl, m); err != nil {
			return cl.fails(cl.at(cl.from[m], m.Frame, err))
		}
		cl.got = append(cl.got, m)
	}
	return cl.read(nil, cl.wants("%d responses that end without it"))
}

// history returns the client's disconnects in words.
func (cl *disconnectingClient) history() string {
	var positions []string
	for _, c := range cl.cuts {
		if world.Get[*sweep](cl.sweep.w).whileWriting == nil {
			positions = append(positions, cl.sweep.describe(c))
		}
	}
	n := len(positions)
	positions = slices.Compact(positions)
	switch {
	case world.Get[*sweep](cl.sweep.w).whileWriting != nil:
		return fmt.Sprintf("a client was cut %s while two writers wrote, and resumed each time", times(len(cl.cuts)))
	case n == 0:
		return "a client resumed without having been cut"
	case n == 1:
		return "a client was cut once, " + positions[0] + ", and resumed"
	case len(positions) == 1:
		return fmt.Sprintf("a client was cut %s, each time %s, and resumed", times(n), positions[0])
	case cl.among:
		return fmt.Sprintf("while others were cut on the same stream, a client was cut %s, at last %s, and resumed each time",
			times(n), positions[len(positions)-1])
	case n == 2:
		return "a client was cut twice, " + strings.Join(positions, " and ") + ", and resumed each time"
	}
	return fmt.Sprintf("a client was cut %s, at last %s, and resumed each time", times(n), positions[len(positions)-1])
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// describe returns the position of a disconnect in words.
func (sw *sweep) describe(c disconnect) string {
	m := sw.messages[c.frame]
	if c.bytes == 0 {
		return "right after " + sw.stream.NameOf(sw.messages[c.frame-1])
	}
	raw := m.Frame.Raw
	where := ""
	switch at := int(c.bytes); {
	case !utf8.RuneStart(raw[at]):
		from := at
		for from > 0 && !utf8.RuneStart(raw[from]) {
			from--
		}
		r, _ := utf8.DecodeRune(raw[from:])
		where = fmt.Sprintf(", inside the character %q", r)
	case raw[at-1] == '\n' || raw[at-1] == '\r':
		where = ", behind its line " + steps.Clip(lastLine(raw[:at]))
	}
	return fmt.Sprintf("%d bytes into the frame of %s%s", c.bytes, sw.stream.NameOf(m), where)
}

// lastLine returns the last line that isn't empty.
func lastLine(raw []byte) []byte {
	raw = bytes.TrimRight(raw, "\r\n")
	return raw[bytes.LastIndexAny(raw, "\r\n")+1:]
}
