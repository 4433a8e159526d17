package streams

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func truncationSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the stream is cleaned up to step (\d+)$`, world.OnStream1(func(s *world.Stream, step int) error {
			s.World.Session().Removed(s.ID)
			return s.Must("POST", "/cleanup", map[string]any{"stepCount": step})
		}))
		steps.Step0(v, k, `^the stream is reset$`, world.OnStream0(func(s *world.Stream) error {
			s.Ended, s.Reset = false, true
			s.World.Session().Removed(s.ID)
			return s.Must("POST", "/reset", map[string]any{})
		}))
	})
	steps.Step1(v, features.Then, `^`+world.AClient+` receives a truncated frame$`, func(w *world.World, who string) error { return truncatedFrame(w, who, "") })
	steps.Step2(v, features.Then, `^`+world.AClient+` receives a truncated frame that names step (\d+)$`, truncatedFrame)
	steps.Step1(v, features.Then, `^its atSequence is the sequence of event (\d+)$`, atSequence)
	steps.Step1(v, features.Then, `^the next event gets a sequence above that of event (\d+)$`, world.OnStream1(func(s *world.Stream, n int) error {
		e, err := s.Event(n)
		if err != nil {
			return err
		}
		return nextAbove(s.World, e.Label, e.ID)
	}))
	steps.Step2(v, features.Then, `^event (\d+) has kept its sequence for `+world.AClient+`$`, storedSequence)
	steps.Step1(v, features.Given, `^`+world.AClient+` is told of a truncation$`, func(w *world.World, who string) error { return truncatedFrame(w, who, "") })
	steps.Step1(v, features.Given, `^`+world.AClient+` is told of a truncation and reads on$`, truncatedThenResumed)
	steps.Step1(v, features.Then, `^nothing but a truncated frame reaches `+world.AClient+`$`, truncatedThenResumed)
	steps.Step0(v, features.Then, `^the stalled client is told of the truncation or was cut, and receives no removed event after that$`, nothingRemovedAfter)
}

func resetSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^a reset of the stream is asked for$`, world.OnStream0(requestReset))
	})
	steps.Step0(v, features.Then, `^the stream takes and delivers a new event, unless the reset was refused$`, reopened)
	steps.Step0(v, features.Then, `^the next event gets a sequence above every id that was sent$`, func(w *world.World) error {
		return nextAbove(w, "every id that was sent", highestSent(w))
	})
	steps.Step0(v, features.Then, `^the next event gets a sequence above every id that was sent, unless the reset was refused$`, func(w *world.World) error {
		if refused, err := resetRefused(w); refused || err != nil {
			return err
		}
		return nextAbove(w, "every id that was sent", highestSent(w))
	})
}

func requestReset(s *world.Stream) error {
	call, err := s.Control("POST", "/reset", map[string]any{})
	if err != nil {
		return err
	}
	world.Put(s.World, &attempt{stream: s, call: call})
	if world.Get[*attempt](s.World).accepted() {
		s.World.Session().Removed(s.ID)
		s.Ended, s.Reset = false, true
	}
	return nil
}

