package steps

import (
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/features"
)

func finishSteps(v *Vocabulary) {
	both(func(k features.Keyword) {
		step1(v, k, `^the stream (?:has )?(ended|failed)$`, func(w *World, how string) error { return w.finish(how) })
		step0(v, k, `^the stream ends$`, func(w *World) error { return w.finish("ended") })
		step0(v, k, `^the stream fails$`, func(w *World) error { return w.finish("failed") })
	})
	step1(v, features.When, `^the stream ends with the output (.+)$`, func(w *World, text string) error {
		out, err := decode([]byte(text))
		if err != nil {
			return fault("%s is not JSON", text)
		}
		return w.terminal("/end", map[string]any{"finalOutput": out})
	})
	step1(v, features.When, `^the stream fails with the error `+text+`$`, func(w *World, text string) error {
		return w.failWith(text, "")
	})
	step2(v, features.When, `^the stream fails with the error `+text+` and the code "([^"]*)"$`, func(w *World, text, code string) error {
		return w.failWith(text, code)
	})
	both(func(k features.Keyword) {
		step1(v, k, `^the stream is (ended|failed) again$`, onStream1(func(w *World, s *stream, how string) error {
			path, body := terminalCall(how)
			// Both a 2xx and a refusal are right; what readers see is the proof.
			_, err := w.control(s, "POST", path, body)
			return err
		}))
	})
	step2(v, features.Then, `^`+client+` receives the (end|fail) frame$`, func(w *World, who, kind string) error {
		_, err := w.receivesTerminal(who, kind)
		return err
	})
	step2(v, features.Then, `^`+client+` receives the fail frame with the error `+text+`$`, func(w *World, who, text string) error {
		return w.terminalMember(who, "fail", func(m *message) json.RawMessage { return m.Error }, text, false)
	})
	step2(v, features.Then, `^`+client+` receives the end frame with the final output (.+), if any$`, func(w *World, who, text string) error {
		return w.terminalMember(who, "end", func(m *message) json.RawMessage { return m.FinalOutput }, text, true)
	})
	step2(v, features.Then, `^`+client+` receives the fail frame with the code `+text+`, if any$`, func(w *World, who, text string) error {
		return w.terminalMember(who, "fail", func(m *message) json.RawMessage { return m.Code }, text, true)
	})
	step1(v, features.Then, `^the response of `+client+` ends$`, func(w *World, who string) error {
		return w.each(who, func(c *clientState) error {
			if _, err := c.reader.Ended(); err != nil {
				return c.where(err)
			}
			w.saw(1)
			return nil
		})
	})
}

func terminalCall(how string) (path string, body map[string]any) {
	if how == "failed" {
		return "/fail", map[string]any{"error": "something broke"}
	}
	return "/end", map[string]any{}
}

func (w *World) finish(how string) error {
	path, body := terminalCall(how)
	return w.terminal(path, body)
}

func (w *World) failWith(text, code string) error {
	var msg string
	if err := json.Unmarshal([]byte(text), &msg); err != nil {
		return fault("%s is not a JSON string", text)
	}
	body := map[string]any{"error": msg}
	if code != "" {
		body["code"] = code
	}
	return w.terminal("/fail", body)
}

func (w *World) terminal(path string, body map[string]any) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	if err := w.must(s, "POST", path, body); err != nil {
		return err
	}
	s.ended = true
	return nil
}

func (w *World) receivesTerminal(who, kind string) ([]*clientState, error) {
	cs, err := w.clientsNamed(who)
	if err != nil {
		return nil, err
	}
	for _, c := range cs {
		m, err := c.next("the " + kind + " frame")
		if err != nil {
			return nil, c.where(err)
		}
		if m == nil || m.Type != kind {
			return nil, c.differs(fmt.Sprintf("the %s frame", kind), m)
		}
		w.saw(1)
	}
	return cs, nil
}

// terminalMember checks a member of the terminal frame. Where the member may be
// left out, its absence is a freedom that was used, and counts.
func (w *World) terminalMember(who, kind string, member func(*message) json.RawMessage, text string, optional bool) error {
	cs, err := w.receivesTerminal(who, kind)
	if err != nil {
		return err
	}
	want, err := decode([]byte(text))
	if err != nil {
		return fault("%s is not JSON", text)
	}
	for _, c := range cs {
		raw := member(c.terminal)
		if raw == nil && optional {
			continue
		}
		got, err := decode(raw)
		if err != nil || !same(got, want) {
			return c.failure(text, clip(raw), c.terminal)
		}
	}
	return nil
}
