package steps

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/streamcert/streamcert/features"
)

func truncationSteps(v *Vocabulary) {
	both(func(k features.Keyword) {
		step1(v, k, `^the stream is cleaned up to step (\d+)$`, onStream1(func(w *World, s *stream, step int) error {
			w.session.Removed(s.id)
			return w.must(s, "POST", "/cleanup", map[string]any{"stepCount": step})
		}))
		step0(v, k, `^the stream is reset$`, onStream0(func(w *World, s *stream) error {
			s.ended = false
			w.session.Removed(s.id)
			return w.must(s, "POST", "/reset", map[string]any{})
		}))
	})
	step1(v, features.Then, `^`+client+` receives a truncated frame$`, func(w *World, who string) error { return w.truncatedFrame(who, "") })
	step2(v, features.Then, `^`+client+` receives a truncated frame that names step (\d+)$`, func(w *World, who, step string) error {
		return w.truncatedFrame(who, step)
	})
	step1(v, features.Then, `^its atSequence is the sequence of event (\d+)$`, func(w *World, n int) error { return w.atSequence(n) })
	step1(v, features.Then, `^the next event gets a sequence above that of event (\d+)$`, onStream1(func(w *World, s *stream, n int) error {
		e, err := s.event(n)
		if err != nil {
			return err
		}
		return w.nextAbove(e.label, e.id)
	}))
	step2(v, features.Then, `^event (\d+) has kept its sequence for `+client+`$`, func(w *World, n int, who string) error {
		return w.keptSequence(n, who)
	})
	step1(v, features.Given, `^`+client+` is told of a truncation$`, func(w *World, who string) error { return w.truncatedFrame(who, "") })
	step1(v, features.Given, `^`+client+` is told of a truncation and reads on$`, func(w *World, who string) error { return w.toldAndBack(who) })
	step1(v, features.Then, `^nothing but a truncated frame reaches `+client+`$`, func(w *World, who string) error {
		return w.toldAndBack(who)
	})
	step0(v, features.Then, `^the stalled client is told of the truncation or was cut, and receives no removed event after that$`, func(w *World) error {
		return w.nothingRemovedAfter()
	})
}

func resetSteps(v *Vocabulary) {
	step0(v, features.When, `^a reset of the stream is asked for$`, onStream0(func(w *World, s *stream) error {
		call, err := w.control(s, "POST", "/reset", map[string]any{})
		if err != nil {
			return err
		}
		w.attempt = &attempt{stream: s, call: call}
		if w.attempt.accepted() {
			w.session.Removed(s.id)
			s.ended = false
		}
		return nil
	}))
	step0(v, features.Then, `^the stream takes and delivers a new event, unless the reset was refused$`, func(w *World) error { return w.reopened() })
	step0(v, features.Then, `^the next event gets a sequence above every id that was sent$`, func(w *World) error {
		return w.nextAbove("every id that was sent", w.highestSent())
	})
	step0(v, features.Then, `^the next event gets a sequence above every id that was sent, unless the reset was refused$`, func(w *World) error {
		if !w.attempt.accepted() {
			w.otherwise = true
			return w.mustRefuse()
		}
		return w.nextAbove("every id that was sent", w.highestSent())
	})
}

// highestSent is the highest id that any frame of the scenario carried.
func (w *World) highestSent() string {
	highest := int64(0)
	for _, e := range w.session.Exchanges() {
		for _, f := range e.Now().Frames {
			if id, err := strconv.ParseInt(f.ID, 10, 64); err == nil && f.HasID && id > highest {
				highest = id
			}
		}
	}
	return strconv.FormatInt(highest, 10)
}

// nothingRemovedAfter reads on with the client that lagged during a cleanup, up
// to a marker. Once it has been told of the truncation, or has resumed, no event
// of a removed step may come.
func (w *World) nothingRemovedAfter() error {
	c := w.clients["stalled client"]
	c.resumes = true
	mark, err := w.marker(c.stream)
	if err != nil {
		return err
	}
	_, err = c.upTo(mark, func(m *message) error {
		told := c.truncated != nil || len(c.readers) > 1
		if step, ok := m.member("step").(json.Number); ok && told && float(step) > 1 {
			return c.failure("no removed event after the truncated frame", clip(m.frame.Data), m)
		}
		return nil
	})
	if err == nil {
		w.saw(1)
	}
	return err
}

