package streams

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// attempt is a write that the server might refuse.
type attempt struct {
	stream *world.Stream    // to which it was made
	events []*world.Event   // the events of the write
	call   *target.Exchange // whose answer decides whether it was accepted
}

func (a *attempt) accepted() bool { return a.call.Now().Status/100 == 2 }

// refused reports whether the answer is a 4xx other than 405. The server chooses which one.
func (a *attempt) refused() bool {
	st := a.call.Now().Status
	return st >= 400 && st < 500 && st != 405
}

func try(s *world.Stream, writer string, evs ...*world.Event) error {
	body := evs[0].Body
	if len(evs) > 1 {
		var parts []json.RawMessage
		for _, e := range evs {
			parts = append(parts, e.Body)
		}
		body = steps.Encode(parts)
	}
	id := s.Writers[writer]
	call, err := s.World.Call("POST", "/streams/"+target.EscapeSegment(s.ID)+"/writers/"+target.EscapeSegment(id)+"/chunks", body, true)
	world.Put(s.World, &attempt{s, evs, call})
	return err
}

func writeSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the writer writes `+world.Events+`$`, world.OnStream1(func(s *world.Stream, list string) error {
			return s.WriteEvents("", list, false)
		}))
		steps.Step2(v, k, `^writer "([^"]+)" writes `+world.Events+`$`, world.OnStream2(func(s *world.Stream, writer, list string) error {
			return s.WriteEvents(writer, list, false)
		}))
		steps.Step1(v, k, `^the writer writes `+world.Events+` in one call$`, world.OnStream1(func(s *world.Stream, list string) error {
			return s.WriteEvents("", list, true)
		}))
		steps.Step1(v, k, `^the writer writes an event of step (\d+)$`, world.OnStream1(func(s *world.Stream, step int) error {
			return s.WriteSteps(strconv.Itoa(step))
		}))
		steps.Step0(v, k, `^the writer closes$`, func(w *world.World) error { return closeWriter(w, "") })
		steps.Step1(v, k, `^writer "([^"]+)" closes$`, closeWriter)
	})
	steps.Both(func(k features.Keyword) {
		steps.Step2(v, k, `^the writer writes `+world.Events+`, each after `+world.AClient+` has received the one before$`,
			lockstep)
	})
	steps.Step1(v, features.Then, `^the quickest of them came within (\d+) s$`, func(w *world.World, most int) error {
		if within := time.Duration(most) * time.Second; w.Quickest > within {
			return w.Clients["client"].Failure(fmt.Sprintf("one of the events within %v", within),
				fmt.Sprintf("the quickest after %v", w.Quickest.Round(time.Millisecond)), nil)
		}
		w.Saw(1)
		return nil
	})
	steps.Step0(v, features.When, `^the closed writer tries to write$`, tryNext)
	steps.Step0(v, features.When, `^the writer tries to write$`, tryNext)
	steps.Step0(v, features.Then, `^the write is refused$`, mustRefuse)
}

// lockstep writes each event after the clients have received the one before.
func lockstep(w *world.World, list, who string) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	ns, err := world.Numbers(list)
	if err != nil {
		return err
	}
	cs, err := w.ClientsNamed(who)
	if err != nil {
		return err
	}
	for _, n := range ns {
		e, err := s.NextEvent(n, nil)
		if err != nil {
			return err
		}
		began := time.Now()
		if err := s.Write("", e); err != nil {
			return err
		}
		for _, c := range cs {
			if err := c.Receive(e); err != nil {
				return err
			}
		}
		if took := time.Since(began); w.Quickest == 0 || took < w.Quickest {
			w.Quickest = took
		}
	}
	return nil
}

func closeWriter(w *world.World, name string) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	s.Gone[name] = true
	return s.Must("DELETE", "/writers/"+target.EscapeSegment(s.Writers[name]), nil)
}

