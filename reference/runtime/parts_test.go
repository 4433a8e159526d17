package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/quick"
)

func TestWords(t *testing.T) {
	if got := strings.Join(Words("Plan the trip"), "|"); got != "Plan| the| trip" {
		t.Error(got)
	}
	joined := func(text string) bool {
		text = strings.ReplaceAll(text, "e", " ")
		for _, piece := range Words(text) {
			if piece == "" {
				return false
			}
		}
		return strings.Join(Words(text), "") == text
	}
	if err := quick.Check(joined, nil); err != nil {
		t.Error(err)
	}
}

func TestCoerce(t *testing.T) {
	for raw, want := range map[string]string{
		`"{\"n\":1e999}"`: `{}`, `{"n":1e999}`: `{}`,
		``: `{}`, `null`: `{}`, `7`: `{}`, `[1]`: `{}`, `"x"`: `{}`, `"[1]"`: `{}`, `""`: `{}`, `"{"`: `{}`, `"null"`: `{}`,
		`{"a":1}`: `{"a":1}`, `"{\"a\":1}"`: `{"a":1}`, `" {} "`: ` {} `, `"{} x"`: `{}`, `"{}"`: `{}`,
	} {
		if got := string(Coerce(json.RawMessage(raw))); got != want {
			t.Errorf("%s became %s, want %s", raw, got, want)
		}
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		err  error
		want Failure
	}{
		{errors.New("x"), Failure{"x", "", false}},
		{errors.New(""), Failure{"an error without a text", "", false}},
		{context.Canceled, Failure{"context canceled", "framework_cancelled", false}},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), Failure{"x: context deadline exceeded", "tool_timeout", false}},
		{&Error{"x", "provider_error", true}, Failure{"x", "provider_error", true}},
		{fmt.Errorf("y: %w", &Error{"x", "tool_not_found", false}), Failure{"y: x", "tool_not_found", false}},
		{&Error{"x", "no_such_code", true}, Failure{"x", "", false}},
		{stopError("max_tokens"), Failure{stopError("max_tokens").Error(), "provider_error", true}},
		{stopError("content_filter"), Failure{stopError("content_filter").Error(), "provider_content_filtered", false}},
		{stopError("refusal"), Failure{stopError("refusal").Error(), "provider_refused", false}},
		{stopError("error"), Failure{stopError("error").Error(), "provider_error", false}},
		{stopError("unknown"), Failure{stopError("unknown").Error(), "provider_error", false}},
	} {
		if got := Classify(c.err); got != c.want {
			t.Errorf("%v is %+v, want %+v", c.err, got, c.want)
		}
	}
	for _, reason := range []string{"end_turn", "stop_sequence", "tool_use"} {
		if err := stopError(reason); err != nil {
			t.Errorf("%s is an error: %v", reason, err)
		}
	}
}

func TestChunkJSON(t *testing.T) {
	c := Chunk{"timestamp": int64(5), "type": "custom", "step": 2, "data": json.RawMessage(`{"a": 12345678901234567890}`), "agentId": "<x>"}
	raw, err := c.JSON()
	const want = `{"type":"custom","data":{"a":12345678901234567890},"step":2,"agentId":"<x>","timestamp":5}`
	if err != nil || string(raw) != want {
		t.Errorf("%s, %v; want %s", raw, err, want)
	}
	if raw, err := (Chunk{}).JSON(); err != nil || string(raw) != "{}" {
		t.Errorf("%s, %v", raw, err)
	}
	if _, err := (Chunk{"data": json.RawMessage("{")}).JSON(); err == nil || !strings.Contains(err.Error(), "member data") {
		t.Error(err)
	}
	if step, ok := c.Step(); step != 2 || !ok || c.AgentID() != "<x>" || c.Type() != "custom" {
		t.Error(c)
	}
	clone := c.Clone()
	clone["step"] = 3
	if c["step"] != 2 {
		t.Error("changing a clone changed its chunk")
	}
}

func TestMemory(t *testing.T) {
	ctx, m := context.Background(), new(Memory)
	latest := func() string {
		c, _, err := m.Load(ctx, "s", "")
		if err != nil {
			t.Fatal(err)
		}
		return c.ID
	}
	if _, found, _ := m.Load(ctx, "s", ""); found {
		t.Error("found a checkpoint where there is none")
	}
	for _, id := range []string{"a", "b", "c"} {
		if err := m.Save(ctx, "s", Checkpoint{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	if _, found, _ := m.Load(ctx, "s", "b"); !found || latest() != "c" {
		t.Error("a checkpoint was not found")
	}
	if err := m.Discard(ctx, "s", "b"); err != nil || latest() != "b" {
		t.Errorf("the latest checkpoint is %s, %v; want b", latest(), err)
	}
	m.Forget("s")
	if latest() != "" {
		t.Error("a forgotten stream has a checkpoint")
	}
}

func TestOutputSchema(t *testing.T) {
	for _, c := range []struct{ schema, output, want string }{
		{`{"type":"object","properties":{"a":{"minimum":2}}}`, `{"a":1}`, "at /a: "},
		{`{"type":"object"}`, `{}`, ""},
		{`{"type":"object"}`, `3`, "at /: "},
		{`false`, `3`, "at /: "},
		{`{"$ref":"#"}`, `3`, "can't be"},
		{`7`, ``, "can't be used"},
		{`{"type":7}`, ``, "can't be used"},
		{`{"$ref":"file:///etc/passwd"}`, ``, "can't be used"},
		{`{"$ref":"http://example.com/x.json"}`, ``, "can't be used"},
		{multiplying(24, `{"type":"string"}`), `3`, "its references multiply"},
		{multiplying(24, `{}`), `3`, "its references multiply"},
		{`{"enum":["` + strings.Repeat(`a","`, 20_000) + `"]}`, ``, "more than 20000 members and items"},
	} {
		s, err := newOutputSchema(json.RawMessage(c.schema))
		if err == nil {
			err = s.check(json.RawMessage(c.output))
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s against %s: %v, want %q", c.output, c.schema, err, c.want)
		}
	}
}

// multiplying returns a schema that refers to a last one twice as often at each of n levels.
func multiplying(n int, last string) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"%d":{"allOf":[{"$ref":"#/$defs/%d"},{"$ref":"#/$defs/%d"}]},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"%d":%s}}`, n, last)
	return b.String()
}

// TestFailuresHaveAText: a thrown value becomes readable text.
func TestFailuresHaveAText(t *testing.T) {
	for _, err := range []error{errors.New(""), &Error{}, &Error{Code: "provider_overloaded"}, fmt.Errorf("%w", errors.New(""))} {
		if f := Classify(err); f.Message == "" {
			t.Errorf("%#v: the failure says nothing", err)
		}
	}
	if f := Classify(errors.New("the road is closed")); f.Message != "the road is closed" {
		t.Errorf("got %q", f.Message)
	}
}
