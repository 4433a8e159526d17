package steps

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
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

func (w *World) try(s *stream, writer string, evs ...*event) error {
	body := evs[0].body
	if len(evs) > 1 {
		var parts []json.RawMessage
		for _, e := range evs {
			parts = append(parts, e.body)
		}
		body = encode(parts)
	}
	id := s.writers[writer]
	call, err := w.session.Call("POST", "/streams/"+target.EscapeSegment(s.id)+"/writers/"+target.EscapeSegment(id)+"/chunks", body, true)
	w.calls = append(w.calls, call)
	w.attempt = &attempt{s, evs, call}
	return err
}

func writeSteps(v *Vocabulary) {
	both(func(k features.Keyword) {
		step1(v, k, `^the writer writes `+events+`$`, onStream1(func(w *World, s *stream, list string) error {
			return w.writeEvents(s, "", list, false)
		}))
		step2(v, k, `^writer "([^"]+)" writes `+events+`$`, onStream2(func(w *World, s *stream, writer, list string) error {
			return w.writeEvents(s, writer, list, false)
		}))
		step1(v, k, `^the writer writes `+events+` in one call$`, onStream1(func(w *World, s *stream, list string) error {
			return w.writeEvents(s, "", list, true)
		}))
		step1(v, k, `^the writer writes an event of step (\d+)$`, onStream1(func(w *World, s *stream, step int) error {
			return w.writeSteps(s, strconv.Itoa(step))
		}))
		step0(v, k, `^the writer closes$`, func(w *World) error { return w.closeWriter("") })
		step1(v, k, `^writer "([^"]+)" closes$`, func(w *World, name string) error { return w.closeWriter(name) })
	})
	both(func(k features.Keyword) {
		step2(v, k, `^the writer writes `+events+`, each after `+client+` has received the one before$`,
			func(w *World, list, who string) error { return w.lockstep(list, who) })
	})
	step0(v, features.When, `^the closed writer tries to write$`, func(w *World) error { return w.tryNext() })
	step0(v, features.When, `^the writer tries to write$`, func(w *World) error { return w.tryNext() })
	step0(v, features.Then, `^the write is refused$`, func(w *World) error { return w.mustRefuse() })
	step1(v, features.Then, `^the refusal is a 400 that names "([^"]+)"$`, func(w *World, member string) error {
		if err := w.mustRefuse(); err != nil {
			return err
		}
		answer := w.attempt.call.Now()
		if answer.Status != 400 || !strings.Contains(string(answer.Answer), member) {
			return &Failure{
				Message: "the refusal of an invalid chunk", Want: fmt.Sprintf("400 with a body that names %q", member),
				Got: statusOf(answer), Exchange: w.attempt.call, Frame: -1,
			}
		}
		return nil
	})
}

