package helix

import (
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
)

func finishSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the stream (?:has )?(ended|failed)$`, finish)
		steps.Step0(v, k, `^the stream ends$`, func(w *world) error { return finish(w, "ended") })
		steps.Step0(v, k, `^the stream fails$`, func(w *world) error { return finish(w, "failed") })
	})
	steps.Step1(v, features.When, `^the stream ends with the output (.+)$`, endWith)
	steps.Step1(v, features.Given, `^the stream has ended with the output (.+)$`, endWith)
	steps.Step1(v, features.When, `^the stream fails with the error `+steps.JSONString+`$`, func(w *world, text string) error {
		return failWith(w, text, "")
	})
	steps.Step2(v, features.When, `^the stream fails with the error `+steps.JSONString+` and the code "([^"]*)"$`, failWith)
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the stream is (ended|failed) again$`, onStream1(func(s *stream, how string) error {
			path, body := terminalCall(how)
			// Both a 2xx and a refusal are right; what readers see is the proof.
			_, err := s.control("POST", path, body)
			return err
		}))
	})
	steps.Step2(v, features.Then, `^`+aClient+` receives the (end|fail) frame$`, func(w *world, who, kind string) error {
		cs, err := receivesTerminal(w, who, kind)
		w.Saw(len(cs))
		return err
	})
	steps.Step2(v, features.Then, `^`+aClient+` receives the fail frame with the error `+steps.JSONString+`$`, func(w *world, who, text string) error {
		return terminalMember(w, who, "fail", func(m *message) json.RawMessage { return m.Error }, text, false)
	})
	steps.Step2(v, features.Then, `^`+aClient+` receives the end frame with the final output (.+), if any$`, func(w *world, who, text string) error {
		return terminalMember(w, who, "end", func(m *message) json.RawMessage { return m.FinalOutput }, text, true)
	})
	steps.Step2(v, features.Then, `^`+aClient+` receives the fail frame with the code `+steps.JSONString+`, if any$`, func(w *world, who, text string) error {
		return terminalMember(w, who, "fail", func(m *message) json.RawMessage { return m.Code }, text, true)
	})
	steps.Step2(v, features.Then, `^the response of `+aClient+` ends( without a break|)$`, func(w *world, who, whole string) error {
		return w.each(who, func(c *clientState) error {
			got, err := c.reader.Ended()
			if err != nil {
				return c.where(err)
			}
			if whole != "" && got.End == record.Broken {
				return c.failure("the end of the response", fmt.Sprintf("a broken connection (%v)", got.Err), nil)
			}
			w.Saw(1)
			return nil
		})
	})
}

func endWith(w *world, text string) error {
	out, err := steps.Decode([]byte(text))
	if err != nil {
		return steps.Faultf("%s is not JSON", text)
	}
	return terminal(w, "/end", map[string]any{"finalOutput": out})
}

func terminalCall(how string) (path string, body map[string]any) {
	if how == "failed" {
		return "/fail", map[string]any{"error": "something broke"}
	}
	return "/end", map[string]any{}
}

func finish(w *world, how string) error {
	path, body := terminalCall(how)
	return terminal(w, path, body)
}

func failWith(w *world, text, code string) error {
	var msg string
	if err := json.Unmarshal([]byte(text), &msg); err != nil {
		return steps.Faultf("%s is not a JSON string", text)
	}
	body := map[string]any{"error": msg}
	if code != "" {
		body["code"] = code
	}
	return terminal(w, "/fail", body)
}

func terminal(w *world, path string, body map[string]any) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	if err := s.must("POST", path, body); err != nil {
		return err
	}
	s.ended = true
	return nil
}

func receivesTerminal(w *world, who, kind string) ([]*clientState, error) {
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
	}
	return cs, nil
}

// terminalMember checks a member of the terminal frame. Where the member may be
// left out, a frame without it shows nothing.
func terminalMember(w *world, who, kind string, member func(*message) json.RawMessage, text string, optional bool) error {
	cs, err := receivesTerminal(w, who, kind)
	if err != nil {
		return err
	}
	want, err := steps.Decode([]byte(text))
	if err != nil {
		return steps.Faultf("%s is not JSON", text)
	}
	for _, c := range cs {
		raw := member(c.terminal)
		if raw == nil && optional {
			continue
		}
		got, err := steps.Decode(raw)
		if err != nil || !steps.Same(got, want) {
			return c.failure(text, steps.Clip(raw), c.terminal)
		}
		w.Saw(1)
	}
	return nil
}
