package target

import (
	"strings"
	"testing"
)

func TestFillStart(t *testing.T) {
	s := Start{
		Path: "/api/{stream}/chat",
		Body: `{"id": "{thread}", "n": 1.50, "on": "{stream}", "messages": [{"role": "user", "parts": [{"text": "{text}"}]}], "also": "{other}"}`,
	}
	path, body, err := s.Fill("a \"<b>\"\n", map[string]string{"stream": "s/1", "thread": ""})
	want := `{"also":"{other}","messages":[{"parts":[{"text":"a \"<b>\"\n"}],"role":"user"}],"n":1.50,"on":"s/1"}`
	if err != nil || path != "/api/s%2F1/chat" || string(body) != want {
		t.Errorf("%s %s %v, want %s", path, body, err, want)
	}
	if !s.HasPlaceholder("thread") || !s.HasPlaceholder("stream") || s.HasPlaceholder("agent") {
		t.Error("places that a template has")
	}
}

func TestConfigOfModel(t *testing.T) {
	read := func(model string) (Config, error) {
		return Format{}.Read("c.yaml", []byte("target: {url: http://x}\nmodel: "+model), Environment{Lookup: func(string) (string, bool) { return "", false }})
	}
	c, err := read(`{listen: 127.0.0.1:0, key: secret-key, env: OPENAI_BASE_URL, keyEnv: OPENAI_API_KEY, tools: true, only: true, start: {path: /chat, headers: {X-A: b}, body: '{"q": "{text}"}', run: id}}`)
	if err != nil || c.Model.Key != "secret-key" || !c.Model.Tools || !c.Model.Only || c.Model.Start.Run != "id" || !c.Model.Start.IsSet() {
		t.Errorf("%+v %v", c.Model, err)
	}
	for model, want := range map[string]string{
		`{key: k}`: "model needs a listen", `{listen: "x:0", start: {path: /chat}}`: "go together",
		`{listen: "x:0", start: {path: /chat, body: '{"q": 1}'}}`: `"{text}"`, `{listen: "x:0", start: {method: GET, path: /chat, body: '{"q": "{text}"}'}}`: "must be POST",
	} {
		if _, err := read(model); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", model, err, want)
		}
	}
}