// highestSent returns the highest id of any frame of the scenario.
func highestSent(w *world.World) string {
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

// nothingRemovedAfter has the client that lagged during a cleanup read up to a marker. No event of a removed step may
// come after it has received the truncated frame or has resumed.
func nothingRemovedAfter(w *world.World) error {
	c := w.Clients["stalled client"]
	c.Resumes = true
	mark, err := c.Stream.Marker()
	if err != nil {
		return err
	}
	_, err = c.UpTo(mark, func(m *world.Message) error {
		informed := c.Truncated != nil || len(c.Readers) > 1
		if step, ok := m.Member("step").(json.Number); ok && informed && steps.Float(step) > 1 {
			return c.Failure("no removed event after the truncated frame", steps.Clip(m.Frame.Data), m)
		}
		return nil
	})
	if err == nil {
		w.Saw(1)
	}
	return err
}

// truncatedFrame waits for a truncated frame. A client that lags may receive events that were written earlier before
// it.
func truncatedFrame(w *world.World, who, step string) error {
	return w.Each(who, func(c *world.Client) error {
		c.Truncated = nil
		for c.Truncated == nil {
			m, err := c.Next("a truncated frame")
			if err != nil {
				return c.Where(err)
			}
			if m == nil || (m.Type != "truncated" && m.Type != "chunk") {
				return c.Differs("a truncated frame", m)
			}
		}
		if step != "" && !sameNumber(c.Truncated.TruncatedAtStep, step) {
			return c.Failure("truncatedAtStep "+step, steps.Clip(c.Truncated.Frame.Data), c.Truncated)
		}
		w.Saw(1)
		return nil
	})
}

// truncatedThenResumed waits for a truncated frame and then for a marker, so that a client
// whose connection the server closed after the frame is attached again.
func truncatedThenResumed(w *world.World, who string) error {
	if err := truncatedFrame(w, who, ""); err != nil {
		return err
	}
	cs, err := w.ClientsNamed(who)
	if err != nil {
		return err
	}
	return nothingElse(w, cs)
}

// forgetWriters makes the next marker open a new writer.
func forgetWriters(s *world.Stream) {
	for name := range s.Writers {
		s.Gone[name] = true
	}
}

func sameNumber(n frame.Number, want string) bool { return n.OK && strconv.FormatInt(n.N, 10) == want }

func atSequence(w *world.World, n int) error {
	e, err := world.Numbered(w, n)
	if err != nil {
		return err
	}
	for _, name := range w.Order {
		c := w.Clients[name]
		if c.Truncated == nil {
			continue
		}
		if !sameNumber(c.Truncated.AtSequence, e.ID) {
			return c.Failure(fmt.Sprintf("atSequence %s, the sequence of %s", e.ID, e.Label), steps.Clip(c.Truncated.Frame.Data), c.Truncated)
		}
		w.Saw(1)
	}
	return nil
}

// nextAbove writes an event and reads with a fresh client until it comes.
func nextAbove(w *world.World, what, id string) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	low, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return &steps.Failure{Finding: record.Finding{Message: "the id of " + what, Want: "a number", Got: strconv.Quote(id), Frame: -1}}
	}
	forgetWriters(s) // a reset may have closed them
	mark, err := s.Marker()
	if err != nil {
		return err
	}
	cs, err := w.ClientsNamed("a fresh client")
	if err != nil {
		return err
	}
	m, err := cs[0].UpTo(mark, nil)
	if err != nil {
		return err
	}
	if got, err := strconv.ParseInt(m.ID, 10, 64); err != nil || got <= low {
		return cs[0].Failure(fmt.Sprintf("a sequence above %d (%s)", low, what), strconv.Quote(m.ID), m)
	}
	w.Saw(1)
	return nil
}

// resetRefused reports whether the server refused a reset, after which nothing can be proven. The error is an answer
// that neither accepts nor refuses it.
func resetRefused(w *world.World) (bool, error) {
	switch {
	case world.Get[*attempt](w).accepted():
		return false, nil
	case !world.Get[*attempt](w).refused():
		return false, steps.Refused(world.Get[*attempt](w).call, "the reset")
	}
	w.NoteAlternative()
	return true, nil
}

// reopened checks that a stream whose reset was accepted is active again.
func reopened(w *world.World) error {
	if refused, err := resetRefused(w); refused || err != nil {
		return err
	}
	forgetWriters(world.Get[*attempt](w).stream)
	cs, err := w.ClientsNamed("a fresh client")
	if err != nil {
		return err
	}
	return nothingElse(w, cs)
}

// storedSequence checks that a client received an event with its earlier id.
func storedSequence(w *world.World, n int, who string) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	e, err := s.Event(n)
	if err != nil {
		return err
	}
	return w.Each(who, func(c *world.Client) error {
		m, err := c.UpTo(e, nil)
		if err != nil {
			return err
		}
		if m.ID != e.ID {
			return c.Failure(fmt.Sprintf("%s with id %s, as before", e.Label, e.ID), "id "+strconv.Quote(m.ID), m)
		}
		w.Saw(1)
		return nil
	})
}