// tryNext tries to write an event that isn't added to Events.
func tryNext(w *world.World) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	return try(s, "", world.NewEvent("the refused event", w.TextDelta("refused", 0, nil)))
}

func mustRefuse(w *world.World) error {
	if world.Get[*attempt](w) == nil {
		return steps.Faultf("nothing was tried")
	}
	if !world.Get[*attempt](w).refused() {
		v := world.Get[*attempt](w).call.Now()
		return &steps.Failure{
			Finding: record.Finding{Message: "the write of " + world.Get[*attempt](w).events[0].Label, Want: "a refusal (4xx)", Got: steps.StatusOf(v), Frame: -1}, Exchange: world.Get[*attempt](w).call,
		}
	}
	w.Saw(1)
	return nil
}

func chunkSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step2(v, k, `^the writer writes a (\w+) chunk with (\{.*\})$`, writeChunk)
	})
	steps.Step2(v, features.When, `^the writer writes a text_delta chunk whose delta is (\d+) times "([^"]+)"$`, func(w *world.World, n int, text string) error {
		n = min(n, w.LongestString()/len(text))
		return writeChunk(w, "text_delta", string(steps.Encode(map[string]any{"delta": strings.Repeat(text, n)})))
	})
	steps.Step2(v, features.When, `^the writer tries to write a (\w+) chunk with (\{.*\})$`, func(w *world.World, kind, text string) error {
		return tryChunk(w, kind, text, "")
	})
	steps.Step3(v, features.When, `^the writer tries to write a (\w+) chunk with (\{.*\}) but no "([^"]+)"$`, tryChunk)
	steps.Step1(v, features.When, `^the writer tries to write the value (.+)$`, world.OnStream1(func(s *world.Stream, text string) error {
		if _, err := steps.Decode([]byte(text)); err != nil {
			return steps.Faultf("%s is not JSON: %v", text, err)
		}
		return try(s, "", world.NewEvent("the value "+text, []byte(text)))
	}))
	steps.Step0(v, features.When, `^the writer tries to write an array whose second chunk is invalid$`, world.OnStream0(func(s *world.Stream) error {
		return try(s, "",
			world.NewEvent("the array", s.World.TextDelta("first of three", 1, nil)),
			world.NewEvent("the invalid chunk", s.World.Chunk(map[string]any{"type": "text_delta", "delta": 7})),
			world.NewEvent("the third chunk", s.World.TextDelta("third of three", 3, nil)))
	}))
}

func chunkReceivedSteps(v *steps.Sentences[*world.World]) {
	steps.Step1(v, features.Then, `^`+world.AClient+` receives the chunk unchanged$`, func(w *world.World, who string) error {
		cs, err := w.ClientsNamed(who)
		if err != nil {
			return err
		}
		return received(w, cs, lastWritten(w))
	})
	steps.Step1(v, features.Then, `^`+world.AClient+` receives the chunk unchanged, unless it was refused$`, func(w *world.World, who string) error {
		if world.Get[*attempt](w) == nil {
			return steps.Faultf("nothing was tried")
		}
		if !world.Get[*attempt](w).accepted() {
			w.NoteAlternative()
			return mustRefuse(w)
		}
		cs, err := w.ClientsNamed(who)
		if err != nil {
			return err
		}
		return received(w, cs, world.Get[*attempt](w).events)
	})
	steps.Step1(v, features.Then, `^`+world.AClient+` receives the known members of the chunk unchanged, unless it was refused$`, func(w *world.World, who string) error {
		if !world.Get[*attempt](w).accepted() {
			w.NoteAlternative()
			return mustRefuse(w)
		}
		return w.Each(who, func(c *world.Client) error {
			m, err := c.Next("the chunk")
			if err != nil {
				return err
			}
			if e := world.Get[*attempt](w).events[0]; !m.Contains(e, true) {
				return c.Differs("the known members of "+steps.Clip(e.Body), m)
			}
			w.Saw(1)
			return nil
		})
	})
	steps.Step0(v, features.When, `^the writer tries to write a text_delta chunk that ends in half of a surrogate pair$`, world.OnStream0(func(s *world.Stream) error {
		whole := s.World.Chunk(map[string]any{"type": "text_delta", "delta": "half: HALF"})
		return try(s, "", world.NewEvent("the half", bytes.Replace(whole, []byte("HALF"), []byte(`\ud83d`), 1)))
	}))
	steps.Step1(v, features.Then, `^`+world.AClient+` receives the half as it was written, unless the chunk was refused$`, receivesHalf)
	steps.Step1(v, features.Then, `^`+world.AClient+` receives nothing that breaks this rule$`, receivesValid)
}

