package helix

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
)

// attempt is a write that the server might refuse.
type attempt struct {
	stream *stream
	events []*event // what it tried to write
	call   *target.Exchange
}

func (a *attempt) accepted() bool { return a.call.Now().Status/100 == 2 }

// refused is any 4xx but "no such route": which one is the server's choice.
func (a *attempt) refused() bool {
	st := a.call.Now().Status
	return st >= 400 && st < 500 && st != 405
}

func (s *stream) try(writer string, evs ...*event) error {
	body := evs[0].body
	if len(evs) > 1 {
		var parts []json.RawMessage
		for _, e := range evs {
			parts = append(parts, e.body)
		}
		body = steps.Encode(parts)
	}
	id := s.writers[writer]
	call, err := s.w.Call("POST", "/streams/"+target.EscapeSegment(s.id)+"/writers/"+target.EscapeSegment(id)+"/chunks", body, true)
	s.w.attempt = &attempt{s, evs, call}
	return err
}

func writeSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the writer writes `+events+`$`, onStream1(func(s *stream, list string) error {
			return s.writeEvents("", list, false)
		}))
		steps.Step2(v, k, `^writer "([^"]+)" writes `+events+`$`, onStream2(func(s *stream, writer, list string) error {
			return s.writeEvents(writer, list, false)
		}))
		steps.Step1(v, k, `^the writer writes `+events+` in one call$`, onStream1(func(s *stream, list string) error {
			return s.writeEvents("", list, true)
		}))
		steps.Step1(v, k, `^the writer writes an event of step (\d+)$`, onStream1(func(s *stream, step int) error {
			return s.writeSteps(strconv.Itoa(step))
		}))
		steps.Step0(v, k, `^the writer closes$`, func(w *world) error { return closeWriter(w, "") })
		steps.Step1(v, k, `^writer "([^"]+)" closes$`, closeWriter)
	})
	steps.Both(func(k features.Keyword) {
		steps.Step2(v, k, `^the writer writes `+events+`, each after `+aClient+` has received the one before$`,
			lockstep)
	})
	steps.Step1(v, features.Then, `^the quickest of them came within (\d+) s$`, func(w *world, most int) error {
		if within := time.Duration(most) * time.Second; w.quickest > within {
			return w.clients["client"].failure(fmt.Sprintf("one of the events within %v", within),
				fmt.Sprintf("the quickest after %v", w.quickest.Round(time.Millisecond)), nil)
		}
		w.Saw(1)
		return nil
	})
	steps.Step0(v, features.When, `^the closed writer tries to write$`, tryNext)
	steps.Step0(v, features.When, `^the writer tries to write$`, tryNext)
	steps.Step0(v, features.Then, `^the write is refused$`, mustRefuse)
}

// lockstep writes an event only after the one before has reached the client.
func lockstep(w *world, list, who string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	ns, err := numbers(list)
	if err != nil {
		return err
	}
	cs, err := w.clientsNamed(who)
	if err != nil {
		return err
	}
	for _, n := range ns {
		e, err := s.nextEvent(n, nil)
		if err != nil {
			return err
		}
		began := time.Now()
		if err := s.write("", e); err != nil {
			return err
		}
		for _, c := range cs {
			if err := c.receive(e); err != nil {
				return err
			}
		}
		if took := time.Since(began); w.quickest == 0 || took < w.quickest {
			w.quickest = took
		}
	}
	return nil
}

func closeWriter(w *world, name string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	s.gone[name] = true
	return s.must("DELETE", "/writers/"+target.EscapeSegment(s.writers[name]), nil)
}

// tryNext tries to write an event that the ledger doesn't take in.
func tryNext(w *world) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	return s.try("", newEvent("the refused event", w.textDelta("refused", 0, nil)))
}

func mustRefuse(w *world) error {
	if w.attempt == nil {
		return steps.Faultf("nothing was tried")
	}
	if !w.attempt.refused() {
		v := w.attempt.call.Now()
		return &steps.Failure{
			Finding: record.Finding{Message: "the write of " + w.attempt.events[0].label, Want: "a refusal (4xx)", Got: steps.StatusOf(v), Frame: -1}, Exchange: w.attempt.call,
		}
	}
	w.Saw(1)
	return nil
}

func chunkSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step2(v, k, `^the writer writes a (\w+) chunk with (\{.*\})$`, writeChunk)
	})
	steps.Step2(v, features.When, `^the writer writes a text_delta chunk whose delta is (\d+) times "([^"]+)"$`, func(w *world, n int, text string) error {
		n = min(n, w.longestString()/len(text))
		return writeChunk(w, "text_delta", string(steps.Encode(map[string]any{"delta": strings.Repeat(text, n)})))
	})
	steps.Step2(v, features.When, `^the writer tries to write a (\w+) chunk with (\{.*\})$`, func(w *world, kind, text string) error {
		return tryChunk(w, kind, text, "")
	})
	steps.Step3(v, features.When, `^the writer tries to write a (\w+) chunk with (\{.*\}) but no "([^"]+)"$`, tryChunk)
	steps.Step1(v, features.When, `^the writer tries to write the value (.+)$`, onStream1(func(s *stream, text string) error {
		if _, err := steps.Decode([]byte(text)); err != nil {
			return steps.Faultf("%s is not JSON: %v", text, err)
		}
		return s.try("", newEvent("the value "+text, []byte(text)))
	}))
	steps.Step0(v, features.When, `^the writer tries to write an array whose second chunk is invalid$`, onStream0(func(s *stream) error {
		return s.try("",
			newEvent("the array", s.w.textDelta("first of three", 1, nil)),
			newEvent("the invalid chunk", s.w.chunk(map[string]any{"type": "text_delta", "delta": 7})),
			newEvent("the third chunk", s.w.textDelta("third of three", 3, nil)))
	}))
}

