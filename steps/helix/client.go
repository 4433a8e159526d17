package helix

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
)

// clientState is a client: the connection that it has now and those it had.
type clientState struct {
	w         *world
	name      string
	stream    *stream
	reader    *target.Reader
	readers   []*target.Reader
	lastID    string   // of the last event received, over all connections
	terminal  *message // the terminal frame, once it came
	finished  bool     // the stream had finished before the connection began
	pinned    bool     // a scenario about connections: never reconnect by itself
	resumes   bool     // a broken connection is a cut that it resumes from
	retries   int
	last      *message
	truncated *message
	untold    bool       // it came during a pause and got no frame for it: helix.status.attach-paused is recommended
	got       []*message // what was read of a run, over all connections
}

// maxRetries bounds the reconnections of one client: a server that always closes
// must end in a verdict.
const maxRetries = 20

// attach connects a client under a name. A name that exists already gets a new
// connection and keeps what it remembers.
func (w *world) attach(name, streamName string, r target.ReadRequest) (*clientState, error) {
	s, err := w.stream(streamName)
	if err != nil {
		return nil, err
	}
	c, ok := w.clients[name]
	if !ok {
		c = &clientState{w: w, name: name, stream: s}
		w.clients[name] = c
		w.order = append(w.order, name)
	}
	return c, c.connect(r)
}

func (c *clientState) connect(r target.ReadRequest) error {
	if most := c.w.limits().Readers; readers(c.stream) >= most {
		return beyondLatest("readers", most, "readers of a stream")
	}
	r.Stream = c.stream.id
	if c.stream.produced {
		r.Origin = record.Produced
	}
	if r.Heading == "" {
		r.Heading = c.w.Step()
	}
	reader, err := targethelix.Attach(c.w.Session(), r)
	if err != nil {
		return steps.Faultf("attaching: %v", err)
	}
	c.reader, c.terminal = reader, nil
	c.finished = c.stream.ended || c.stream.produced && c.w.agent.state.over()
	c.readers = append(c.readers, reader)
	return nil
}

// reconnect does what an EventSource does when a body ends: it resumes after the
// last event that it received.
func (c *clientState) reconnect() error {
	r := target.ReadRequest{Heading: golden.Reconnects}
	if c.lastID != "" {
		id := c.lastID
		r.Cursor = &id
	}
	return c.connect(r)
}

// next returns the next frame that a client acts on: a chunk, a terminal or a
// truncated frame. It passes over status frames and types that it doesn't know,
// and reconnects after a clean end without a terminal frame. It returns nil when
// the stream is over.
func (c *clientState) next(awaited string) (*message, error) { return c.nextOf(awaited, false) }

// nextOf is next, with status frames if they are asked for.
func (c *clientState) nextOf(awaited string, status bool) (*message, error) {
	by := c.w.Session().Target().By()
	for {
		f, err := c.reader.Next(awaited, by)
		if err != nil {
			return nil, err
		}
		if f == nil {
			again, err := c.over(awaited)
			if err != nil || !again {
				return nil, err
			}
			continue
		}
		m := understand(f)
		if m == nil {
			continue
		}
		if f.HasID {
			c.lastID = f.ID
		}
		c.last = m
		switch m.Type {
		case "end", "fail":
			c.terminal = m
		case "truncated":
			c.truncated = m
		case "chunk":
		case "status":
			if !status {
				continue
			}
		default:
			continue
		}
		return m, nil
	}
}

// upTo receives until an event comes and returns the frame that brought it.
// visit, unless it is nil, is shown every frame before it and may object.
func (c *clientState) upTo(e *event, connectAndLeave func(*message) error) (*message, error) {
	for {
		m, err := c.next(e.label)
		if err != nil {
			return nil, c.where(err)
		}
		if m == nil || c.terminal != nil {
			return nil, c.differs(e.label, m)
		}
		c.stream.learn(m)
		if m.is(e) {
			return m, nil
		}
		if connectAndLeave == nil {
			continue
		}
		if err := connectAndLeave(m); err != nil {
			return nil, err
		}
	}
}

// over decides what the end of a body means: false for the end of the stream,
// true after a reconnection.
func (c *clientState) over(awaited string) (bool, error) {
	v := c.reader.Now()
	if c.terminal != nil || v.Status == 204 {
		return false, nil
	}
	if v.Status != 200 {
		return false, c.failure(awaited, "an answer of "+steps.StatusOf(v), nil)
	}
	if v.End == record.Broken && !c.resumes {
		return false, c.failure(awaited, fmt.Sprintf("a broken connection (%v)", v.Err), nil)
	}
	most := c.w.Session().Target().Timing().MaxConnection
	declared := most > 0 && v.Took >= most
	if c.pinned && !declared || c.retries >= maxRetries {
		f := c.failure(awaited, "the end of the response without a terminal frame", nil)
		f.Owed = c.owed()
		return false, f
	}
	c.retries++
	if len(c.w.order) > 1 {
		c.w.NoteAlternative() // whose reconnection it is a transcript can't tell
	}
	return true, c.reconnect()
}

