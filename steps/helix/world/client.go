package world

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

// Client is a client with its present and its earlier connections.
//
// Invariants: Reader is the last of Readers, or nil after the client left. Terminal is of the present connection.
// LastID and Last outlive connections.
type Client struct {
	World      *World           // the scenario
	Name       string           // as steps refer to it
	Stream     *Stream          // that it reads
	Reader     *target.Reader   // of the present connection; nil after the client left
	Readers    []*target.Reader // of all connections, in order
	LastID     string           // of the last event received, over all connections
	Terminal   *Message         // the terminal frame, nil before it came
	finished   bool             // the stream was finished before the connection began
	Pinned     bool             // a scenario about connections: the client never reconnects by itself
	Resumes    bool             // the client resumes after a broken connection
	retries    int              // connections that broke and were made again; at most maxRetries
	Last       *Message         // frame received, over all connections; nil before the first
	Truncated  *Message         // the latest truncated frame; nil before
	Unnotified bool             // it attached during a pause and received no frame for it: helix.status.attach-paused is recommended
	Got        []*Message       // messages of a run, over all connections
}

// maxRetries bounds the reconnections of one client, so that a server that always closes leads to a verdict.
const maxRetries = 20

// Attach connects a client under a name. A known name gets a new connection and keeps its LastID.
func (w *World) Attach(name, streamName string, r target.ReadRequest) (*Client, error) {
	s, err := w.Stream(streamName)
	if err != nil {
		return nil, err
	}
	c, ok := w.Clients[name]
	if !ok {
		c = &Client{World: w, Name: name, Stream: s}
		w.Clients[name] = c
		w.Order = append(w.Order, name)
	}
	return c, c.Connect(r)
}

// Connect opens another connection of the client. It fails with *steps.Unprovable beyond the declared number of readers.
func (c *Client) Connect(r target.ReadRequest) error {
	if most := c.World.limits().Readers; readers(c.Stream) >= most {
		return beyondLatest("readers", most, "readers of a stream")
	}
	r.Stream = c.Stream.ID
	if c.Stream.Produced {
		r.Origin = record.Produced
	}
	if r.Heading == "" {
		r.Heading = c.World.Step()
	}
	reader, err := targethelix.Attach(c.World.Session(), r)
	if err != nil {
		return steps.Faultf("attaching: %v", err)
	}
	c.Reader, c.Terminal = reader, nil
	c.finished = c.Stream.Ended || c.Stream.IsOver != nil && c.Stream.IsOver()
	c.Readers = append(c.Readers, reader)
	return nil
}

// Reconnect resumes after the last event received, as an EventSource does when a body ends.
func (c *Client) Reconnect() error {
	r := target.ReadRequest{Heading: golden.Reconnects}
	if c.LastID != "" {
		id := c.LastID
		r.Cursor = &id
	}
	return c.Connect(r)
}

// Next returns the next chunk, terminal or truncated frame. It passes over status frames and unknown types, and
// reconnects after a clean end without a terminal frame. It returns nil at the end of the stream.
func (c *Client) Next(awaited string) (*Message, error) { return c.NextOf(awaited, false) }

