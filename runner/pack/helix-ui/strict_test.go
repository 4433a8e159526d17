package helixui_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target"
)

// strictRoute is a chat route with a tool weather that takes a location and nothing else, as z.object({location: z.string()})
// does. It asks the model at url.
type strictRoute struct {
	url    string
	spoils bool // it sends another input than the model gave
}

// completion is the model's answer to a chat completion request.
type completion struct {
	Choices []struct {
		Message struct {
			Content string
			Calls   []struct {
				ID       string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
	}
}

func (s strictRoute) post(path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	res, err := http.Post(s.url+path, "application/json", bytes.NewReader(text))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return json.NewDecoder(res.Body).Decode(answer)
}

func (s strictRoute) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Messages []struct{ Parts []struct{ Text string } }
	}
	if json.NewDecoder(r.Body).Decode(&q) != nil || len(q.Messages) == 0 {
		http.Error(w, "no message", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Vercel-AI-UI-Message-Stream", "v1")
	part := func(members map[string]any) {
		text, _ := json.Marshal(members)
		fmt.Fprintf(w, "data: %s\n\n", text)
	}
	messages := []map[string]any{{"role": "user", "content": q.Messages[0].Parts[0].Text}}
	part(map[string]any{"type": "start"})
	for goesOn := true; goesOn; {
		goesOn = s.step(&messages, part)
	}
	part(map[string]any{"type": "finish"})
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// step asks the model once, and reports whether it called a tool.
func (s strictRoute) step(messages *[]map[string]any, part func(map[string]any)) bool {
	schema := json.RawMessage(`{"type":"object","properties":{"location":{"type":"string"}},"required":["location"],"additionalProperties":false}`)
	tools := []any{map[string]any{"type": "function", "function": map[string]any{"name": "weather", "parameters": schema}}}
	var c completion
	if s.post("/chat/completions", map[string]any{"messages": *messages, "tools": tools}, &c) != nil || len(c.Choices) == 0 {
		part(map[string]any{"type": "error", "errorText": "the model failed"})
		return false
	}
	m := c.Choices[0].Message
	part(map[string]any{"type": "start-step"})
	if m.Content != "" {
		part(map[string]any{"type": "text-start", "id": "t"})
		part(map[string]any{"type": "text-delta", "id": "t", "delta": m.Content})
		part(map[string]any{"type": "text-end", "id": "t"})
	}
	*messages = append(*messages, map[string]any{"role": "assistant", "content": m.Content})
	for _, call := range m.Calls {
		s.call(call.ID, call.Function.Arguments, part)
	}
	part(map[string]any{"type": "finish-step"})
	return len(m.Calls) > 0
}

// call refuses arguments that the schema refuses, and otherwise requests the tool's result from the kit.
func (s strictRoute) call(id, arguments string, part func(map[string]any)) {
	var input map[string]any
	part(map[string]any{"type": "tool-input-start", "toolCallId": id, "toolName": "weather"})
	if err := json.Unmarshal([]byte(arguments), &input); err != nil || len(input) != 1 || input["location"] == nil {
		part(map[string]any{"type": "tool-input-error", "toolCallId": id, "toolName": "weather", "input": arguments, "errorText": "the schema refuses the input"})
		return
	}
	if s.spoils {
		input["location"] = "Oslo"
	}
	part(map[string]any{"type": "tool-input-available", "toolCallId": id, "toolName": "weather", "input": input})
	var came struct {
		Result any
		Error  *string
	}
	switch err := s.post("/tools", map[string]any{"id": id}, &came); {
	case err != nil:
		part(map[string]any{"type": "tool-output-error", "toolCallId": id, "errorText": err.Error()})
	case came.Error != nil:
		part(map[string]any{"type": "tool-output-error", "toolCallId": id, "errorText": *came.Error})
	default:
		part(map[string]any{"type": "tool-output-available", "toolCallId": id, "output": came.Result})
	}
}

// TestStrictToolIsCertified: a tool whose schema refuses the arguments of the scenarios is given others, and the input that
// the server sends is compared with those.
func TestStrictToolIsCertified(t *testing.T) {
	for _, spoils := range []bool{false, true} {
		p, err := provider.Start(provider.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		server := httptest.NewServer(strictRoute{p.URL(), spoils})
		t.Cleanup(server.Close)
		tg, err := target.New(target.Config{URL: server.URL, Model: target.Model{Listen: "127.0.0.1:0", Player: p, Tools: true, Only: true}}, target.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(tg.Close)
		res, err := certify.Run(t.Context(), certifytest.Load(t, "helix-ui"), certify.Options{Target: tg, Seed: 1, Only: []string{"tools.*"}})
		if err != nil || len(p.Notes()) > 0 {
			t.Fatalf("%v; the model notes %q", err, p.Notes())
		}
		for _, q := range res.Report.Requirements {
			want := "pass"
			if spoils && q.ID == "helix-ui.tools.arguments" {
				want = "fail"
			}
			if string(q.Verdict) != want {
				t.Errorf("spoils %v: %s: %s, want %s", spoils, q.ID, q.Verdict, want)
			}
		}
	}
}
