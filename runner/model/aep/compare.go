package aep

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// beginning checks that the text received so far is a prefix of the text of some first steps of the script.
//
// aep.content.text: the texts are the agent's text, without its reasoning.
func (t *Turn) beginning(steps []ScriptStep) error {
	want := literal(steps)
	got := t.got.text()
	if !strings.HasPrefix(want, got) && !echoes(steps) {
		return t.differs(want, got)
	}
	return nil
}

// differs returns the violation of a text that differs: content of another request, reasoning within a text, or another text.
func (t *Turn) differs(want, got string) error {
	for _, m := range markers.FindAllString(got, -1) {
		if m != t.Marker() && !(echoes(t.Script) && t.thread.owns(m)) {
			return violation("aep.security.isolation", "the texts of this request", clipped(got), "the response holds what belongs to %s", m)
		}
	}
	for _, act := range t.Script {
		if act.Name == "thinking" && len(act.Text) > len(t.Marker()) && strings.Contains(got, act.Text) && !strings.Contains(want, act.Text) {
			return violation("aep.content.thinking-apart", "what the agent says", clipped(got), "a text contains the agent's reasoning")
		}
	}
	w, g := apart(want, got)
	return violation("aep.content.text", w, g, "the texts of a response differ from the agent's text")
}

// complete compares the complete response with the complete script.
func (t *Turn) complete() error {
	rest := t.got.text()
	whole := rest
	for _, act := range t.Script {
		switch act.Name {
		case "text":
			after, ok := strings.CutPrefix(rest, act.Text)
			if !ok {
				return t.differs(literal(t.Script), whole)
			}
			rest = after
		case "echo":
			d := json.NewDecoder(strings.NewReader(rest))
			var got any
			if err := d.Decode(&got); err != nil {
				return violation(echoed[act.Text], "JSON", clipped(rest), "the agent's echo of its %s is incomplete", act.Text)
			}
			rest = rest[d.InputOffset():]
			if err := t.repeated(act.Text, got); err != nil {
				return err
			}
		}
	}
	if strings.TrimSpace(rest) != "" || rest != "" && !echoes(t.Script) {
		return t.differs(literal(t.Script), whole)
	}
	t.saw("aep.content.text")
	if err := dividedCharacter(t.Script, &t.got); err != nil {
		return err
	}
	return t.called()
}

// dividedCharacter finds a divided character in reasoning: its halves become U+FFFD, in any form in which a server sends reasoning.
func dividedCharacter(script []ScriptStep, got *content) error {
	const half = "\ufffd"
	thought, received := 0, 0
	for _, act := range script {
		if act.Name == "thinking" {
			thought += strings.Count(act.Text, half)
		}
	}
	for _, b := range got.of("thinking") {
		received += strings.Count(b.text(), half)
	}
	if received > thought {
		return violation("aep.content.whole-characters", fmt.Sprintf("U+FFFD %d times", thought), count(received), "a thought holds halves of characters")
	}
	return nil
}

// echoed contains the requirements that an agent's echo checks.
var echoed = map[string]string{
	"messages": "aep.request.text-blocks", "history": "aep.threads.history", "results": "aep.actions.result", "context": "aep.request.context",
}

// repeated compares the agent's echo with the client's request.
func (t *Turn) repeated(what string, got any) error {
	var want any
	switch what {
	case "history":
		return t.thread.history(t, got)
	case "messages":
		want = allBared(t.Texts)
		if list, ok := got.([]any); ok {
			got = barer(list)
		}
	case "context":
		// aep.request.context-once, that no other keys reach it, is a SHOULD NOT.
		handed, _ := got.(map[string]any)
		sent := map[string]any{}
		for name := range t.Context {
			if v, there := handed[name]; there {
				sent[name] = v
			}
		}
		want, got = append([]any{}, t.Context), []any{sent}
		if t.Context == nil {
			want = []any{map[string]any{}}
		}
	case "results":
		objects := []any{}
		for _, r := range t.Results {
			objects = append(objects, r.Object(t.thread.world.Result))
		}
		if want = objects; unclear(t.Results) { // which of them count is the server's to say
			return nil
		}
	}
	if !same(want, got) {
		w, g := apart(text(decoded(want)), text(got))
		return violation(echoed[what], w, g, "the agent was handed other %s than were sent", what)
	}
	t.saw(echoed[what])
	return nil
}

// barer is allBared for an agent's history.
func barer(list []any) any {
	out := []any{}
	for _, item := range list {
		if text, ok := item.(string); ok {
			item = bared(text)
		}
		out = append(out, item)
	}
	return out
}

func text(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return string(raw)
}

// same compares a value that was sent with one that came; numbers are doubles.
func same(want, got any) bool { return reflect.DeepEqual(decoded(want), got) }

// called compares the calls and their outcomes.
func (t *Turn) called() error {
	calls, n := t.got.of("tool_call"), 0
	for _, act := range t.Script {
		if act.Name != "tool" {
			continue
		}
		if n++; n > len(calls) { // the counts below find it
			continue
		}
		call := calls[n-1]
		want := any(act.Tool.Arguments)
		if t.Sent != nil {
			want = t.Sent(n-1, want)
		}
		got, known := t.got.arguments(calls, call)
		switch {
		case call.name != "" && call.name != act.Tool.Name:
			return violation("aep.tools.call", clipped(act.Tool.Name), clipped(call.name), "call %d names another tool", n)
		case known && !same(want, got):
			w, g := apart(text(decoded(want)), text(got))
			return violation("aep.tools.arguments", w, g, "call %d has other arguments", n)
		case known:
			t.saw("aep.tools.arguments")
		}
		t.saw("aep.tools.call")
		t.saw("aep.tools.result")
		t.saw("aep.tools.payload-hidden")
	}
	if n != t.got.calls {
		return violation("aep.tools.call", count(n), count(t.got.calls), "the response has another number of calls")
	}
	if n != t.got.outcomes {
		return violation("aep.tools.result", count(n), count(t.got.outcomes), "the response has another number of outcomes")
	}
	return nil
}