// NextOf does the same as Next, and returns status frames as well if status is set.
func (c *Client) NextOf(awaited string, status bool) (*Message, error) {
	by := c.World.Session().Target().By()
	for {
		f, err := c.Reader.Next(awaited, by)
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
		m := ReadFrame(f)
		if m == nil {
			continue
		}
		if f.HasID {
			c.LastID = f.ID
		}
		c.Last = m
		switch m.Type {
		case "end", "fail":
			c.Terminal = m
		case "truncated":
			c.Truncated = m
		case "chunk": // returned as it is
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

// UpTo receives until an event comes and returns its frame. It calls check, unless that is nil, for every frame before
// it, and returns its error.
func (c *Client) UpTo(e *Event, check func(*Message) error) (*Message, error) {
	for {
		m, err := c.Next(e.Label)
		if err != nil {
			return nil, c.Where(err)
		}
		if m == nil || c.Terminal != nil {
			return nil, c.Differs(e.Label, m)
		}
		c.Stream.Learn(m)
		if m.Is(e) {
			return m, nil
		}
		if check == nil {
			continue
		}
		if err := check(m); err != nil {
			return nil, err
		}
	}
}

// over handles the end of a body. It returns false at the end of the stream, true after a reconnection.
func (c *Client) over(awaited string) (bool, error) {
	v := c.Reader.Now()
	if c.Terminal != nil || v.Status == 204 {
		return false, nil
	}
	if v.Status != 200 {
		return false, c.Failure(awaited, "an answer of "+steps.StatusOf(v), nil)
	}
	if v.End == record.Broken && !c.Resumes {
		return false, c.Failure(awaited, fmt.Sprintf("a broken connection (%v)", v.Err), nil)
	}
	most := c.World.Session().Target().Timing().MaxConnection
	declared := most > 0 && v.Took >= most
	if c.Pinned && !declared || c.retries >= maxRetries {
		f := c.Failure(awaited, "the end of the response without a terminal frame", nil)
		f.DemandedBy = c.requirementFor()
		return false, f
	}
	c.retries++
	if len(c.World.Order) > 1 {
		c.World.NoteAlternative() // a transcript doesn't show which client reconnects
	}
	return true, c.Reconnect()
}

// Receive checks that the next frame is the event.
func (c *Client) Receive(e *Event) error {
	m, err := c.Next(e.Label)
	if err != nil {
		return c.Where(err)
	}
	if !m.Is(e) {
		return c.Differs(e.Label+" ("+steps.Clip(e.Body)+")", m)
	}
	c.Stream.Learn(m)
	return nil
}

// Where adds the present connection to a failure that has none.
func (c *Client) Where(err error) error {
	err = steps.Classify(err)
	if f, ok := err.(*steps.Failure); ok && f.Exchange == nil {
		f.Exchange, f.Frame = c.Reader.Exchange, -1
		if f.Message == steps.TimedOut && c.Reader.Now().Status == 200 {
			f.Got, f.DemandedBy = f.Got+c.lastSeen(), c.requirementFor()
		}
	}
	return err
}

// requirementFor returns the requirement that asks for the terminal frame of a stream which was finished before the
// connection began, if the client lacks only that frame; "" if it may lack more.
func (c *Client) requirementFor() string {
	if n := len(c.Stream.Events); !c.finished || c.Terminal != nil || n > 0 && !c.Last.Is(c.Stream.Events[n-1]) {
		return ""
	}
	if _, resumes := c.Reader.Cursor(); resumes {
		return FinishedTail
	}
	return "helix.lifecycle.finished-replay"
}

// FinishedTail asks for the terminal frame when a client resumes at the last chunk.
const FinishedTail = "helix.resume.finished-tail"

// lastSeen returns the last frame of a client in words, for a failed wait.
func (c *Client) lastSeen() string {
	if c.Last == nil {
		return "; no event had come before"
	}
	return "; the last frame was " + c.Stream.NameOf(c.Last)
}

// NameOf returns a frame's event and id in words.
func (s *Stream) NameOf(m *Message) string {
	name := "a frame of type " + m.Type
	if m.Type == "end" || m.Type == "fail" {
		name = "the " + m.Type + " frame"
	}
	for _, e := range s.Events {
		if m.Is(e) {
			name = e.Label
		}
	}
	if m.ID == "" {
		return name
	}
	return fmt.Sprintf("%s (id %s)", name, m.ID)
}

// Differs returns the failure of a client that received another message than the wanted one; nil is the end of the stream.
func (c *Client) Differs(want string, m *Message) error {
	if m == nil {
		return c.Failure(want, "the end of the stream", nil)
	}
	return c.Failure(want, steps.Clip(m.Frame.Data), m)
}

// Failure returns a failure of the client's present connection; m is the frame that shows it, nil for none.
func (c *Client) Failure(want, got string, m *Message) *steps.Failure {
	f := &steps.Failure{Finding: record.Finding{Message: "what " + c.Title() + " received", Want: want, Got: got, Frame: -1}, Exchange: c.Reader.Exchange}
	if m != nil {
		f.Frame = m.Frame.Index
	}
	return f
}

// Title returns the client's name in words.
func (c *Client) Title() string {
	switch {
	case c.Name == "client" || strings.HasSuffix(c.Name, " client"):
		return "the " + c.Name
	case strings.HasPrefix(c.Name, "fresh "):
		return "a fresh client"
	}
	return "client " + strconv.Quote(c.Name)
}

// IdOf returns the id of the delivered event n. A hidden client reads the stream up to it if no client has received it
// yet.
func (s *Stream) IdOf(n int) (string, error) {
	e, err := s.Event(n)
	if err != nil {
		return "", err
	}
	if e.ID != "" {
		return e.ID, nil
	}
	c := &Client{World: s.World, Name: "survey", Stream: s}
	if err := c.Connect(target.ReadRequest{Hidden: true}); err != nil {
		return "", err
	}
	defer c.Reader.Disconnect()
	if _, err := c.UpTo(e, nil); err != nil {
		return "", err
	}
	return e.ID, nil
}

// TerminalID returns the id of the terminal frame of a finished stream.
func (s *Stream) TerminalID() (string, error) {
	c := &Client{World: s.World, Name: "survey", Stream: s}
	if err := c.Connect(target.ReadRequest{Hidden: true}); err != nil {
		return "", err
	}
	for {
		m, err := c.Next("the terminal frame")
		if err != nil {
			return "", c.Where(err)
		}
		if m == nil {
			return "", c.Differs("the terminal frame", nil)
		}
		if m.Type == "end" || m.Type == "fail" {
			if m.ID == "" {
				return "", c.Failure("a terminal frame with an id", "one without", m)
			}
			return m.ID, nil
		}
	}
}

// readers returns the number of open connections to the stream.
func readers(s *Stream) int {
	n := 0
	for _, c := range s.World.Clients {
		if c.Stream == s && c.Reader != nil && c.Reader.Now().End == record.Open {
			n++
		}
	}
	return n
}