// half matches the escape of a high surrogate without a low one. The decoders of this package decode it as U+FFFD.
var half = regexp.MustCompile(`(?i)\\ud83d"`)

func receivesHalf(w *world.World, who string) error {
	if !world.Get[*attempt](w).accepted() {
		w.NoteAlternative()
		return mustRefuse(w)
	}
	return w.Each(who, func(c *world.Client) error {
		m, err := c.Next("the half")
		if err != nil {
			return err
		}
		if e := world.Get[*attempt](w).events[0]; !m.Is(e) || !half.Match(m.Chunk) {
			return c.Differs(steps.Clip(e.Body), m)
		}
		w.Saw(1)
		return nil
	})
}

func writeChunk(w *world.World, kind, text string) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	e, err := composed(w, kind, text, "")
	if err != nil {
		return err
	}
	s.Events = append(s.Events, e)
	return s.Write("", e)
}

func tryChunk(w *world.World, kind, text, without string) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	e, err := composed(w, kind, text, without)
	if err != nil {
		return err
	}
	return try(s, "", e)
}

func composed(w *world.World, kind, text, without string) (*world.Event, error) {
	m, err := members(text)
	if err != nil {
		return nil, err
	}
	if kind != "" {
		m["type"] = kind
	}
	if without != "" {
		m[without] = world.Absent
	}
	label := "the chunk"
	if t, ok := m["type"].(string); ok {
		label = "the " + t + " chunk"
	}
	return world.NewEvent(label, w.Chunk(m)), nil
}

func lastWritten(w *world.World) []*world.Event {
	s := w.Streams[""]
	if s == nil || len(s.Events) == 0 {
		return nil
	}
	return s.Events[len(s.Events)-1:]
}

// receivesValid reads up to a marker and checks every chunk before it against the schema, for the members of this
// scenario's requirement.
func receivesValid(w *world.World, who string) error {
	cs, err := w.ClientsNamed(who)
	if err != nil {
		return err
	}
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	mark, err := s.Marker()
	if err != nil {
		return err
	}
	if world.Get[*attempt](w) != nil && world.Get[*attempt](w).accepted() { // the server has completed it, since the check fails otherwise
		w.NoteAlternative()
	}
	for _, c := range cs {
		if _, err := c.UpTo(mark, valid(w, c)); err != nil {
			return err
		}
		w.Saw(1)
	}
	return nil
}

// valid returns a check that fails for a chunk which breaks the scenario's requirement.
func valid(w *world.World, c *world.Client) func(*world.Message) error {
	return func(m *world.Message) error {
		if m.Type != "chunk" {
			return nil
		}
		for _, f := range w.Env().Schemas.Chunk(schemas.Strict, m.Chunk).Findings {
			if f.Requirement == w.Requirement() {
				return c.Failure("a chunk that keeps the rule, or none", f.Message+" at "+f.Instance, m)
			}
		}
		return nil
	}
}

// members parses a JSON object of members in a step's text. The error is a *[steps.Fault].
func members(text string) (map[string]any, error) {
	v, err := steps.Decode([]byte(text))
	if err != nil {
		return nil, steps.Faultf("%s is not JSON: %v", text, err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, steps.Faultf("%s is not a JSON object", text)
	}
	return m, nil
}
