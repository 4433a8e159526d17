package provider

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/runner/httpserver"
)

// ServeHTTP implements http.Handler.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.count(false)
	path := strings.TrimPrefix(r.URL.Path, "/v1")
	method := http.MethodPost
	if path == "/models" || strings.HasPrefix(path, "/models/") {
		method = http.MethodGet
	}
	var local error
	if p.options.Key == "" { // else a page would need the key
		local = httpserver.Local(r, nil)
	}
	switch {
	case local != nil:
		p.note("a request to " + r.URL.Path + " was answered 403, since a web page could have made it: " + local.Error() + "; or set model.key")
		f := invalid("", "", local.Error())
		f.Status = http.StatusForbidden
		f.answer(w)
	case r.Header.Get("Authorization") == "" && !p.admits(r):
		p.note("a request to " + r.URL.Path + " had no key: it was answered 401; does the server send a key as a bearer token, and take it from model.keyEnv?")
		WrongKey.answer(w)
	case !p.admits(r):
		p.note("a request to " + r.URL.Path + " had a wrong key: it was answered 401; does the server take its key from model.keyEnv?")
		WrongKey.answer(w)
	case r.Method != method:
		p.note(r.Method + " " + r.URL.Path + " was answered 405")
		w.Header().Set("Allow", method)
		Fault{Status: http.StatusMethodNotAllowed, Message: "Not allowed to " + r.Method + " on " + r.URL.Path, Type: "invalid_request_error", RetryAfter: -1}.answer(w)
	case path == "/chat/completions":
		p.complete(w, r)
	case path == "/tools":
		p.tool(w, r)
	case path == "/models":
		document(w, http.StatusOK, encode(map[string]any{"object": "list", "data": []any{aModel(modelName)}}))
	case strings.HasPrefix(path, "/models/"):
		document(w, http.StatusOK, encode(aModel(strings.TrimPrefix(path, "/models/"))))
	default:
		p.note(r.Method + " " + r.URL.Path + " was answered 404: " + served(path))
		Fault{Status: http.StatusNotFound, Message: "Invalid URL (" + r.Method + " " + r.URL.Path + ")", Type: "invalid_request_error", RetryAfter: -1}.answer(w)
	}
}

// complete answers a request for a completion.
func (p *Provider) complete(w http.ResponseWriter, r *http.Request) {
	var q request
	fault := p.read(r, &q)
	if fault != nil {
		p.note(fmt.Sprintf("a request for a completion could not be read, and was answered %d: %s", fault.Status, fault.Message))
		fault.answer(w)
		return
	}
	a, fault := p.choose(q)
	if fault != nil {
		p.note("a request for a completion was answered 400: " + fault.Message)
		fault.answer(w)
		return
	}
	step := p.fit(a, a.script.Steps[a.step])
	switch {
	case step.Fault != nil:
		step.Fault.answer(w)
	case q.Stream:
		p.stream(w, r, a, step)
	default:
		p.writeDocument(w, r, a, step)
	}
}

// tool answers with the result of a call.
func (p *Provider) tool(w http.ResponseWriter, r *http.Request) {
	var call struct{ ID string }
	if f := p.read(r, &call); f != nil {
		p.note("a tool asked with a body that is no JSON, and was refused")
		f.answer(w)
		return
	}
	name, n, ok := calledBy(call.ID)
	s, forgotten := p.find(name)
	if !ok || s == nil || n < 0 || n >= len(s.Tools) {
		if !forgotten { // else the scenario is over, and its server still at work
			p.note("a tool asked for a call that no script made, and was answered 404")
		}
		f := invalid("id", "unknown_call", "No script made the call "+call.ID+".")
		f.Status = http.StatusNotFound
		f.answer(w)
		return
	}
	document(w, http.StatusOK, encode(s.Tools[n]))
}

// served suggests the right path for a wrong one, and the setting of a client that yields it.
func served(path string) string {
	text := "the provider serves /v1/chat/completions and /v1/models"
	if path == "/responses" || strings.HasPrefix(path, "/responses/") {
		text += `; set the client to chat completions: openai.chat(…) in place of openai(…) of the AI SDK, ` +
			`set_default_openai_api("chat_completions") of the Agents SDK, use_responses_api=False of LangChain`
	}
	return text
}

// admits reports whether a request brings the key.
func (p *Provider) admits(r *http.Request) bool {
	return p.options.Key == "" || r.Header.Get("Authorization") == "Bearer "+p.options.Key
}

// aModel returns a model as the list of models has it.
func aModel(id string) map[string]any {
	return map[string]any{"id": id, "object": "model", "created": created, "owned_by": "streamcert"}
}
