package helix

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

func ref(s string) *string { return &s }

func resumeSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the client resumes after event (\d+) accepting gzip$`, func(w *world, n int) error {
			return resume(w, n, func(id string) target.ReadRequest { return target.ReadRequest{Cursor: ref(id), Gzip: true} })
		})
		steps.Step1(v, k, `^the client resumes after event (\d+)$`, func(w *world, n int) error {
			return resume(w, n, func(id string) target.ReadRequest { return target.ReadRequest{Cursor: ref(id)} })
		})
	})
	steps.Step2(v, features.When, `^client "([^"]+)" resumes after event (\d+)$`, onStream2(func(s *stream, name string, n int) error {
		id, err := s.idOf(n)
		if err != nil {
			return err
		}
		return s.w.attachOnly(name, target.ReadRequest{Cursor: ref(id)})
	}))
	steps.Step1(v, features.When, `^the client resumes after event (\d+) by query$`, func(w *world, n int) error {
		return resume(w, n, func(id string) target.ReadRequest {
			return target.ReadRequest{Query: map[string]string{"fromSequence": id}}
		})
	})
	steps.Step1(v, features.When, `^the client asks for events after event (\d+) with fromOffset$`, func(w *world, n int) error {
		return resume(w, n, func(id string) target.ReadRequest {
			return target.ReadRequest{Query: map[string]string{"fromOffset": id}}
		})
	})
	steps.Step2(v, features.When, `^the client resumes with event (\d+) in the header and event (\d+) in the query$`, onStream2(func(s *stream, header, query int) error {
		stale, err := s.idOf(query)
		if err != nil {
			return err
		}
		return resume(s.w, header, func(id string) target.ReadRequest {
			return target.ReadRequest{Cursor: ref(id), Query: map[string]string{"fromSequence": stale}}
		})
	}))
	steps.Step2(v, features.When, `^the client resumes with event (\d+) in the header and the cursor "([^"]*)" in the query$`, func(w *world, n int, query string) error {
		return resume(w, n, func(id string) target.ReadRequest {
			return target.ReadRequest{Cursor: ref(id), Query: map[string]string{"fromSequence": query}}
		})
	})
	steps.Step2(v, features.When, `^the client resumes with the large cursor "(\d+)" in the (header|query)$`, resumeLarge)
	steps.Step2(v, features.When, `^the client resumes with the cursor "([^"]*)" in the (header|query)$`, func(w *world, cursor, place string) error {
		return w.attachOnly("client", at(cursor, place))
	})
	steps.Step2(v, features.When, `^the client resumes after event (\d+) with (leading zeros|surrounding spaces) in the cursor$`, func(w *world, n int, padding string) error {
		return resume(w, n, func(id string) target.ReadRequest {
			if padding == "leading zeros" {
				return at("0"+id, "header")
			}
			return at(" "+id+" ", "query")
		})
	})
	steps.Step0(v, features.When, `^the client resumes at the terminal frame$`, func(w *world) error { return resumeAtTerminal(w, 0) })
	steps.Step0(v, features.When, `^the client resumes beyond the terminal frame$`, func(w *world) error { return resumeAtTerminal(w, 100) })
	steps.Step2(v, features.When, `^the client resumes (\d+) beyond event (\d+)$`, func(w *world, beyondLatest, n int) error {
		return resume(w, n, func(id string) target.ReadRequest { return target.ReadRequest{Cursor: ref(plus(id, beyondLatest))} })
	})
}

func disconnectSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step2(v, k, `^the client is cut after event (\d+)( in mid-frame|)$`, func(w *world, n int, mid string) error {
			return disconnectAfter(w, n, mid != "")
		})
	})
	steps.Step1(v, features.When, `^the client is cut after each event while `+events+` are written$`, disconnectEach)
	steps.Step1(v, features.When, `^the client attaches while `+events+` are being written$`, attachDuring)
	steps.Step0(v, features.Then, `^the client receives the rest, or everything, or a 400$`, aliasOrNot)
	steps.Step0(v, features.Then, `^the client is refused, or receives no chunk before the end$`, noChunkBeforeEnd)
	steps.Step1(v, features.Then, `^the client receives nothing at or below its cursor while `+events+` are written$`, nothingBelow)
	steps.Step1(v, features.Then, `^the client receives `+events+`, or a 400$`, func(w *world, list string) error {
		c := w.clients["client"]
		head, err := c.reader.Head()
		if err != nil {
			return c.where(err)
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

// plus adds to a decimal id; an id that is none stays as it is, since the judge
// has reported it.
func plus(id string, n int) string {
	v, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return id
	}
	return strconv.FormatInt(v+int64(n), 10)
}

func resume(w *world, n int, how func(id string) target.ReadRequest) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	id, err := s.idOf(n)
	if err != nil {
		return err
	}
	c, err := w.attach("client", "", how(id))
	if err != nil {
		return err
	}
	c.lastID = id
	return nil
}

func resumeAtTerminal(w *world, beyondLatest int) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	id, err := s.terminalID()
	if err != nil {
		return err
	}
	return w.attachOnly("client", target.ReadRequest{Cursor: ref(plus(id, beyondLatest))})
}

// disconnectAfter lets the client receive up to event n and then cuts it; in mid-frame
// means that a part of the next event was on its way.
func disconnectAfter(w *world, n int, mid bool) error {
	c, ok := w.clients["client"]
	if !ok {
		return steps.Faultf("the client is not attached")
	}
	e, err := c.stream.event(n)
	if err != nil {
		return err
	}
	if !c.last.is(e) {
		if _, err := c.upTo(e, nil); err != nil {
			return err
		}
	}
	if mid {
		if _, err := c.reader.Next("a part of the next event", w.Session().Target().By()); err != nil {
			return c.where(err)
		}
		c.reader.Unread()
	}
	c.reader.Cut()
	c.reader.DropAfter(c.reader.Taken())
	return nil
}

