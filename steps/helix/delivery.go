package helix

import (
	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

func receiveSteps(v *steps.Sentences[*world]) {
	steps.Step2(v, features.Then, `^`+aClient+` receives `+events+`$`, func(w *world, who, list string) error {
		_, err := receives(w, who, list)
		return err
	})
	steps.Step2(v, features.Then, `^`+aClient+` receives exactly `+events+`$`, func(w *world, who, list string) error {
		cs, err := receives(w, who, list)
		if err != nil {
			return err
		}
		return nothingElse(w, cs)
	})
	steps.Step1(v, features.Then, `^`+aClient+` receives no stored event$`, func(w *world, who string) error {
		cs, err := w.clientsNamed(who)
		if err != nil {
			return err
		}
		return nothingElse(w, cs)
	})
	steps.Step1(v, features.Then, `^nothing else reaches `+aClient+`$`, func(w *world, who string) error {
		cs, err := w.clientsNamed(who)
		if err != nil {
			return err
		}
		return nothingElse(w, cs)
	})
	steps.Step1(v, features.Given, `^`+aClient+` receives (?:what it missed|everything so far)$`, catchUp)
	steps.Step2(v, features.Given, `^`+aClient+` receives `+events+` first$`, func(w *world, who, list string) error {
		_, err := receives(w, who, list)
		return err
	})
	steps.Step1(v, features.Given, `^`+aClient+` is told that it is over$`, func(w *world, who string) error {
		return w.each(who, func(c *clientState) error {
			if err := c.finishes(); err != nil {
				return err
			}
			_, _ = c.reader.Ended() // so that what comes next doesn't cut it; that it ends is another rule
			return nil
		})
	})
	steps.Step1(v, features.Then, `^`+aClient+` receives the next chunk$`, func(w *world, who string) error {
		return w.each(who, func(c *clientState) error {
			m, err := c.next("a chunk")
			if err != nil {
				return c.where(err)
			}
			if m == nil || m.Type != "chunk" {
				return c.differs("a chunk", m)
			}
			w.Saw(1)
			return nil
		})
	})
}

// receives checks that the named clients receive the listed events next.
func receives(w *world, who, list string) ([]*clientState, error) {
	s, err := w.stream("")
	if err != nil {
		return nil, err
	}
	ns, err := numbers(list)
	if err != nil {
		return nil, err
	}
	var evs []*event
	for _, n := range ns {
		e, err := s.event(n)
		if err != nil {
			return nil, err
		}
		evs = append(evs, e)
	}
	cs, err := w.clientsNamed(who)
	if err != nil {
		return nil, err
	}
	return cs, received(w, cs, evs)
}

// received checks that each client receives the events next.
func received(w *world, cs []*clientState, evs []*event) error {
	if len(evs) == 0 {
		return steps.Faultf("nothing was written")
	}
	for _, c := range cs {
		for _, e := range evs {
			if err := c.receive(e); err != nil {
				return err
			}
			w.Saw(1)
		}
	}
	return nil
}

// catchUp reads everything that the stream holds and the client has not yet
// received.
func catchUp(w *world, who string) error {
	return w.each(who, func(c *clientState) error {
		if c.stream.produced {
			return c.everything()
		}
		last := c.stream.events[len(c.stream.events)-1]
		if c.last.is(last) {
			return nil
		}
		_, err := c.upTo(last, nil)
		return err
	})
}

// nothingElse proves that nothing more comes: on an active stream a marker is
// written and must be the next frame; on a finished one only the terminal frame
// may follow.
func nothingElse(w *world, cs []*clientState) error {
	marks := map[*stream]*event{}
	for _, c := range cs {
		if c.stream.ended {
			if err := c.finishes(); err != nil {
				return err
			}
			w.Saw(1)
			continue
		}
		mark, ok := marks[c.stream]
		if !ok {
			var err error
			if mark, err = c.stream.marker(); err != nil {
				return err
			}
			marks[c.stream] = mark
		}
		if err := c.receive(mark); err != nil {
			return err
		}
		w.Saw(1)
	}
	return nil
}

// finishes checks that a terminal frame comes next, unless it came already.
func (c *clientState) finishes() error {
	if c.terminal != nil {
		return nil
	}
	m, err := c.next("a terminal frame")
	if err != nil {
		return c.where(err)
	}
	if m == nil && c.reader.Now().Status == 204 {
		return nil
	}
	if m == nil || (m.Type != "end" && m.Type != "fail") {
		return c.differs("a terminal frame", m)
	}
	return nil
}
