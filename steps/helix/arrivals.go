package helix

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// arrival is a way in which a reader comes to be attached.
type arrival struct {
	needs []string // capabilities
	come  func(w *world, s *stream) error
}

// arrivals are the ways that a server might treat apart. The stream holds three events, of steps 1, 2 and 1.
var arrivals = map[string]arrival{
	"came fourth": {come: func(w *world, _ *stream) error {
		for _, name := range []string{"A", "B", "C", "client"} {
			if err := w.attachAndCatchUp(name); err != nil {
				return err
			}
		}
		return nil
	}},
	"resumed by header":           {[]string{"resume"}, resumed(1, func(id string) target.ReadRequest { return at(id, "header") })},
	"resumed by query":            {[]string{"resume"}, resumed(1, func(id string) target.ReadRequest { return at(id, "query") })},
	"resumed at the latest event": {[]string{"resume"}, resumed(3, func(id string) target.ReadRequest { return at(id, "header") })},
	"resumed at a removed event": {[]string{"resume", "truncation"}, func(w *world, s *stream) error {
		id, err := s.idOf(2)
		if err != nil {
			return err
		}
		s.w.Session().Removed(s.id)
		if err := s.must("POST", "/cleanup", map[string]any{"stepCount": 1}); err != nil {
			return err
		}
		return w.attachOnly("client", at(id, "header"))
	}},
	"resumed beyond the latest event": {[]string{"resume"}, func(w *world, s *stream) error {
		id, err := s.idOf(len(s.events))
		if err != nil {
			return err
		}
		if err := w.attachOnly("client", at(plus(id, 5), "header")); err != nil {
			return err
		}
		c := w.clients["client"]
		c.lastID = plus(id, 5)
		head, err := c.reader.Head()
		if err == nil && head.Status != 200 {
			return &steps.Unprovable{Reason: "the server refuses a cursor beyond the latest sequence"}
		}
		return err
	}},
	"came during a pause": {[]string{"status"}, func(w *world, s *stream) error {
		if err := s.must("POST", "/status", map[string]any{"status": "paused"}); err != nil {
			return err
		}
		if err := w.attachAndCatchUp("client"); err != nil {
			return err
		}
		w.clients["client"].untold = true
		return s.must("POST", "/status", map[string]any{"status": "active"})
	}},
	"stayed during a cleanup": {[]string{"truncation"}, stayed(func(s *stream) error {
		return s.must("POST", "/cleanup", map[string]any{"stepCount": 1})
	})},
	"stayed during a reset": {[]string{"reset"}, stayed(func(s *stream) error {
		s.reset = true
		return s.must("POST", "/reset", map[string]any{})
	})},
}

func arrivalSteps(v *steps.Sentences[*world]) {
	names := strings.Join(slices.Sorted(maps.Keys(arrivals)), "|")
	steps.Step1(v, features.Given, `^a client that (`+names+`)$`, onStream1(func(s *stream, how string) error {
		a := arrivals[how]
		for _, c := range a.needs {
			if !s.w.Session().Target().Claims(c) {
				return &steps.Unprovable{Reason: "the scenario needs the capability " + c}
			}
		}
		return preparing(a.come(s.w, s))
	}))
	steps.Step0(v, features.Given, `^the client reads along$`, onStream0(func(s *stream) error {
		e, err := s.nextEvent(len(s.events)+1, map[string]any{"step": 2})
		if err != nil {
			return err
		}
		if err := s.write("", e); err != nil {
			return preparing(err)
		}
		c := s.w.clients["client"]
		_, err = c.upTo(e, func(m *message) error {
			c.untold = c.untold && m.Status != "paused"
			return nil
		})
		if c.untold {
			s.w.NoteAlternative()
		}
		return preparing(err)
	}))
	steps.Step1(v, features.Then, `^the client receives `+events+`, whatever it was told before$`, func(w *world, list string) error {
		return w.each("the client", func(c *clientState) error {
			ns, err := numbers(list)
			if err != nil {
				return err
			}
			for _, n := range ns {
				e, err := c.stream.event(n)
				if err != nil {
					return err
				}
				if _, err := c.upTo(e, nil); err != nil {
					return err
				}
				w.Saw(1)
			}
			return nil
		})
	})
}

// preparing makes what went wrong on the way to a scenario's subject unprovable: it is for other rules to report.
func preparing(err error) error {
	var failure *steps.Failure
	if err = steps.Classify(err); errors.As(err, &failure) {
		return &steps.Unprovable{Reason: "the client could not be made ready: " + failure.Error()}
	}
	return err
}

func resumed(n int, how func(id string) target.ReadRequest) func(*world, *stream) error {
	return func(w *world, _ *stream) error { return resume(w, n, how) }
}

func stayed(during func(*stream) error) func(*world, *stream) error {
	return func(w *world, s *stream) error {
		if err := w.attachAndCatchUp("client"); err != nil {
			return err
		}
		w.Session().Removed(s.id)
		return during(s)
	}
}
