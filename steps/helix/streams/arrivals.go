package streams

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// arrival is a way to attach a reader.
type arrival struct {
	needs []string                                    // capabilities
	come  func(w *world.World, s *world.Stream) error // attaches the reader; an error fails the step
}

// arrivals lists the ways that a server might treat differently. The stream has three events, of steps 1, 2 and 1.
var arrivals = map[string]arrival{
	"came fourth": {come: func(w *world.World, _ *world.Stream) error {
		for _, name := range []string{"A", "B", "C", "client"} {
			if err := w.AttachAndCatchUp(name); err != nil {
				return err
			}
		}
		return nil
	}},
	"resumed by header":           {[]string{"resume"}, resumed(1, func(id string) target.ReadRequest { return at(id, "header") })},
	"resumed by query":            {[]string{"resume"}, resumed(1, func(id string) target.ReadRequest { return at(id, "query") })},
	"resumed at the latest event": {[]string{"resume"}, resumed(3, func(id string) target.ReadRequest { return at(id, "header") })},
	"resumed at a removed event": {[]string{"resume", "truncation"}, func(w *world.World, s *world.Stream) error {
		id, err := s.IdOf(2)
		if err != nil {
			return err
		}
		s.World.Session().Removed(s.ID)
		if err := s.Must("POST", "/cleanup", map[string]any{"stepCount": 1}); err != nil {
			return err
		}
		return w.AttachOnly("client", at(id, "header"))
	}},
	"resumed beyond the latest event": {[]string{"resume"}, func(w *world.World, s *world.Stream) error {
		id, err := s.IdOf(len(s.Events))
		if err != nil {
			return err
		}
		if err := w.AttachOnly("client", at(plus(id, 5), "header")); err != nil {
			return err
		}
		c := w.Clients["client"]
		c.LastID = plus(id, 5)
		head, err := c.Reader.Head()
		if err == nil && head.Status != 200 {
			return &steps.Unprovable{Reason: "the server refuses a cursor beyond the latest sequence"}
		}
		return err
	}},
	"came during a pause": {[]string{"status"}, func(w *world.World, s *world.Stream) error {
		if err := s.Must("POST", "/status", map[string]any{"status": "paused"}); err != nil {
			return err
		}
		if err := w.AttachAndCatchUp("client"); err != nil {
			return err
		}
		w.Clients["client"].Unnotified = true
		return s.Must("POST", "/status", map[string]any{"status": "active"})
	}},
	"stayed during a cleanup": {[]string{"truncation"}, stayed(func(s *world.Stream) error {
		return s.Must("POST", "/cleanup", map[string]any{"stepCount": 1})
	})},
	"stayed during a reset": {[]string{"reset"}, stayed(func(s *world.Stream) error {
		s.Reset = true
		return s.Must("POST", "/reset", map[string]any{})
	})},
}

func arrivalSteps(v *steps.Sentences[*world.World]) {
	names := strings.Join(slices.Sorted(maps.Keys(arrivals)), "|")
	steps.Step1(v, features.Given, `^a client that (`+names+`)$`, world.OnStream1(func(s *world.Stream, how string) error {
		a := arrivals[how]
		for _, c := range a.needs {
			if !s.World.Session().Target().Claims(c) {
				return &steps.Unprovable{Reason: "the scenario needs the capability " + c}
			}
		}
		return preparing(a.come(s.World, s))
	}))
	steps.Step0(v, features.Given, `^the client reads along$`, world.OnStream0(func(s *world.Stream) error {
		e, err := s.NextEvent(len(s.Events)+1, map[string]any{"step": 2})
		if err != nil {
			return err
		}
		if err := s.Write("", e); err != nil {
			return preparing(err)
		}
		c := s.World.Clients["client"]
		_, err = c.UpTo(e, func(m *world.Message) error {
			c.Unnotified = c.Unnotified && m.Status != "paused"
			return nil
		})
		if c.Unnotified {
			s.World.NoteAlternative()
		}
		return preparing(err)
	}))
	steps.Step1(v, features.Then, `^the client receives `+world.Events+`, whatever it was told before$`, func(w *world.World, list string) error {
		return w.Each("the client", func(c *world.Client) error {
			ns, err := world.Numbers(list)
			if err != nil {
				return err
			}
			for _, n := range ns {
				e, err := c.Stream.Event(n)
				if err != nil {
					return err
				}
				if _, err := c.UpTo(e, nil); err != nil {
					return err
				}
				w.Saw(1)
			}
			return nil
		})
	})
}

// preparing turns a failure before the subject of a scenario into an unprovable result: other rules report it.
func preparing(err error) error {
	var failure *steps.Failure
	if err = steps.Classify(err); errors.As(err, &failure) {
		return &steps.Unprovable{Reason: "the client could not be made ready: " + failure.Error()}
	}
	return err
}

func resumed(n int, how func(id string) target.ReadRequest) func(*world.World, *world.Stream) error {
	return func(w *world.World, _ *world.Stream) error { return resume(w, n, how) }
}

func stayed(during func(*world.Stream) error) func(*world.World, *world.Stream) error {
	return func(w *world.World, s *world.Stream) error {
		if err := w.AttachAndCatchUp("client"); err != nil {
			return err
		}
		w.Session().Removed(s.ID)
		return during(s)
	}
}