// disconnectEach cuts the client after every event and resumes it, while writes go on
// both while it is attached and while it is away.
func disconnectEach(w *world, list string) error {
	ns, err := numbers(list)
	if err != nil {
		return err
	}
	c, ok := w.clients["client"]
	if !ok {
		return steps.Faultf("the client is not attached")
	}
	var expected []*event
	for i, n := range ns {
		e, err := c.stream.nextEvent(n, nil)
		if err != nil {
			return err
		}
		expected = append(expected, e)
		away := i%3 == 1 // written while the client is away
		if away {
			c.reader.Cut()
		}
		if err := c.stream.write("", e); err != nil {
			return err
		}
		if i%3 == 0 {
			continue // delivered together with the next one, by replay
		}
		if away {
			if err := c.reconnect(); err != nil {
				return err
			}
		}
		for _, d := range expected {
			if err := c.receive(d); err != nil {
				return err
			}
			w.Saw(1)
		}
		expected = nil
	}
	for _, d := range expected {
		if err := c.receive(d); err != nil {
			return err
		}
		w.Saw(1)
	}
	return nil
}

// attachDuring attaches the client while another goroutine writes.
func attachDuring(w *world, list string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	ns, err := numbers(list)
	if err != nil {
		return err
	}
	var evs []*event
	for _, n := range ns {
		e, err := s.nextEvent(n, nil)
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
			if failed = s.write("", e); failed != nil {
				if i < len(evs)/2 {
					close(half)
				}
				return
			}
		}
	}()
	<-half
	err = w.attachOnly("client", target.ReadRequest{})
	wg.Wait()
	if failed != nil {
		return failed
	}
	return err
}

// resumeLarge resumes with a cursor that is far from every id of the stream: some servers begin with large ones.
func resumeLarge(w *world, cursor, place string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	id, err := s.idOf(len(s.events))
	if err != nil {
		return err
	}
	if latest, ok := new(big.Int).SetString(id, 10); ok {
		if n, _ := new(big.Int).SetString(cursor, 10); n.Cmp(latest.Lsh(latest, 1)) <= 0 {
			return &steps.Unprovable{Reason: "the ids of the stream are as large as the cursor " + cursor}
		}
	}
	return w.attachOnly("client", at(cursor, place))
}

// refusesBeyondLatest says whether the server refused a cursor beyond the latest event, as it may; its error is an answer that is
// neither that nor a stream.
func (c *clientState) refusesBeyondLatest() (bool, error) {
	head, err := c.reader.Head()
	if err != nil {
		return false, c.where(err)
	}
	switch head.Status {
	case 400, 409, 410, 416:
		c.w.Saw(1)
		return true, nil
	case 200:
		return false, nil
	}
	return false, c.failure("200, 400, 409, 410 or 416", strconv.Itoa(head.Status), nil)
}

// noChunkBeforeEnd writes an event and ends the stream under a client that waits beyond all of it.
func noChunkBeforeEnd(w *world) error {
	c := w.clients["client"]
	refused, err := c.refusesBeyondLatest()
	if err != nil {
		return err
	}
	if refused {
		w.NoteAlternative()
		return nil
	}
	if err := c.stream.writeEvents("", fmt.Sprintf("event %d", len(c.stream.events)+1), false); err != nil {
		return err
	}
	if err := finish(w, "ended"); err != nil {
		return err
	}
	w.Saw(1)
	return c.finishes()
}

// nothingBelow writes events and checks that what reaches a client which resumed
// beyond the latest event is above its cursor. A server may also refuse such a
// cursor.
func nothingBelow(w *world, list string) error {
	c := w.clients["client"]
	if refused, err := c.refusesBeyondLatest(); refused || err != nil {
		return err
	}
	if err := c.stream.writeEvents("", list, false); err != nil {
		return err
	}
	cursor, _ := c.reader.Cursor()
	beyondLatest, err := strconv.ParseInt(cursor, 10, 64)
	if err != nil {
		return steps.Faultf("the cursor %q is not a number", cursor)
	}
	m, err := c.next("an event above the cursor")
	if err != nil {
		return c.where(err)
	}
	if m == nil || m.Type != "chunk" {
		return c.differs("an event above "+cursor, m)
	}
	if id, err := strconv.ParseInt(m.id, 10, 64); err != nil || id <= beyondLatest {
		return c.failure("an event with a sequence above "+cursor, "one with id "+strconv.Quote(m.id), m)
	}
	w.Saw(1)
	return nil
}

// aliasOrNot accepts the three readings of fromOffset: an alias of the cursor,
// unknown and so ignored, or refused.
func aliasOrNot(w *world) error {
	c := w.clients["client"]
	head, err := c.reader.Head()
	if err != nil {
		return c.where(err)
	}
	if head.Status == 400 {
		w.NoteAlternative()
		w.Saw(1)
		return nil
	}
	m, err := c.next("the first event")
	if err != nil {
		return c.where(err)
	}
	if m == nil || m.Type != "chunk" {
		return c.differs("an event", m)
	}
	_, query, _ := strings.Cut(c.reader.Path, "fromOffset=")
	remaining := false
	var next *event
	for _, e := range c.stream.events {
		if remaining {
			next = e
			break
		}
		remaining = e.id == query
	}
	if !m.is(c.stream.events[0]) && (next == nil || !m.is(next)) {
		return c.differs(fmt.Sprintf("event 1 or the one after %s", query), m)
	}
	if next == nil || !m.is(next) {
		w.NoteAlternative()
	}
	w.Saw(1)
	return nil
}
