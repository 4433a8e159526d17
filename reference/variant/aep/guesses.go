package aep

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// guesses make other choices where the source leaves one to implementers.
func guesses() []Variant {
	return []Variant{
		{Name: "body-before-credential", Freedom: "which of several reasons a refusal names",
			Summary: "A body that is no request is refused before anybody asks who sent it.", Apply: readsFirst},
		{Name: "unknown-agents-refused", Freedom: "an agent that doesn't exist",
			Summary: "An agent that the server doesn't have is refused with 404.", Wrap: alter.Answering(func(r *http.Request) bool { return !knownAgent(r.URL.Path) }, http.StatusNotFound,
				"text/plain; charset=utf-8", "there is no such agent\n")},
		{Name: "speaks-after-asking", Freedom: "content after a continuation in one response",
			Summary: "A text that says nothing follows what the client is asked to do.",
			Apply: on.Deltas(on.Does(agent.Action)).
				Follow(func(struct{}, agent.Delta) []agent.Delta { return []agent.Delta{{Kind: agent.Text}} })},
		{Name: "cancelling-never-fails", Freedom: "cancelling a request that is over, or never was",
			Summary: "A cancellation is accepted, whatever it names.",
			Wrap:    alter.AnswersTo(isCancellation).When(alter.Status(http.StatusNotFound)).Replace(http.StatusAccepted, "application/json", "{}")},
		{Name: "tool-errors-shown", Freedom: "whether the error of a tool may be shown",
			Summary: "The summary of a call that failed says why.",
			Apply: on.Deltas(on.FailedCalls()).
				Edit(func(d *agent.Delta) { d.Summary = d.Tool + " failed: the address can't be reached" })},
	}
}

// knownAgent reports whether a path names a known agent, or no agent.
func knownAgent(path string) bool {
	agent, asked := strings.CutPrefix(path, "/v1/agents/")
	name, _, _ := strings.Cut(agent, "/")
	return !asked || slices.Contains([]string{"conformance", "impatient", "planner"}, name)
}

// readsFirst decodes the body of a request before it authenticates.
func readsFirst(o aep.Options) aep.Options {
	authenticate, decode := o.Authenticate, o.Decode
	o.Authenticate = func(r *http.Request) (string, error) {
		if strings.HasSuffix(r.URL.Path, "/stream") {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return "", err
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			if _, err := decode(body); err != nil {
				return "", err
			}
		}
		return authenticate(r)
	}
	return o
}
