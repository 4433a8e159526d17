package run

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// failureSteps registers sentences on calls and errors that servers may report in several ways.
func failureSteps(v *steps.Sentences[*world.World]) {
	steps.Step3(v, features.Then, `^`+world.AClient+` receives the end of a call of "([^"]+)" that says `+steps.JSONString+`$`, callEndsWith)
	steps.Step2(v, features.Then, `^`+world.AClient+` receives no error with another code than "([^"]+)"$`, onlyCode)
	steps.Step2(v, features.Then, `^the errors that `+world.AClient+` receives are of steps (\d[\d, ]*) of the script$`, errorSteps)
}

// callEndsWith checks that a tool call ended with a result or an error that contains a text.
func callEndsWith(w *world.World, who, tool, text string) error {
	var want string
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		return steps.Faultf("%s is not a JSON string", text)
	}
	return EachEntire(w, who, func(c *world.Client) error {
		var end *world.Message
		for _, m := range c.Got {
			if m.Member("type") != "tool_end" || m.Member("toolName") != tool {
				continue
			}
			end = m
			if contains(m.Member("result"), want) || contains(m.Member("error"), want) {
				w.Saw(1)
				return nil
			}
		}
		if end == nil {
			return c.Failure("a tool_end of "+tool, Types(c.Got), nil)
		}
		return c.Failure("a result or an error that says "+text, steps.Clip(end.Chunk), end)
	})
}

// contains reports whether a JSON value contains a text, at any depth.
func contains(v any, text string) bool {
	switch x := v.(type) {
	case string:
		return strings.Contains(x, text)
	case []any:
		for _, item := range x {
			if contains(item, text) {
				return true
			}
		}
	case map[string]any:
		for _, member := range x {
			if contains(member, text) {
				return true
			}
		}
	}
	return false
}

// onlyCode checks that the errors of a run have either no code or this one.
func onlyCode(w *world.World, who, code string) error {
	return EachEntire(w, who, func(c *world.Client) error {
		for _, m := range c.Got {
			if m.Member("type") != "error" {
				continue
			}
			if got := m.Member("code"); got != nil && got != code {
				return c.Failure(fmt.Sprintf("no code, or %q", code), steps.Clip(m.Chunk), m)
			}
			w.Saw(1)
		}
		return nil
	})
}

// errorSteps checks the step of each error, counted from the script's first step. A server may number its first step as
// it likes: errorSteps takes the number from the first text or error that has one, so the script emits text or fails in
// its first step.
func errorSteps(w *world.World, who, list string) error {
	return EachEntire(w, who, func(c *world.Client) error {
		remaining, first := c.Got, -1.0
		for _, field := range strings.Split(list, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(field))
			if err != nil {
				return steps.Faultf("%q is no list of steps", list)
			}
			m, tail, base := nextError(remaining, first)
			if m == nil {
				return c.Failure("an error of step "+strconv.Itoa(n), Types(remaining), nil)
			}
			remaining, first = tail, base
			if step, ok := m.Member("step").(json.Number); !ok || steps.Float(step) != first+float64(n-1) {
				return c.Failure(fmt.Sprintf("an error with step %v", first+float64(n-1)), steps.Clip(m.Chunk), m)
			}
			w.Saw(1)
		}
		return nil
	})
}

// nextError returns the first error among messages, the messages after it, and the number of the first step, which is
// negative until a text or an error has a number.
func nextError(ms []*world.Message, first float64) (found *world.Message, remaining []*world.Message, base float64) {
	for i, m := range ms {
		kind := m.Member("type")
		if step, ok := m.Member("step").(json.Number); ok && first < 0 && (kind == "text_delta" || kind == "error") {
			first = steps.Float(step)
		}
		if kind == "error" {
			return m, ms[i+1:], first
		}
	}
	return nil, nil, first
}
