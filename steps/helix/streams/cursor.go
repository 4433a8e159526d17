package streams

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func ref(s string) *string { return &s }

func resumeSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the client resumes after event (\d+) accepting gzip$`, func(w *world.World, n int) error {
			return resume(w, n, func(id string) target.ReadRequest { return target.ReadRequest{Cursor: ref(id), Gzip: true} })
		})
		steps.Step1(v, k, `^the client resumes after event (\d+)$`, func(w *world.World, n int) error {
			return resume(w, n, func(id string) target.ReadRequest { return target.ReadRequest{Cursor: ref(id)} })
		})
	})
	steps.Step2(v, features.When, `^client "([^"]+)" resumes after event (\d+)$`, world.OnStream2(func(s *world.Stream, name string, n int) error {
		id, err := s.IdOf(n)
		if err != nil {
			return err
		}
		return s.World.AttachOnly(name, target.ReadRequest{Cursor: ref(id)})
	}))
	steps.Step1(v, features.When, `^the client resumes after event (\d+) by query$`, func(w *world.World, n int) error {
		return resume(w, n, func(id string) target.ReadRequest {
			return target.ReadRequest{Query: map[string]string{"fromSequence": id}}
		})
	})
	steps.Step1(v, features.When, `^the client asks for events after event (\d+) with fromOffset$`, func(w *world.World, n int) error {
		return resume(w, n, func(id string) target.ReadRequest {
			return target.ReadRequest{Query: map[string]string{"fromOffset": id}}
		})
	})
	steps.Step2(v, features.When, `^the client resumes with event (\d+) in the header and event (\d+) in the query$`, world.OnStream2(func(s *world.Stream, header, query int) error {
		stale, err := s.IdOf(query)
		if err != nil {
			return err
		}
		return resume(s.World, header, func(id string) target.ReadRequest {
			return target.ReadRequest{Cursor: ref(id), Query: map[string]string{"fromSequence": stale}}
		})
	}))
	steps.Step2(v, features.When, `^the client resumes with event (\d+) in the header and the cursor "([^"]*)" in the query$`, func(w *world.World, n int, query string) error {
		return resume(w, n, func(id string) target.ReadRequest {
			return target.ReadRequest{Cursor: ref(id), Query: map[string]string{"fromSequence": query}}
		})
	})
	steps.Step2(v, features.When, `^the client resumes with the large cursor "(\d+)" in the (header|query)$`, resumeLarge)
	steps.Step2(v, features.When, `^the client resumes with the cursor "([^"]*)" in the (header|query)$`, func(w *world.World, cursor, place string) error {
		return w.AttachOnly("client", at(cursor, place))
	})
	steps.Step2(v, features.When, `^the client resumes after event (\d+) with (leading zeros|surrounding spaces) in the cursor$`, func(w *world.World, n int, padding string) error {
		return resume(w, n, func(id string) target.ReadRequest {
			if padding == "leading zeros" {
				return at("0"+id, "header")
			}
			return at(" "+id+" ", "query")
		})
	})
	steps.Step0(v, features.When, `^the client resumes at the terminal frame$`, func(w *world.World) error { return resumeAtTerminal(w, 0) })
	steps.Step0(v, features.When, `^the client resumes beyond the terminal frame$`, func(w *world.World) error { return resumeAtTerminal(w, 100) })
	steps.Step2(v, features.When, `^the client resumes (\d+) beyond event (\d+)$`, func(w *world.World, beyondLatest, n int) error {
		return resume(w, n, func(id string) target.ReadRequest { return target.ReadRequest{Cursor: ref(plus(id, beyondLatest))} })
	})
}

func disconnectSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step2(v, k, `^the client is cut after event (\d+)( in mid-frame|)$`, func(w *world.World, n int, mid string) error {
			return disconnectAfter(w, n, mid != "")
		})
	})
	steps.Step1(v, features.When, `^the client is cut after each event while `+world.Events+` are written$`, disconnectEach)
	steps.Step1(v, features.When, `^the client attaches while `+world.Events+` are being written$`, attachDuring)
	steps.Step0(v, features.Then, `^the client receives the rest, or everything, or a 400$`, aliasOrNot)
	steps.Step0(v, features.Then, `^the client is refused, or receives no chunk before the end$`, noChunkBeforeEnd)
	steps.Step1(v, features.Then, `^the client receives nothing at or below its cursor while `+world.Events+` are written$`, nothingBelow)
	steps.Step1(v, features.Then, `^the client receives `+world.Events+`, or a 400$`, func(w *world.World, list string) error {
		c := w.Clients["client"]
		head, err := c.Reader.Head()
		if err != nil {
			return c.Where(err)
		}
		w.NoteAlternative()
		if head.Status == 400 {
			w.Saw(1)
			return nil
		}
		_, err = receives(w, "the client", list)
		return err
	})
}

func at(cursor, place string) target.ReadRequest {
	if place == "header" {
		return target.ReadRequest{Cursor: ref(cursor)}
	}
	return target.ReadRequest{Query: map[string]string{"fromSequence": cursor}}
}

// plus adds to a decimal id; it returns any other id unchanged, since the judge has reported it.
func plus(id string, n int) string {
	v, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return id
	}
	return strconv.FormatInt(v+int64(n), 10)
}

func resume(w *world.World, n int, how func(id string) target.ReadRequest) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	id, err := s.IdOf(n)
	if err != nil {
		return err
	}
	c, err := w.Attach("client", "", how(id))
	if err != nil {
		return err
	}
	c.LastID = id
	return nil
}

func resumeAtTerminal(w *world.World, beyondLatest int) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	id, err := s.TerminalID()
	if err != nil {
		return err
	}
	return w.AttachOnly("client", target.ReadRequest{Cursor: ref(plus(id, beyondLatest))})
}

// disconnectAfter closes the client's connection after event n; with mid, after a part of the next event has arrived.
func disconnectAfter(w *world.World, n int, mid bool) error {
	c, ok := w.Clients["client"]
	if !ok {
		return steps.Faultf("the client is not attached")
	}
	e, err := c.Stream.Event(n)
	if err != nil {
		return err
	}
	if !c.Last.Is(e) {
		if _, err := c.UpTo(e, nil); err != nil {
			return err
		}
	}
	if mid {
		if _, err := c.Reader.Next("a part of the next event", w.Session().Target().By()); err != nil {
			return c.Where(err)
		}
		c.Reader.Unread()
	}
	c.Reader.Disconnect()
	c.Reader.DropAfter(c.Reader.Taken())
	return nil
}

// disconnectEach disconnects the client every third event and resumes it, so that events are written while it is
// attached and while it is away.
func disconnectEach(w *world.World, list string) error {
	ns, err := world.Numbers(list)
	if err != nil {
		return err
	}
	c, ok := w.Clients["client"]
	if !ok {
		return steps.Faultf("the client is not attached")
	}
	var expected []*world.Event
	for i, n := range ns {
		e, err := c.Stream.NextEvent(n, nil)
		if err != nil {
			return err
		}
		expected = append(expected, e)
		away := i%3 == 1 // written while the client is away
		if away {
			c.Reader.Disconnect()
		}
		if err := c.Stream.Write("", e); err != nil {
			return err
		}
		if i%3 == 0 {
			continue // delivered together with the next one, by replay
		}
		if away {
			if err := c.Reconnect(); err != nil {
				return err
			}
		}
		for _, d := range expected {
			if err := c.Receive(d); err != nil {
				return err
			}
			w.Saw(1)
		}
		expected = nil
	}
	for _, d := range expected {
		if err := c.Receive(d); err != nil {
			return err
		}
		w.Saw(1)
	}
	return nil
}

// attachDuring attaches the client while another goroutine writes.
func attachDuring(w *world.World, list string) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	ns, err := world.Numbers(list)
	if err != nil {
		return err
	}
	var evs []*world.Event
	for _, n := range ns {
		e, err := s.NextEvent(n, nil)
		if err != nil {
			return err
		}
		evs = append(evs, e)
	}
	half := make(chan struct{})
	var failed error
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for i, e := range evs {
			if i == len(evs)/2 {
				close(half)
			}
			if failed = s.Write("", e); failed != nil {
				if i < len(evs)/2 { // the reader waits for it
					close(half)
				}
				return
			}
		}
	}()
	<-half
	err = w.AttachOnly("client", target.ReadRequest{})
	wg.Wait()
	if failed != nil {
		return failed
	}
	return err
}

