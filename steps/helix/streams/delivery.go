package streams

import (
	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/run"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func receiveSteps(v *steps.Sentences[*world.World]) {
	steps.Step2(v, features.Then, `^`+world.AClient+` receives `+world.Events+`$`, func(w *world.World, who, list string) error {
		_, err := receives(w, who, list)
		return err
	})
	steps.Step2(v, features.Then, `^`+world.AClient+` receives exactly `+world.Events+`$`, func(w *world.World, who, list string) error {
		cs, err := receives(w, who, list)
		if err != nil {
			return err
		}
		return nothingElse(w, cs)
	})
	steps.Step1(v, features.Then, `^`+world.AClient+` receives no stored event$`, func(w *world.World, who string) error {
		cs, err := w.ClientsNamed(who)
		if err != nil {
			return err
		}
		return nothingElse(w, cs)
	})
	steps.Step1(v, features.Then, `^nothing else reaches `+world.AClient+`$`, func(w *world.World, who string) error {
		cs, err := w.ClientsNamed(who)
		if err != nil {
			return err
		}
		return nothingElse(w, cs)
	})
	steps.Step1(v, features.Given, `^`+world.AClient+` receives (?:what it missed|everything so far)$`, catchUp)
	steps.Step2(v, features.Given, `^`+world.AClient+` receives `+world.Events+` first$`, func(w *world.World, who, list string) error {
		_, err := receives(w, who, list)
		return err
	})
	steps.Step1(v, features.Given, `^`+world.AClient+` is told that it is over$`, func(w *world.World, who string) error {
		return w.Each(who, func(c *world.Client) error {
			if err := finishes(c); err != nil {
				return err
			}
			_, _ = c.Reader.Ended() // so that the next step doesn't disconnect it; another rule requires the end
			return nil
		})
	})
	steps.Step1(v, features.Then, `^`+world.AClient+` receives the next chunk$`, func(w *world.World, who string) error {
		return w.Each(who, func(c *world.Client) error {
			m, err := c.Next("a chunk")
			if err != nil {
				return c.Where(err)
			}
			if m == nil || m.Type != "chunk" {
				return c.Differs("a chunk", m)
			}
			w.Saw(1)
			return nil
		})
	})
}

// receives checks that the named clients receive the listed events next.
func receives(w *world.World, who, list string) ([]*world.Client, error) {
	s, err := w.Stream("")
	if err != nil {
		return nil, err
	}
	ns, err := world.Numbers(list)
	if err != nil {
		return nil, err
	}
	var evs []*world.Event
	for _, n := range ns {
		e, err := s.Event(n)
		if err != nil {
			return nil, err
		}
		evs = append(evs, e)
	}
	cs, err := w.ClientsNamed(who)
	if err != nil {
		return nil, err
	}
	return cs, received(w, cs, evs)
}

// received checks that each client receives the events next.
func received(w *world.World, cs []*world.Client, evs []*world.Event) error {
	if len(evs) == 0 {
		return steps.Faultf("nothing was written")
	}
	for _, c := range cs {
		for _, e := range evs {
			if err := c.Receive(e); err != nil {
				return err
			}
			w.Saw(1)
		}
	}
	return nil
}

// catchUp receives every event of the stream that the client has not yet received.
func catchUp(w *world.World, who string) error {
	return w.Each(who, func(c *world.Client) error {
		if c.Stream.Produced {
			return run.Everything(c)
		}
		last := c.Stream.Events[len(c.Stream.Events)-1]
		if c.Last.Is(last) {
			return nil
		}
		_, err := c.UpTo(last, nil)
		return err
	})
}

// nothingElse proves that the clients receive nothing more: on an active stream it writes a marker, which must be the
// next frame; on a finished one only the terminal frame may follow.
func nothingElse(w *world.World, cs []*world.Client) error {
	marks := map[*world.Stream]*world.Event{}
	for _, c := range cs {
		if c.Stream.Ended {
			if err := finishes(c); err != nil {
				return err
			}
			w.Saw(1)
			continue
		}
		mark, ok := marks[c.Stream]
		if !ok {
			var err error
			if mark, err = c.Stream.Marker(); err != nil {
				return err
			}
			marks[c.Stream] = mark
		}
		if err := c.Receive(mark); err != nil {
			return err
		}
		w.Saw(1)
	}
	return nil
}

// finishes checks that a terminal frame comes next, unless it came already.
func finishes(c *world.Client) error {
	if c.Terminal != nil {
		return nil
	}
	m, err := c.Next("a terminal frame")
	if err != nil {
		return c.Where(err)
	}
	if m == nil && c.Reader.Now().Status == 204 {
		return nil
	}
	if m == nil || (m.Type != "end" && m.Type != "fail") {
		return c.Differs("a terminal frame", m)
	}
	return nil
}