// truncatedFrame waits for a truncated frame. Events that were written before it
// may still be on their way to a client that lags.
func (w *World) truncatedFrame(who, step string) error {
	return w.each(who, func(c *clientState) error {
		c.truncated = nil
		for c.truncated == nil {
			m, err := c.next("a truncated frame")
			if err != nil {
				return c.where(err)
			}
			if m == nil || (m.Type != "truncated" && m.Type != "chunk") {
				return c.differs("a truncated frame", m)
			}
		}
		if step != "" && !sameNumber(c.truncated.TruncatedAtStep, step) {
			return c.failure("truncatedAtStep "+step, clip(c.truncated.frame.Data), c.truncated)
		}
		w.saw(1)
		return nil
	})
}

// toldAndBack waits for a truncated frame and then for a marker, so that a client
// whose connection the server closed after the frame is attached again.
func (w *World) toldAndBack(who string) error {
	if err := w.truncatedFrame(who, ""); err != nil {
		return err
	}
	cs, err := w.clientsNamed(who)
	if err != nil {
		return err
	}
	return w.nothingElse(cs)
}

// forgetWriters makes the next marker open a writer of its own.
func (s *stream) forgetWriters() {
	for name := range s.writers {
		s.gone[name] = true
	}
}

func sameNumber(n json.Number, want string) bool { return same(n, json.Number(want)) }

func (w *World) atSequence(n int) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	e, err := s.event(n)
	if err != nil {
		return err
	}
	if e.id == "" {
		return fault("no client has received event %d", n)
	}
	for _, name := range w.order {
		c := w.clients[name]
		if c.truncated == nil {
			continue
		}
		if !sameNumber(c.truncated.AtSequence, e.id) {
			return c.failure(fmt.Sprintf("atSequence %s, the sequence of %s", e.id, e.label), clip(c.truncated.frame.Data), c.truncated)
		}
		w.saw(1)
	}
	return nil
}

// nextAbove writes an event and reads with a fresh client until it comes.
func (w *World) nextAbove(what, id string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	low, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return &Failure{Message: "the id of " + what, Want: "a number", Got: strconv.Quote(id), Frame: -1}
	}
	s.forgetWriters() // a reset may have closed them
	mark, err := w.marker(s)
	if err != nil {
		return err
	}
	cs, err := w.clientsNamed("a fresh client")
	if err != nil {
		return err
	}
	m, err := cs[0].upTo(mark, nil)
	if err != nil {
		return err
	}
	if got, err := strconv.ParseInt(m.id, 10, 64); err != nil || got <= low {
		return cs[0].failure(fmt.Sprintf("a sequence above %d (%s)", low, what), strconv.Quote(m.id), m)
	}
	w.saw(1)
	return nil
}

// reopened checks that a stream whose reset was accepted is active again.
func (w *World) reopened() error {
	if !w.attempt.accepted() {
		v := w.attempt.call.Now()
		if !w.attempt.refused() {
			return refused(w.attempt.call, fmt.Sprintf("the reset (%d)", v.Status))
		}
		w.otherwise = true
		w.saw(1)
		return nil
	}
	w.attempt.stream.forgetWriters()
	cs, err := w.clientsNamed("a fresh client")
	if err != nil {
		return err
	}
	return w.nothingElse(cs)
}

// keptSequence checks that a client was given an event with the id that it had
// before.
func (w *World) keptSequence(n int, who string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	e, err := s.event(n)
	if err != nil {
		return err
	}
	return w.each(who, func(c *clientState) error {
		m, err := c.upTo(e, nil)
		if err != nil {
			return err
		}
		if m.id != e.id {
			return c.failure(fmt.Sprintf("%s with id %s, as before", e.label, e.id), "id "+strconv.Quote(m.id), m)
		}
		w.saw(1)
		return nil
	})
}