// lockstep writes an event only after the one before has reached the client.
func (w *World) lockstep(list, who string) error {
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
		e, err := w.nextEvent(s, n, nil)
		if err != nil {
			return err
		}
		if err := w.write(s, "", e); err != nil {
			return err
		}
		for _, c := range cs {
			if err := c.receive(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *World) closeWriter(name string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	s.gone[name] = true
	return w.must(s, "DELETE", "/writers/"+target.EscapeSegment(s.writers[name]), nil)
}

// tryNext tries to write an event that the ledger doesn't take in.
func (w *World) tryNext() error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	return w.try(s, "", newEvent("the refused event", textDelta("refused", 0, nil)))
}

func (w *World) mustRefuse() error {
	if w.attempt == nil {
		return fault("nothing was tried")
	}
	if !w.attempt.refused() {
		v := w.attempt.call.Now()
		return &Failure{
			Message: "the write of " + w.attempt.events[0].label, Want: "a refusal (4xx)",
			Got: statusOf(v), Exchange: w.attempt.call, Frame: -1,
		}
	}
	w.saw(1)
	return nil
}

// members reads a JSON object of members from a step's text.
func members(text string) (map[string]any, error) {
	v, err := decode([]byte(text))
	if err != nil {
		return nil, fault("%s is not JSON: %v", text, err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fault("%s is not a JSON object", text)
	}
	return m, nil
}

func chunkSteps(v *Vocabulary) {
	step2(v, features.When, `^the writer writes a (\w+) chunk with (\{.*\})$`, func(w *World, kind, text string) error {
		return w.writeChunk(kind, text)
	})
	step2(v, features.When, `^the writer writes a text_delta chunk whose delta is (\d+) times "([^"]+)"$`, func(w *World, n int, text string) error {
		return w.writeChunk("text_delta", string(encode(map[string]any{"delta": strings.Repeat(text, n)})))
	})
	step2(v, features.When, `^the writer tries to write a (\w+) chunk with (\{.*\})$`, func(w *World, kind, text string) error {
		return w.tryChunk(kind, text, "")
	})
	step3(v, features.When, `^the writer tries to write a (\w+) chunk with (\{.*\}) but no "([^"]+)"$`, func(w *World, kind, text, without string) error {
		return w.tryChunk(kind, text, without)
	})
	step1(v, features.When, `^the writer tries to write the value (.+)$`, onStream1(func(w *World, s *stream, text string) error {
		if _, err := decode([]byte(text)); err != nil {
			return fault("%s is not JSON: %v", text, err)
		}
		return w.try(s, "", newEvent("the value "+text, []byte(text)))
	}))
	step0(v, features.When, `^the writer tries to write an array whose second chunk is invalid$`, onStream0(func(w *World, s *stream) error {
		return w.try(s, "",
			newEvent("the array", textDelta("first of three", 1, nil)),
			newEvent("the invalid chunk", chunk(map[string]any{"type": "text_delta", "delta": 7})),
			newEvent("the third chunk", textDelta("third of three", 3, nil)))
	}))
	step1(v, features.Then, `^`+client+` receives the chunk unchanged$`, func(w *World, who string) error {
		cs, err := w.clientsNamed(who)
		if err != nil {
			return err
		}
		return w.received(cs, w.lastWritten())
	})
	step1(v, features.Then, `^`+client+` receives the chunk unchanged, unless it was refused$`, func(w *World, who string) error {
		if w.attempt == nil {
			return fault("nothing was tried")
		}
		if !w.attempt.accepted() {
			w.otherwise = true
			return w.mustRefuse()
		}
		cs, err := w.clientsNamed(who)
		if err != nil {
			return err
		}
		return w.received(cs, w.attempt.events)
	})
	step1(v, features.Then, `^`+client+` receives nothing that breaks this rule$`, func(w *World, who string) error { return w.receivesValid(who) })
}

func (w *World) writeChunk(kind, text string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	e, err := w.composed(kind, text, "")
	if err != nil {
		return err
	}
	s.events = append(s.events, e)
	return w.write(s, "", e)
}

func (w *World) tryChunk(kind, text, without string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	e, err := w.composed(kind, text, without)
	if err != nil {
		return err
	}
	return w.try(s, "", e)
}

func (w *World) composed(kind, text, without string) (*event, error) {
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
	return newEvent(label, chunk(m)), nil
}

func (w *World) lastWritten() []*event {
	s := w.streams[""]
	if s == nil || len(s.events) == 0 {
		return nil
	}
	return s.events[len(s.events)-1:]
}

// receivesValid reads up to a marker and checks every chunk before it against
// the schema, for the members that this scenario's requirement is about.
func (w *World) receivesValid(who string) error {
	cs, err := w.clientsNamed(who)
	if err != nil {
		return err
	}
	s, err := w.stream("")
	if err != nil {
		return err
	}
	mark, err := w.marker(s)
	if err != nil {
		return err
	}
	w.otherwise = w.attempt != nil && w.attempt.accepted() // and completed, or the check would object
	for _, c := range cs {
		if _, err := c.upTo(mark, w.valid(c)); err != nil {
			return err
		}
		w.saw(1)
	}
	return nil
}

// valid objects to a chunk that breaks the rule which the scenario proves.
func (w *World) valid(c *clientState) func(*message) error {
	return func(m *message) error {
		if m.Type != "chunk" {
			return nil
		}
		for _, f := range w.env.Schemas.Chunk(schemas.Strict, m.Chunk).Findings {
			if f.Requirement == w.requirement {
				return c.failure("a chunk that keeps the rule, or none", f.Message+" at "+f.Instance, m)
			}
		}
		return nil
	}
}
