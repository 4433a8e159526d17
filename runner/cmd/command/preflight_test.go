package command

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/launch"
)

// starts contains each pack's config for starting a run by its model.
var starts = map[string]string{
	"helix":    `{path: "/api/chat", body: '{"stream": "{stream}", "text": "{text}"}'}`,
	"helix-ui": `{path: "/api/chat", body: '{"messages": [{"role": "user", "content": "{text}"}]}'}`,
	"aep":      `{path: "/api/chat", body: '{"messages": [{"role": "user", "content": "{text}"}]}'}`,
	"merlin":   `{path: "/api/{version}/chat", body: '{"messages": [{"role": "user", "content": "{text}"}]}'}`,
}

// asks has a server call its model, and returns the status.
func asks(t *testing.T, url, key, path string) int {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url+path, strings.NewReader(`{"messages":[{"role":"user","content":"hello"}]}`))
	if err != nil {
		t.Error(err)
		return 0
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// TestPreflightHints: each mistake in setting a server up has a specific hint.
func TestPreflightHints(t *testing.T) {
	answers := func(status int, media, body string) func(http.ResponseWriter, string) {
		return func(w http.ResponseWriter, _ string) {
			w.Header().Set("Content-Type", media)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	asking := func(key, path string, then func(http.ResponseWriter, string)) func(http.ResponseWriter, string) {
		return func(w http.ResponseWriter, model string) {
			asks(t, model, key, path)
			then(w, model)
		}
	}
	fails := answers(500, "application/json", "{\n  \"error\": \"no answer of the model\"\n}")
	for _, c := range []struct {
		name   string
		answer func(w http.ResponseWriter, model string)
		says   []string
	}{
		{"no key", asking("", "/chat/completions", fails), []string{"had no key", "model.keyEnv", "no answer of the model"}},
		{"a wrong key", asking("sk-of-another", "/chat/completions", fails), []string{"had a wrong key", "model.keyEnv"}},
		{"a wrong address", fails, []string{"got no request", "MODEL_URL", "no answer of the model"}},
		{"text alone", answers(200, "text/plain; charset=utf-8", "Hello there"), []string{"answered 200 with text/plain", "expected text/event-stream", "the text alone", "Hello there"}},
		{"its own error", asking("very-secret-key", "/chat/completions", fails), []string{"answered 500", `{ "error": "no answer of the model" }`}},
		{"a wrong route", answers(404, "text/plain", "Not Found"), []string{"answered 404", "Not Found"}},
		{"responses", asking("very-secret-key", "/responses", fails), []string{"/v1/responses was answered 404", "openai.chat(…)", "set_default_openai_api"}},
		{"a wrong body", answers(422, "application/json", `{"error":"prompt is required"}`), []string{"answered 422", "is model.start.body what the server takes?", "prompt is required"}},
		{"no credential", answers(401, "application/json", `{"error":"who are you?"}`), []string{"answered 401", "credential", "who are you?"}},
	} {
		for pack, start := range starts {
			t.Run(c.name+" "+pack, func(t *testing.T) {
				address := freeAddressOf(t)
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodPost {
						c.answer(w, "http://"+address+"/v1")
						return
					}
					answers(200, "text/plain; charset=utf-8", "Hello there")(w, "")
				}))
				defer server.Close()
				config := cmdtest.Write(t, "c.yaml", fmt.Sprintf("target: {url: '%s'}\npacks: [%s]\ntiming: {deadline: 300ms}\nmodel:\n  listen: %s\n  key: very-secret-key\n  env: MODEL_URL\n  start: %s\n",
					server.URL, pack, address, start))
				r := streamcert(t, "", "certify", "--config", config)
				for n := 0; n < 9 && strings.Contains(r.Errs, "address already in use"); n++ { // a connection of another test has the port
					r = streamcert(t, "", "certify", "--config", config)
				}
				line := ""
				for text := range strings.SplitSeq(r.Errs, "\n") {
					if strings.HasPrefix(text, "streamcert: preflight: ") {
						line = text
					}
				}
				if pack == "helix" || pack == "helix-ui" {
					t.Log(line)
				}
				for _, word := range c.says {
					if r.Code != failed || !strings.Contains(line, word) || strings.Contains(r.Errs, "very-secret") {
						t.Errorf("exit code %d, expected %q in %q\n%s", r.Code, word, line, r.Errs)
					}
				}
			})
		}
	}
}

func freeAddressOf(t *testing.T) string {
	t.Helper()
	free, err := launch.FreeAddresses(1)
	if err != nil {
		t.Fatal(err)
	}
	return free[0]
}