// receive checks that the next frame is the event.
func (c *clientState) receive(e *event) error {
	m, err := c.next(e.label)
	if err != nil {
		return c.where(err)
	}
	if !m.is(e) {
		return c.differs(e.label+" ("+steps.Clip(e.body)+")", m)
	}
	c.stream.learn(m)
	return nil
}

// where adds the connection to a failure that doesn't name one.
func (c *clientState) where(err error) error {
	err = steps.Classify(err)
	if f, ok := err.(*steps.Failure); ok && f.Exchange == nil {
		f.Exchange, f.Frame = c.reader.Exchange, -1
		if f.Message == steps.TimedOut && c.reader.Now().Status == 200 {
			f.Got, f.Owed = f.Got+c.lastSeen(), c.owed()
		}
	}
	return err
}

// owed is the requirement that asks for the terminal frame of a stream that had finished before the connection began, where
// that frame is all that the client lacks; "" where it may lack more.
func (c *clientState) owed() string {
	if n := len(c.stream.events); !c.finished || c.terminal != nil || n > 0 && !c.last.is(c.stream.events[n-1]) {
		return ""
	}
	if _, resumes := c.reader.Cursor(); resumes {
		return finishedTail
	}
	return "helix.lifecycle.finished-replay"
}

// finishedTail asks for the terminal frame when a client resumes at the last chunk.
const finishedTail = "helix.resume.finished-tail"

// lastSeen says how far a client had come that waits in vain.
func (c *clientState) lastSeen() string {
	if c.last == nil {
		return "; no event had come before"
	}
	return "; the last frame was " + c.stream.nameOf(c.last)
}

// nameOf names a frame for people: the event that it brought, and its id.
func (s *stream) nameOf(m *message) string {
	name := "a frame of type " + m.Type
	if m.Type == "end" || m.Type == "fail" {
		name = "the " + m.Type + " frame"
	}
	for _, e := range s.events {
		if m.is(e) {
			name = e.label
		}
	}
	if m.id == "" {
		return name
	}
	return fmt.Sprintf("%s (id %s)", name, m.id)
}

func (c *clientState) differs(want string, m *message) error {
	if m == nil {
		return c.failure(want, "the end of the stream", nil)
	}
	return c.failure(want, steps.Clip(m.frame.Data), m)
}

func (c *clientState) failure(want, got string, m *message) *steps.Failure {
	f := &steps.Failure{Finding: record.Finding{Message: "what " + c.title() + " received", Want: want, Got: got, Frame: -1}, Exchange: c.reader.Exchange}
	if m != nil {
		f.Frame = m.frame.Index
	}
	return f
}

func (c *clientState) title() string {
	switch {
	case c.name == "client" || strings.HasSuffix(c.name, " client"):
		return "the " + c.name
	case strings.HasPrefix(c.name, "fresh "):
		return "a fresh client"
	}
	return "client " + strconv.Quote(c.name)
}

// idOf returns the id with which an event is delivered. Where no client has
// received it yet, a hidden one reads the stream up to it.
func (s *stream) idOf(n int) (string, error) {
	e, err := s.event(n)
	if err != nil {
		return "", err
	}
	if e.id != "" {
		return e.id, nil
	}
	c := &clientState{w: s.w, name: "survey", stream: s}
	if err := c.connect(target.ReadRequest{Hidden: true}); err != nil {
		return "", err
	}
	defer c.reader.Cut()
	if _, err := c.upTo(e, nil); err != nil {
		return "", err
	}
	return e.id, nil
}

// terminalID returns the id of the terminal frame of a finished stream.
func (s *stream) terminalID() (string, error) {
	c := &clientState{w: s.w, name: "survey", stream: s}
	if err := c.connect(target.ReadRequest{Hidden: true}); err != nil {
		return "", err
	}
	for {
		m, err := c.next("the terminal frame")
		if err != nil {
			return "", c.where(err)
		}
		if m == nil {
			return "", c.differs("the terminal frame", nil)
		}
		if m.Type == "end" || m.Type == "fail" {
			if m.id == "" {
				return "", c.failure("a terminal frame with an id", "one without", m)
			}
			return m.id, nil
		}
	}
}