func chunkReceivedSteps(v *steps.Sentences[*world]) {
	steps.Step1(v, features.Then, `^`+aClient+` receives the chunk unchanged$`, func(w *world, who string) error {
		cs, err := w.clientsNamed(who)
		if err != nil {
			return err
		}
		return received(w, cs, lastWritten(w))
	})
	steps.Step1(v, features.Then, `^`+aClient+` receives the chunk unchanged, unless it was refused$`, func(w *world, who string) error {
		if w.attempt == nil {
			return steps.Faultf("nothing was tried")
		}
		if !w.attempt.accepted() {
			w.NoteAlternative()
			return mustRefuse(w)
		}
		cs, err := w.clientsNamed(who)
		if err != nil {
			return err
		}
		return received(w, cs, w.attempt.events)
	})
	steps.Step1(v, features.Then, `^`+aClient+` receives the known members of the chunk unchanged, unless it was refused$`, func(w *world, who string) error {
		if !w.attempt.accepted() {
			w.NoteAlternative()
			return mustRefuse(w)
		}
		return w.each(who, func(c *clientState) error {
			m, err := c.next("the chunk")
			if err != nil {
				return err
			}
			if e := w.attempt.events[0]; !m.holds(e, true) {
				return c.differs("the known members of "+steps.Clip(e.body), m)
			}
			w.Saw(1)
			return nil
		})
	})
	steps.Step0(v, features.When, `^the writer tries to write a text_delta chunk that ends in half of a surrogate pair$`, onStream0(func(s *stream) error {
		whole := s.w.chunk(map[string]any{"type": "text_delta", "delta": "half: HALF"})
		return s.try("", newEvent("the half", bytes.Replace(whole, []byte("HALF"), []byte(`\ud83d`), 1)))
	}))
	steps.Step1(v, features.Then, `^`+aClient+` receives the half as it was written, unless the chunk was refused$`, receivesHalf)
	steps.Step1(v, features.Then, `^`+aClient+` receives nothing that breaks this rule$`, receivesValid)
}

// half is the escape of the first half of a pair. The decoders of this package take it for U+FFFD.
var half = regexp.MustCompile(`(?i)\\ud83d"`)

func receivesHalf(w *world, who string) error {
	if !w.attempt.accepted() {
		w.NoteAlternative()
		return mustRefuse(w)
	}
	return w.each(who, func(c *clientState) error {
		m, err := c.next("the half")
		if err != nil {
			return err
		}
		if e := w.attempt.events[0]; !m.is(e) || !half.Match(m.Chunk) {
			return c.differs(steps.Clip(e.body), m)
		}
		w.Saw(1)
		return nil
	})
}

func writeChunk(w *world, kind, text string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	e, err := composed(w, kind, text, "")
	if err != nil {
		return err
	}
	s.events = append(s.events, e)
	return s.write("", e)
}

func tryChunk(w *world, kind, text, without string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	e, err := composed(w, kind, text, without)
	if err != nil {
		return err
	}
	return s.try("", e)
}

func composed(w *world, kind, text, without string) (*event, error) {
	m, err := members(text)
	if err != nil {
		return nil, err
	}
	if kind != "" {
		m["type"] = kind
	}
	if without != "" {
		m[without] = absent
	}
	label := "the chunk"
	if t, ok := m["type"].(string); ok {
		label = "the " + t + " chunk"
	}
	return newEvent(label, w.chunk(m)), nil
}

func lastWritten(w *world) []*event {
	s := w.streams[""]
	if s == nil || len(s.events) == 0 {
		return nil
	}
	return s.events[len(s.events)-1:]
}

// receivesValid reads up to a marker and checks every chunk before it against
// the schema, for the members that this scenario's requirement is about.
func receivesValid(w *world, who string) error {
	cs, err := w.clientsNamed(who)
	if err != nil {
		return err
	}
	s, err := w.stream("")
	if err != nil {
		return err
	}
	mark, err := s.marker()
	if err != nil {
		return err
	}
	if w.attempt != nil && w.attempt.accepted() { // and completed, or the check would object
		w.NoteAlternative()
	}
	for _, c := range cs {
		if _, err := c.upTo(mark, valid(w, c)); err != nil {
			return err
		}
		w.Saw(1)
	}
	return nil
}

// valid objects to a chunk that breaks the rule which the scenario proves.
func valid(w *world, c *clientState) func(*message) error {
	return func(m *message) error {
		if m.Type != "chunk" {
			return nil
		}
		for _, f := range w.Env().Schemas.Chunk(schemas.Strict, m.Chunk).Findings {
			if f.Requirement == w.Requirement() {
				return c.failure("a chunk that keeps the rule, or none", f.Message+" at "+f.Instance, m)
			}
		}
		return nil
	}
}

// members reads a JSON object of members from a step's text. The error is a *[steps.Fault].
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
