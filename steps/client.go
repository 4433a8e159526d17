package steps

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/target"
)

// clientState is a client: the connection that it has now and those it had.
type clientState struct {
	w         *World
	name      string
	stream    *stream
	reader    *target.Reader
	readers   []*target.Reader
	lastID    string   // of the last event received, over all connections
	terminal  *message // the terminal frame, once it came
	pinned    bool     // a scenario about connections: never reconnect by itself
	resumes   bool     // a broken connection is a cut that it resumes from
	retries   int
	last      *message
	truncated *message
	got       []*message // what was read of a run, over all connections
}

// maxRetries bounds the reconnections of one client: a server that always closes
// must end in a verdict.
const maxRetries = 20

// attach connects a client under a name. A name that exists already gets a new
// connection and keeps what it remembers.
func (w *World) attach(name, streamName string, r target.ReadRequest) (*clientState, error) {
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
	r.Stream = c.stream.id
	if c.stream.produced {
		r.Origin = target.Produced
	}
	if r.Heading == "" {
		r.Heading = c.w.heading
	}
	reader, err := c.w.session.Attach(r)
	if err != nil {
		return fault("attaching: %v", err)
	}
	c.reader, c.terminal = reader, nil
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
	by := c.w.session.Target().By()
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
func (c *clientState) upTo(e *event, visit func(*message) error) (*message, error) {
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
		if visit == nil {
			continue
		}
		if err := visit(m); err != nil {
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
		return false, c.failure(awaited, "an answer of "+statusOf(v), nil)
	}
	if v.End == target.Broken && !c.resumes {
		return false, c.failure(awaited, fmt.Sprintf("a broken connection (%v)", v.Err), nil)
	}
	if c.pinned || c.retries >= maxRetries {
		return false, c.failure(awaited, "the end of the response without a terminal frame", nil)
	}
	c.retries++
	c.w.otherwise = c.w.otherwise || len(c.w.order) > 1 // whose reconnection it is a transcript can't tell
	return true, c.reconnect()
}

// receive checks that the next frame is the event.
func (c *clientState) receive(e *event) error {
	m, err := c.next(e.label)
	if err != nil {
		return c.where(err)
	}
	if !m.is(e) {
		return c.differs(e.label+" ("+clip(e.body)+")", m)
	}
	c.stream.learn(m)
	return nil
}

// where adds the connection to a failure that doesn't name one.
func (c *clientState) where(err error) error {
	err = classify(err)
	if f, ok := err.(*Failure); ok && f.Exchange == nil {
		f.Exchange, f.Frame = c.reader.Exchange, -1
		if f.Message == timedOut && c.reader.Now().Status == 200 {
			f.Got += c.lastSeen()
		}
	}
	return err
}

// lastSeen says how far a client had come that waits in vain.
func (c *clientState) lastSeen() string {
	if c.last == nil {
		return "; no event had come before"
	}
	return "; the last frame was " + c.stream.nameOf(c.last)
}

// nameOf is what a person calls a frame: the event that it brought, and its id.
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
	return c.failure(want, clip(m.frame.Data), m)
}

func (c *clientState) failure(want, got string, m *message) *Failure {
	f := &Failure{Message: "what " + c.title() + " received", Want: want, Got: got, Exchange: c.reader.Exchange, Frame: -1}
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
func (w *World) idOf(s *stream, n int) (string, error) {
	e, err := s.event(n)
	if err != nil {
		return "", err
	}
	if e.id != "" {
		return e.id, nil
	}
	c := &clientState{w: w, name: "survey", stream: s}
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
func (w *World) terminalID(s *stream) (string, error) {
	c := &clientState{w: w, name: "survey", stream: s}
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

func clientSteps(v *Vocabulary) {
	both(func(k features.Keyword) {
		step0(v, k, `^the client attaches$`, func(w *World) error { return w.attachOnly("client", target.ReadRequest{}) })
		step1(v, k, `^client "([^"]+)" attaches$`, func(w *World, name string) error { return w.attachOnly(name, target.ReadRequest{}) })
		step1(v, k, `^`+client+` disconnects$`, func(w *World, who string) error {
			return w.each(who, func(c *clientState) error {
				c.reader.Cut()
				c.reader = nil
				return nil
			})
		})
	})
	step0(v, features.Given, `^an attached client$`, func(w *World) error { return w.attachAndCatchUp("client") })
	step1(v, features.Given, `^attached clients ("[^"]+"(?:, "[^"]+")*)$`, func(w *World, list string) error {
		for _, name := range strings.Split(list, ", ") {
			if err := w.attachAndCatchUp(strings.Trim(name, `"`)); err != nil {
				return err
			}
		}
		return nil
	})
	step0(v, features.Given, `^an attached client that must stay on its connection$`, func(w *World) error {
		if err := w.attachAndCatchUp("client"); err != nil {
			return err
		}
		w.clients["client"].pinned = true
		return nil
	})
	both(func(k features.Keyword) {
		step0(v, k, `^the client attaches accepting gzip$`, func(w *World) error {
			return w.attachOnly("client", target.ReadRequest{Gzip: true})
		})
	})
	both(func(k features.Keyword) {
		step0(v, k, `^the client attaches over HTTP/2$`, func(w *World) error {
			if ok, reason := w.session.Target().OffersHTTP2(w.session.Context()); !ok {
				return &Unprovable{reason}
			}
			return w.attachOnly("client", target.ReadRequest{HTTP2: true})
		})
	})
}

func headSteps(v *Vocabulary) {
	step0(v, features.Given, `^the response head has arrived$`, func(w *World) error {
		c, _, err := w.head()
		if err != nil {
			return c.where(err)
		}
		return nil
	})
	step0(v, features.Then, `^the response head arrives before any event$`, func(w *World) error {
		cs, err := w.clientsNamed("the client")
		if err != nil {
			return err
		}
		got, err := cs[0].reader.Head()
		if err != nil {
			return cs[0].where(err)
		}
		if got.Status != 200 {
			return cs[0].failure("a response head of 200", fmt.Sprintf("%d", got.Status), nil)
		}
		w.saw(1)
		return nil
	})
}

func (w *World) attachOnly(name string, r target.ReadRequest) error {
	_, err := w.attach(name, "", r)
	return err
}

// attachAndCatchUp attaches and reads everything that the stream holds, so that
// the client is attached beyond doubt.
func (w *World) attachAndCatchUp(name string) error {
	c, err := w.attach(name, "", target.ReadRequest{})
	if err != nil {
		return err
	}
	if _, err := c.reader.Head(); err != nil {
		return c.where(err)
	}
	for _, e := range c.stream.events {
		if err := c.receive(e); err != nil {
			return err
		}
	}
	return nil
}
