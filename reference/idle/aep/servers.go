package aep

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/idle"
	"github.com/streamcert/streamcert/reference/text"
)

// silent returns servers that give the same answer to every request.
func silent() []Server {
	return []Server{{
		Name:    "ignores-scripts",
		Summary: "The agent repeats what the user said, as one that was put together in an afternoon does.",
		Never:   slices.Concat(toolSubjects(), actionSubjects(), errorSubjects(), cancelSubjects(), thinkingSubjects()),
		Apply: plays(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
			for _, piece := range text.Words("You said " + strings.Join(t.Messages, " ")) {
				if err := say(agent.Delta{Kind: agent.Text, Piece: piece}); err != nil {
					return err
				}
			}
			return nil
		}),
	}, {
		Name:    "says-nothing",
		Summary: "The agent has nothing to say: every response is metadata and an empty done.",
		Never: slices.Concat(toolSubjects(), actionSubjects(), errorSubjects(), cancelSubjects(), thinkingSubjects(), blockSubjects(),
			deltaSubjects(), []string{"aep.security.forged-text"}),
		Apply: plays(func(context.Context, agent.Turn, func(agent.Delta) error) error { return nil }),
	}, {
		Name:    "fails-at-once",
		Summary: "The model behind the agent is down: every response is metadata and an error.",
		Never: slices.Concat(toolSubjects(), actionSubjects(), cancelSubjects(), thinkingSubjects(), blockSubjects(), deltaSubjects(),
			[]string{"aep.done.*", "aep.flow.done", "aep.events.message-id", "aep.security.forged-text"}),
		Apply: plays(func(context.Context, agent.Turn, func(agent.Delta) error) error {
			return &agent.Failure{Code: "agent_error", Message: "the model is down"}
		}),
	}, {
		Name:    "refuses-every-request",
		Summary: "No agent is deployed: every request is answered with 501.",
		Never: []string{
			"aep.events.*", "aep.request.*", "aep.threads.*", "aep.flow.*", "aep.stages.*", "aep.content.*", "aep.tools.*",
			"aep.done.*", "aep.errors.*", "aep.cancel.*", "aep.actions.*", "aep.http.*", "aep.wire.*", "aep.security.forged-*",
			"aep.security.isolation",
		},
		Wrap: idle.Refuses(http.StatusNotImplemented, alter.Any),
	}}
}

// unskilled returns servers that reject scripts with certain kinds of step.
func unskilled() []Server {
	return []Server{{
		Name:    "only-text",
		Summary: "The agent speaks, and does nothing else: no thought, no tool, no action, no failure.",
		Never:   slices.Concat(toolSubjects(), actionSubjects(), errorSubjects(), cancelSubjects(), thinkingSubjects()),
		Apply:   knows("text", "echo"),
	}, {
		Name:    "passes-over-all-but-text",
		Summary: "The agent says the texts of a script, and passes over everything else in it.",
		Never:   slices.Concat(toolSubjects(), actionSubjects(), errorSubjects(), thinkingSubjects()),
		Apply: onScripts(func(s *agent.Script) error {
			s.Instructions = slices.DeleteFunc(s.Instructions, func(a agent.Instruction) bool { return a.Name != "text" && a.Name != "echo" && a.Name != "await" })
			return nil
		}),
	}, {
		Name:    "never-a-tool",
		Summary: "The agent has no tools.",
		Never:   toolSubjects(),
		Apply:   knows("text", "thinking", "echo", "await", "continue", "fail", "hang"),
	}, {
		Name:    "never-asks",
		Summary: "The agent asks the client for nothing.",
		Never:   actionSubjects(),
		Apply:   knows("text", "thinking", "echo", "await", "tool", "fail", "hang"),
	}}
}

// sparse returns servers that leave out all optional output.
func sparse() []Server {
	return []Server{{
		Name:    "no-optional-members",
		Summary: "Events have the members that they must have, and no others.",
		Never: []string{
			"aep.content.final-text", "aep.tools.final-arguments", "aep.tools.named", "aep.tools.result-call-id",
			"aep.tools.result-after-call", "aep.done.same-thread", "aep.events.same-message",
		},
		Apply: seams.OnBytes(func(aep.Request) func([]byte, aep.Event) []byte {
			return func(whole []byte, e aep.Event) []byte {
				return alter.OnData(whole, func(text []byte) []byte { return bare(text, e) })
			}
		}),
	}, {
		Name:    "no-deltas",
		Summary: "Blocks come whole, on their stop, because the model behind the agent doesn't stream.",
		Never:   deltaSubjects(),
		Apply: seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
			return func(e aep.Event) []aep.Event {
				if e.Stage == aep.Delta {
					return nil
				}
				return []aep.Event{e}
			}
		}),
	}}
}

// plays installs an agent that does the same for every script.
func plays(run agent.Func) seams.Apply {
	return func(o aep.Options) aep.Options {
		o.Agent = run
		inner := o.Decode
		o.Decode = func(body []byte) (aep.RequestBody, error) {
			ask, err := inner(body)
			ask.Script = nil
			return ask, err
		}
		return o
	}
}

// onScripts changes the script of a request, or refuses it.
func onScripts(change func(*agent.Script) error) seams.Apply {
	return func(o aep.Options) aep.Options {
		inner := o.Decode
		o.Decode = func(body []byte) (aep.RequestBody, error) {
			ask, err := inner(body)
			if err == nil && ask.Script != nil {
				err = change(ask.Script)
			}
			return ask, err
		}
		return o
	}
}

// knows rejects scripts with a step that isn't listed, and requests that are to fail before their stream.
func knows(acts ...string) seams.Apply {
	return onScripts(func(s *agent.Script) error {
		unknown := func(a agent.Instruction) bool { return !slices.Contains(acts, a.Name) }
		if s.Refuse != "" || slices.ContainsFunc(s.Instructions, unknown) {
			return &aep.Error{Status: http.StatusNotImplemented, Code: "not_implemented", Message: "the agent doesn't know an act of the script"}
		}
		return nil
	})
}

// bare leaves an event the members that it must have.
func bare(text []byte, e aep.Event) []byte {
	var members alter.Object
	if json.Unmarshal(text, &members) != nil {
		return text
	}
	for _, name := range []string{"messageId", "toolCallId", "toolName", "usage", "reason"} {
		delete(members, name)
	}
	if e.Stage == aep.Stop || e.Kind == aep.Done {
		for _, name := range []string{"text", "args", "status", "summary", "threadId"} {
			delete(members, name)
		}
	}
	return alter.Encode(members)
}
