package helix

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
)

func truncationSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the stream is cleaned up to step (\d+)$`, onStream1(func(s *stream, step int) error {
			s.w.Session().Removed(s.id)
			return s.must("POST", "/cleanup", map[string]any{"stepCount": step})
		}))
		steps.Step0(v, k, `^the stream is reset$`, onStream0(func(s *stream) error {
			s.ended, s.reset = false, true
			s.w.Session().Removed(s.id)
			return s.must("POST", "/reset", map[string]any{})
		}))
	})
	steps.Step1(v, features.Then, `^`+aClient+` receives a truncated frame$`, func(w *world, who string) error { return truncatedFrame(w, who, "") })
	steps.Step2(v, features.Then, `^`+aClient+` receives a truncated frame that names step (\d+)$`, truncatedFrame)
	steps.Step1(v, features.Then, `^its atSequence is the sequence of event (\d+)$`, atSequence)
	steps.Step1(v, features.Then, `^the next event gets a sequence above that of event (\d+)$`, onStream1(func(s *stream, n int) error {
		e, err := s.event(n)
		if err != nil {
			return err
		}
		return nextAbove(s.w, e.label, e.id)
	}))
	steps.Step2(v, features.Then, `^event (\d+) has kept its sequence for `+aClient+`$`, storedSequence)
	steps.Step1(v, features.Given, `^`+aClient+` is told of a truncation$`, func(w *world, who string) error { return truncatedFrame(w, who, "") })
	steps.Step1(v, features.Given, `^`+aClient+` is told of a truncation and reads on$`, truncatedThenResumed)
	steps.Step1(v, features.Then, `^nothing but a truncated frame reaches `+aClient+`$`, truncatedThenResumed)
	steps.Step0(v, features.Then, `^the stalled client is told of the truncation or was cut, and receives no removed event after that$`, nothingRemovedAfter)
}

func resetSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^a reset of the stream is asked for$`, onStream0(requestReset))
	})
	steps.Step0(v, features.Then, `^the stream takes and delivers a new event, unless the reset was refused$`, reopened)
	steps.Step0(v, features.Then, `^the next event gets a sequence above every id that was sent$`, func(w *world) error {
		return nextAbove(w, "every id that was sent", highestSent(w))
	})
	steps.Step0(v, features.Then, `^the next event gets a sequence above every id that was sent, unless the reset was refused$`, func(w *world) error {
		if refused, err := resetRefused(w); refused || err != nil {
			return err
		}
		return nextAbove(w, "every id that was sent", highestSent(w))
	})
}

func requestReset(s *stream) error {
	call, err := s.control("POST", "/reset", map[string]any{})
	if err != nil {
		return err
	}
	s.w.attempt = &attempt{stream: s, call: call}
	if s.w.attempt.accepted() {
		s.w.Session().Removed(s.id)
		s.ended, s.reset = false, true
	}
	return nil
}

// highestSent is the highest id that any frame of the scenario carried.
func highestSent(w *world) string {
	highest := int64(0)
	for _, e := range w.Session().Exchanges() {
		for _, f := range e.Now().Frames {
			if id, err := strconv.ParseInt(f.ID, 10, 64); err == nil && f.HasID && id > highest {
				highest = id
			}
		}
	}
	return strconv.FormatInt(highest, 10)
}

// nothingRemovedAfter reads on with the client that lagged during a cleanup, up
// to a marker. Once it has received the truncated frame, or has resumed, no event
// of a removed step may come.
func nothingRemovedAfter(w *world) error {
	c := w.clients["stalled client"]
	c.resumes = true
	mark, err := c.stream.marker()
	if err != nil {
		return err
	}
	_, err = c.upTo(mark, func(m *message) error {
		informed := c.truncated != nil || len(c.readers) > 1
		if step, ok := m.member("step").(json.Number); ok && informed && steps.Float(step) > 1 {
			return c.failure("no removed event after the truncated frame", steps.Clip(m.frame.Data), m)
		}
		return nil
	})
	if err == nil {
		w.Saw(1)
	}
	return err
}

// truncatedFrame waits for a truncated frame. Events that were written before it
// may still be on their way to a client that lags.
func truncatedFrame(w *world, who, step string) error {
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
			return c.failure("truncatedAtStep "+step, steps.Clip(c.truncated.frame.Data), c.truncated)
		}
		w.Saw(1)
		return nil
	})
}

// truncatedThenResumed waits for a truncated frame and then for a marker, so that a client
// whose connection the server closed after the frame is attached again.
func truncatedThenResumed(w *world, who string) error {
	if err := truncatedFrame(w, who, ""); err != nil {
		return err
	}
	cs, err := w.clientsNamed(who)
	if err != nil {
		return err
	}
	return nothingElse(w, cs)
}

// forgetWriters makes the next marker open a writer of its own.
func (s *stream) forgetWriters() {
	for name := range s.writers {
		s.gone[name] = true
	}
}

func sameNumber(n json.Number, want string) bool { return steps.Same(n, json.Number(want)) }

func atSequence(w *world, n int) error {
	e, err := numbered(w, n)
	if err != nil {
		return err
	}
	for _, name := range w.order {
		c := w.clients[name]
		if c.truncated == nil {
			continue
		}
		if !sameNumber(c.truncated.AtSequence, e.id) {
			return c.failure(fmt.Sprintf("atSequence %s, the sequence of %s", e.id, e.label), steps.Clip(c.truncated.frame.Data), c.truncated)
		}
		w.Saw(1)
	}
	return nil
}

// nextAbove writes an event and reads with a fresh client until it comes.
func nextAbove(w *world, what, id string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	low, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return &steps.Failure{Finding: record.Finding{Message: "the id of " + what, Want: "a number", Got: strconv.Quote(id), Frame: -1}}
	}
	s.forgetWriters() // a reset may have closed them
	mark, err := s.marker()
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
	w.Saw(1)
	return nil
}

// resetRefused reports whether the server refused a reset, so that nothing is there to judge of what follows one. Its error
// is a reset that was neither accepted nor refused.
func resetRefused(w *world) (bool, error) {
	switch {
	case w.attempt.accepted():
		return false, nil
	case !w.attempt.refused():
		return false, steps.Refused(w.attempt.call, "the reset")
	}
	w.NoteAlternative()
	return true, nil
}

// reopened checks that a stream whose reset was accepted is active again.
func reopened(w *world) error {
	if refused, err := resetRefused(w); refused || err != nil {
		return err
	}
	w.attempt.stream.forgetWriters()
	cs, err := w.clientsNamed("a fresh client")
	if err != nil {
		return err
	}
	return nothingElse(w, cs)
}

// storedSequence checks that a client was given an event with the id that it had
// before.
func storedSequence(w *world, n int, who string) error {
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
		w.Saw(1)
		return nil
	})
}
