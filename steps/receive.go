package steps

import (
	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/target"
)

func receiveSteps(v *Vocabulary) {
	step2(v, features.Then, `^`+client+` receives `+events+`$`, func(w *World, who, list string) error {
		_, err := w.receives(who, list)
		return err
	})
	step2(v, features.Then, `^`+client+` receives exactly `+events+`$`, func(w *World, who, list string) error {
		cs, err := w.receives(who, list)
		if err != nil {
			return err
		}
		return w.nothingElse(cs)
	})
	step1(v, features.Then, `^`+client+` receives no stored event$`, func(w *World, who string) error {
		cs, err := w.clientsNamed(who)
		if err != nil {
			return err
		}
		return w.nothingElse(cs)
	})
	step1(v, features.Then, `^nothing else reaches `+client+`$`, func(w *World, who string) error {
		cs, err := w.clientsNamed(who)
		if err != nil {
			return err
		}
		return w.nothingElse(cs)
	})
	step1(v, features.Given, `^`+client+` receives (?:what it missed|everything so far)$`, func(w *World, who string) error { return w.catchUp(who) })
	step2(v, features.Given, `^`+client+` receives `+events+` first$`, func(w *World, who, list string) error {
		_, err := w.receives(who, list)
		return err
	})
	step1(v, features.Given, `^`+client+` is told that it is over$`, func(w *World, who string) error {
		return w.each(who, func(c *clientState) error {
			if err := c.finishes(); err != nil {
				return err
			}
			return nil
		})
	})
	step1(v, features.Then, `^`+client+` receives the next chunk$`, func(w *World, who string) error {
		return w.each(who, func(c *clientState) error {
			m, err := c.next("a chunk")
			if err != nil {
				return c.where(err)
			}
			if m == nil || m.Type != "chunk" {
				return c.differs("a chunk", m)
			}
			w.saw(1)
			return nil
		})
	})
	step0(v, features.Then, `^no exchange of this scenario breaks this rule$`, func(w *World) error { return w.judged() })
}

// receives checks that the named clients receive the listed events next.
func (w *World) receives(who, list string) ([]*clientState, error) {
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
	return cs, w.received(cs, evs)
}

// received checks that each client receives the events next.
func (w *World) received(cs []*clientState, evs []*event) error {
	if len(evs) == 0 {
		return fault("nothing was written")
	}
	for _, c := range cs {
		for _, e := range evs {
			if err := c.receive(e); err != nil {
				return err
			}
			w.saw(1)
		}
	}
	return nil
}

// catchUp reads everything that the stream holds and the client has not yet
// received.
func (w *World) catchUp(who string) error {
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
func (w *World) nothingElse(cs []*clientState) error {
	marks := map[*stream]*event{}
	for _, c := range cs {
		if c.stream.ended {
			if err := c.finishes(); err != nil {
				return err
			}
			w.saw(1)
			continue
		}
		mark, ok := marks[c.stream]
		if !ok {
			var err error
			if mark, err = w.marker(c.stream); err != nil {
				return err
			}
			marks[c.stream] = mark
		}
		if err := c.receive(mark); err != nil {
			return err
		}
		w.saw(1)
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

// judged lets the judge look at everything that was exchanged so far and reports
// its first finding on this scenario's requirement.
func (w *World) judged() error {
	w.Finish()
	occasions := 0
	for _, e := range w.session.Exchanges() {
		findings, seen := Judge(w.env, e)
		for _, f := range findings {
			if f.Requirement == w.requirement {
				return &Failure{Message: f.Message, Want: f.Want, Got: f.Got, Exchange: e, Frame: f.Frame}
			}
		}
		occasions += seen[w.requirement]
	}
	w.saw(occasions)
	return nil
}

// Judge runs the passive judge over one exchange and returns what it found and
// how often each requirement had an occasion.
func Judge(env Env, e *target.Exchange) ([]judge.Finding, map[string]int) {
	if e.Kind == target.Control {
		return nil, nil
	}
	v := e.Now()
	if v.Status == 0 {
		return nil, nil
	}
	origin := judge.Relayed
	if e.Origin == target.Produced {
		origin = judge.Produced
	}
	m := env.Judge(origin)
	head := judge.Head{Status: v.Status, Header: v.HeaderMap(), Removed: e.Removed}
	head.Cursor, head.HasCursor = e.Cursor()
	if e.Kind != target.Read || v.Status != 200 && !v.IsEventStream() {
		route := map[target.Kind]judge.Route{
			target.Read: judge.ReadRoute, target.Document: judge.InfoRoute, target.Snapshot: judge.SnapshotRoute,
		}[e.Kind]
		return env.Answer(judge.Answer{Route: route, Status: v.Status, Header: v.HeaderMap(), Body: v.Answer})
	}
	findings := m.Head(head)
	for _, f := range v.Frames {
		findings = append(findings, m.Frame(f)...)
	}
	end := map[target.End]judge.End{
		target.Open: judge.OpenStill, target.ServerClose: judge.EOF, target.Broken: judge.Reset, target.ClientClose: judge.Cut,
	}[v.End]
	return append(findings, m.Close(end)...), m.Occasions()
}
