package streams

import (
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func finishSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the stream (?:has )?(ended|failed)$`, finish)
		steps.Step0(v, k, `^the stream ends$`, func(w *world.World) error { return finish(w, "ended") })
		steps.Step0(v, k, `^the stream fails$`, func(w *world.World) error { return finish(w, "failed") })
	})
	steps.Step1(v, features.When, `^the stream ends with the output (.+)$`, endWith)
	steps.Step1(v, features.Given, `^the stream has ended with the output (.+)$`, endWith)
	steps.Step1(v, features.When, `^the stream fails with the error `+steps.JSONString+`$`, func(w *world.World, text string) error {
		return failWith(w, text, "")
	})
	steps.Step2(v, features.When, `^the stream fails with the error `+steps.JSONString+` and the code "([^"]*)"$`, failWith)
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the stream is (ended|failed) again$`, world.OnStream1(func(s *world.Stream, how string) error {
			path, body := terminalCall(how)
			// A server may accept or refuse it; readers must see no change.
			_, err := s.Control("POST", path, body)
			return err
		}))
	})
	steps.Step2(v, features.Then, `^`+world.AClient+` receives the (end|fail) frame$`, func(w *world.World, who, kind string) error {
		cs, err := receivesTerminal(w, who, kind)
		w.Saw(len(cs))
		return err
	})
	steps.Step2(v, features.Then, `^`+world.AClient+` receives the fail frame with the error `+steps.JSONString+`$`, func(w *world.World, who, text string) error {
		return terminalMember(w, who, "fail", func(m *world.Message) json.RawMessage { return m.Error }, text, false)
	})
	steps.Step2(v, features.Then, `^`+world.AClient+` receives the end frame with the final output (.+), if any$`, func(w *world.World, who, text string) error {
		return terminalMember(w, who, "end", func(m *world.Message) json.RawMessage { return m.FinalOutput }, text, true)
	})
	steps.Step2(v, features.Then, `^`+world.AClient+` receives the fail frame with the code `+steps.JSONString+`, if any$`, func(w *world.World, who, text string) error {
		return terminalMember(w, who, "fail", func(m *world.Message) json.RawMessage { return m.Code }, text, true)
	})
	steps.Step2(v, features.Then, `^the response of `+world.AClient+` ends( without a break|)$`, func(w *world.World, who, whole string) error {
		return w.Each(who, func(c *world.Client) error {
			got, err := c.Reader.Ended()
			if err != nil {
				return c.Where(err)
			}
			if whole != "" && got.End == record.Broken {
				return c.Failure("the end of the response", fmt.Sprintf("a broken connection (%v)", got.Err), nil)
			}
			w.Saw(1)
			return nil
		})
	})
}

func endWith(w *world.World, text string) error {
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

func finish(w *world.World, how string) error {
	path, body := terminalCall(how)
	return terminal(w, path, body)
}

func failWith(w *world.World, text, code string) error {
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

func terminal(w *world.World, path string, body map[string]any) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	if err := s.Must("POST", path, body); err != nil {
		return err
	}
	s.Ended = true
	return nil
}

func receivesTerminal(w *world.World, who, kind string) ([]*world.Client, error) {
	cs, err := w.ClientsNamed(who)
	if err != nil {
		return nil, err
	}
	for _, c := range cs {
		m, err := c.Next("the " + kind + " frame")
		if err != nil {
			return nil, c.Where(err)
		}
		if m == nil || m.Type != kind {
			return nil, c.Differs(fmt.Sprintf("the %s frame", kind), m)
		}
	}
	return cs, nil
}

// terminalMember checks a member of the terminal frame. A frame without an optional member proves nothing.
func terminalMember(w *world.World, who, kind string, member func(*world.Message) json.RawMessage, text string, optional bool) error {
	cs, err := receivesTerminal(w, who, kind)
	if err != nil {
		return err
	}
	want, err := steps.Decode([]byte(text))
	if err != nil {
		return steps.Faultf("%s is not JSON", text)
	}
	for _, c := range cs {
		raw := member(c.Terminal)
		if raw == nil && optional {
			continue
		}
		got, err := steps.Decode(raw)
		if err != nil || !steps.Same(got, want) {
			return c.Failure(text, steps.Clip(raw), c.Terminal)
		}
		w.Saw(1)
	}
	return nil
}