// resumeLarge resumes with a cursor far above every id of the stream. It is unprovable where ids are as large: some
// servers begin with large ones.
func resumeLarge(w *world.World, cursor, place string) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	id, err := s.IdOf(len(s.Events))
	if err != nil {
		return err
	}
	if latest, ok := new(big.Int).SetString(id, 10); ok {
		if n, _ := new(big.Int).SetString(cursor, 10); n.Cmp(latest.Lsh(latest, 1)) <= 0 {
			return &steps.Unprovable{Reason: "the ids of the stream are as large as the cursor " + cursor}
		}
	}
	return w.AttachOnly("client", at(cursor, place))
}

// refusesBeyondLatest reports whether the server refused a cursor beyond the latest event, as it may. The error is an
// answer that is neither a refusal nor a stream.
func refusesBeyondLatest(c *world.Client) (bool, error) {
	head, err := c.Reader.Head()
	if err != nil {
		return false, c.Where(err)
	}
	switch head.Status {
	case 400, 409, 410, 416:
		c.World.Saw(1)
		return true, nil
	case 200:
		return false, nil
	}
	return false, c.Failure("200, 400, 409, 410 or 416", strconv.Itoa(head.Status), nil)
}

// noChunkBeforeEnd writes an event and ends the stream while a client waits with a cursor beyond both.
func noChunkBeforeEnd(w *world.World) error {
	c := w.Clients["client"]
	refused, err := refusesBeyondLatest(c)
	if err != nil {
		return err
	}
	if refused {
		w.NoteAlternative()
		return nil
	}
	if err := c.Stream.WriteEvents("", fmt.Sprintf("event %d", len(c.Stream.Events)+1), false); err != nil {
		return err
	}
	if err := finish(w, "ended"); err != nil {
		return err
	}
	w.Saw(1)
	return finishes(c)
}

// nothingBelow writes events and checks that a client which resumed beyond the latest event receives ids above its
// cursor. A server may also refuse such a cursor.
func nothingBelow(w *world.World, list string) error {
	c := w.Clients["client"]
	if refused, err := refusesBeyondLatest(c); refused || err != nil {
		return err
	}
	if err := c.Stream.WriteEvents("", list, false); err != nil {
		return err
	}
	cursor, _ := c.Reader.Cursor()
	beyondLatest, err := strconv.ParseInt(cursor, 10, 64)
	if err != nil {
		return steps.Faultf("the cursor %q is not a number", cursor)
	}
	m, err := c.Next("an event above the cursor")
	if err != nil {
		return c.Where(err)
	}
	if m == nil || m.Type != "chunk" {
		return c.Differs("an event above "+cursor, m)
	}
	if id, err := strconv.ParseInt(m.ID, 10, 64); err != nil || id <= beyondLatest {
		return c.Failure("an event with a sequence above "+cursor, "one with id "+strconv.Quote(m.ID), m)
	}
	w.Saw(1)
	return nil
}

// aliasOrNot accepts a server that takes fromOffset as an alias of the cursor, ignores it as unknown, or refuses it.
func aliasOrNot(w *world.World) error {
	c := w.Clients["client"]
	head, err := c.Reader.Head()
	if err != nil {
		return c.Where(err)
	}
	if head.Status == 400 {
		w.NoteAlternative()
		w.Saw(1)
		return nil
	}
	m, err := c.Next("the first event")
	if err != nil {
		return c.Where(err)
	}
	if m == nil || m.Type != "chunk" {
		return c.Differs("an event", m)
	}
	_, query, _ := strings.Cut(c.Reader.Path, "fromOffset=")
	remaining := false
	var next *world.Event
	for _, e := range c.Stream.Events {
		if remaining {
			next = e
			break
		}
		remaining = e.ID == query
	}
	if !m.Is(c.Stream.Events[0]) && (next == nil || !m.Is(next)) {
		return c.Differs(fmt.Sprintf("event 1 or the one after %s", query), m)
	}
	if next == nil || !m.Is(next) {
		w.NoteAlternative()
	}
	w.Saw(1)
	return nil
}
