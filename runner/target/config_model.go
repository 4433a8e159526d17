package target

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target/config"
)

// Model configures the language model that the kit plays for the server. The zero value plays none.
type Model struct {
	// Player plays the model; nil before the runner has started it.
	Player *provider.Provider

	Listen string `key:"listen" kind:"name" names:"an address" required:"true" example:"127.0.0.1:0" doc:"where the kit serves an OpenAI-compatible provider; port 0 takes a free one, which only a server can know that launch starts"`
	Key    string `key:"key" kind:"secret" example:"${MODEL_KEY}" doc:"what the server has to send as its API key; a secret; none by default, and every key is right. An address that other machines reach needs one"`
	// Env and KeyEnv are variables of the environment that launch hands over.
	Env    string `key:"env" kind:"name" names:"a variable" example:"OPENAI_BASE_URL" doc:"the environment variable in which launch hands over the provider's address, which ends in /v1"`
	KeyEnv string `key:"keyEnv" kind:"name" names:"a variable" example:"OPENAI_API_KEY" doc:"the one in which it hands over the key"`
	// Tools reports that the server's tools request their results from the provider, at its address followed by /tools.
	Tools bool `key:"tools" kind:"switch" default:"false" doc:"whether the server's tools ask the kit what they return, by POST to the provider's address followed by /tools. What needs a tool is else unprovable by the model"`
	// Only reports that no control call is made, and no request brings a script.
	Only bool `key:"only" kind:"switch" default:"false" doc:"whether nothing is asked of the control binding: no control call is made, and what a model can't provoke is unprovable. By default the binding does what the model can't"`
	// Start is a template for the request that starts a run; the zero value means the pack's request.
	Start Start `key:"start" doc:"the request that starts a run, where it is not the one that the pack knows"`
}

// Start is a template of a request. Placeholders in the path and the body are replaced by the values of a run.
type Start struct {
	Method  string            `key:"method" kind:"name" names:"a method" example:"POST" doc:"its method, POST by default"`
	Path    string            `key:"path" kind:"route" example:"/api/chat" doc:"its path, below target.url; {stream} in it is the id of the stream, {thread} that of the thread, {version} that of the stream, where a pack has several"`
	Headers map[string]string `key:"headers" example:"X-Agent: helper" doc:"sent beside those of headers; secrets"`
	Body    string            `key:"body" kind:"template" holds:"{text}" example:"'{\"messages\": [{\"role\": \"user\", \"content\": \"{text}\"}]}'" doc:"its body, as JSON with the text of the user at {text}; the strings {stream} and {thread} in it are what they are in the path. A member with a {thread} that isn't known is left out"`
	Run     string            `key:"run" kind:"name" names:"a member" example:"runId" doc:"the member of a JSON answer that names the run; runId by default. Without it no run can be steered"`
}

// IsSet reports whether the config has a template.
func (s Start) IsSet() bool { return s.Body != "" }

// validate checks combinations of the section's keys.
func (m Model) validate(pathValues config.Positions) error {
	if pathValues.Has("model") && m.Listen == "" {
		return pathValues.Of("model").Errorf("model needs a listen: the address where the kit serves the model, such as 127.0.0.1:0")
	}
	if (m.Start.Body == "") != (m.Start.Path == "") {
		return pathValues.Of("model.start").Errorf("model.start.path and model.start.body go together; expected both or neither")
	}
	methods := []string{"", http.MethodPost, http.MethodPut, http.MethodPatch}
	if !slices.Contains(methods, m.Start.Method) {
		return pathValues.Of("model.start.method").Errorf("model.start.method must be POST, PUT or PATCH, got %q", m.Start.Method)
	}
	return nil
}

// Fill makes the path and the body of a request. pathValues are the values of placeholders by their names; one that is "" isn't
// known.
func (s Start) Fill(text string, pathValues map[string]string) (path string, body []byte, err error) {
	path = s.Path
	for name, value := range pathValues {
		path = strings.ReplaceAll(path, "{"+name+"}", EscapeSegment(value))
	}
	var v any
	d := json.NewDecoder(strings.NewReader(s.Body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return "", nil, fmt.Errorf("filling model.start.body: %w", err)
	}
	filled, _ := fill(v, text, pathValues)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(filled); err != nil {
		return "", nil, fmt.Errorf("filling model.start.body: %w", err)
	}
	return path, bytes.TrimSpace(out.Bytes()), nil
}

// HasPlaceholder reports whether the template contains a placeholder.
func (s Start) HasPlaceholder(name string) bool {
	return strings.Contains(s.Path, "{"+name+"}") || strings.Contains(s.Body, `"{`+name+`}"`)
}

// fill replaces placeholders in a JSON value by their values; keep is false for a member whose placeholder has no value.
func fill(v any, text string, pathValues map[string]string) (filled any, keep bool) {
	switch v := v.(type) {
	case string:
		if v == "{text}" {
			return text, true
		}
		name, isPlace := strings.CutPrefix(v, "{")
		if value, known := pathValues[strings.TrimSuffix(name, "}")]; isPlace && known {
			return value, value != ""
		}
	case []any:
		out := []any{}
		for _, item := range v {
			if item, keep := fill(item, text, pathValues); keep {
				out = append(out, item)
			}
		}
		return out, true
	case map[string]any:
		out := map[string]any{}
		for name, item := range v {
			if item, keep := fill(item, text, pathValues); keep {
				out[name] = item
			}
		}
		return out, true
	}
	return v, true
}

// Environment returns the environment variables with the model's address and key for a server that launch starts.
func (m Model) Environment(p *provider.Provider) []string {
	var out []string
	if m.Env != "" {
		out = append(out, m.Env+"="+p.URL())
	}
	if m.KeyEnv != "" {
		out = append(out, m.KeyEnv+"="+p.Key())
	}
	return out
}
