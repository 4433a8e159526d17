package campaignonly

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// onMember changes the members of the context, those of its first level only; nil drops one.
func onMember(change func(name string, value json.RawMessage) (string, json.RawMessage)) on.Apply {
	return on.Asks(func(ask *aep.RequestBody) {
		members := alter.Members(ask.Context)
		if members == nil {
			return
		}
		out := alter.Object{}
		for name, value := range members {
			if name, value = change(name, value); value != nil {
				out[name] = value
			}
		}
		ask.Context = alter.Encode(out)
	})
}

// isFalse reports whether a script language converts a value to false.
func isFalse(value json.RawMessage) bool {
	switch string(bytes.TrimSpace(value)) {
	case "false", "0", `""`, "null":
		return true
	}
	return false
}

// onOutcome changes the complete outcome of a result; nil removes the member.
func onOutcome(change func(json.RawMessage) json.RawMessage) on.Apply {
	return on.Turns(func(t *agent.Turn) {
		for i, raw := range t.Results {
			members := alter.Members(raw)
			for _, name := range []string{"result", "error"} {
				if members[name] != nil {
					if members[name] = change(members[name]); members[name] == nil {
						delete(members, name)
					}
				}
			}
			t.Results[i] = alter.Encode(members)
		}
	})
}

// parsed returns the JSON value in a text, and the text itself if it isn't JSON.
func parsed(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return raw
}

// bare lists mutants that change a payload or result which isn't an object.
func bare() []edit.Mutant {
	return []edit.Mutant{
		{Name: "false-results-are-none", Requirement: "aep.actions.result",
			Summary: "A result that is false, zero or empty is taken for none.",
			Apply: onOutcome(func(raw json.RawMessage) json.RawMessage {
				if isFalse(raw) && string(raw) != "null" {
					return nil
				}
				return raw
			})},
		{Name: "results-that-are-texts-are-read", Requirement: "aep.actions.result",
			Summary: "A result that is a text of JSON becomes what it says.", Apply: onOutcome(parsed)},
		{Name: "false-payloads-are-none", Requirement: "aep.actions.unchanged",
			Summary: "A payload that is false, zero or empty is null.",
			Apply: onPayload(func(raw json.RawMessage) json.RawMessage {
				if isFalse(raw) {
					return json.RawMessage("null")
				}
				return raw
			})},
		{Name: "payloads-that-are-texts-are-read", Requirement: "aep.actions.unchanged",
			Summary: "A payload that is a text of JSON becomes what it says.", Apply: onPayload(parsed)},
		{Name: "status-of-a-result-is-lost", Requirement: "aep.actions.result",
			Summary: "What a result says of how it went doesn't reach the agent.",
			Apply: on.Turns(func(t *agent.Turn) {
				for i, raw := range t.Results {
					members := alter.Members(raw)
					delete(members, "status")
					t.Results[i] = alter.Encode(members)
				}
			})},
	}
}

// called are mutants that change some names.
func called() []edit.Mutant {
	return []edit.Mutant{
		{Name: "context-in-lower-case", Requirement: "aep.request.context",
			Summary: "The names of the context's members are kept in lower case, as those of headers are.",
			Apply: onMember(func(name string, value json.RawMessage) (string, json.RawMessage) {
				return strings.ToLower(name), value
			})},
		{Name: "context-with-names-of-its-own", Requirement: "aep.request.context",
			Summary: "The context's members that are called as one of the request's own are taken for that one.",
			Apply: onMember(func(name string, value json.RawMessage) (string, json.RawMessage) {
				switch name {
				case "messages", "threadId", "user", "agent", "script", "history":
					return name, nil
				}
				return name, value
			})},
		{Name: "context-without-prototypes", Requirement: "aep.request.context",
			Summary: "Members of the context that every object has are left out.",
			Apply: onMember(func(name string, value json.RawMessage) (string, json.RawMessage) {
				switch name {
				case "__proto__", "constructor", "toString":
					return name, nil
				}
				return name, value
			})},
		{Name: "twenty-members-of-context", Requirement: "aep.request.context",
			Summary: "Of the context twenty members are handed on.",
			Apply: on.Asks(func(ask *aep.RequestBody) {
				members, n := alter.Members(ask.Context), 0
				for name := range members {
					if n++; n > 20 {
						delete(members, name)
					}
				}
				if n > 20 {
					ask.Context = alter.Encode(members)
				}
			})},
	}
}

// calls lists mutants that change some names of tools and of requested actions.
func calls() []edit.Mutant {
	return []edit.Mutant{
		{Name: "tools-are-identifiers", Requirement: "aep.tools.call",
			Summary: "What can't stand in an identifier becomes an underscore in the name of a tool.",
			Apply: onTool(func(name string) string {
				return strings.Map(func(r rune) rune {
					if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
						return r
					}
					return '_'
				}, name)
			})},
		{Name: "tools-of-64-characters", Requirement: "aep.tools.call",
			Summary: "The name of a tool has 64 bytes at most.",
			Apply:   onTool(func(name string) string { return strings.ToValidUTF8(name[:min(len(name), 64)], "") })},
		{Name: "kinds-in-lower-case", Requirement: "aep.actions.unchanged",
			Summary: "The kind of an action is sent in lower case.",
			Apply:   on.Events().Edit(func(e *aep.Event) { e.ActionKind = strings.ToLower(e.ActionKind) })},
		{Name: "summary-in-done-is-a-line", Requirement: "aep.done.outcome",
			Summary: "The content of done has the first line of a summary.",
			Apply: on.Content(func(blocks []aep.Block) []aep.Block {
				for i := range blocks {
					blocks[i].Summary, _, _ = strings.Cut(blocks[i].Summary, "\n")
				}
				return blocks
			})},
		{Name: "tool-in-done-without-accents", Requirement: "aep.done.call",
			Summary: "The content of done names tools in ASCII.",
			Apply: on.Content(func(blocks []aep.Block) []aep.Block {
				for i := range blocks {
					blocks[i].ToolName = strings.Map(func(r rune) rune {
						if r > 126 {
							return '?'
						}
						return r
					}, blocks[i].ToolName)
				}
				return blocks
			})},
	}
}

func onTool(change func(string) string) on.Apply {
	return on.OnDeltas(func() func(agent.Delta) []agent.Delta {
		return func(d agent.Delta) []agent.Delta {
			if d.Kind == agent.Call {
				d.Tool = change(d.Tool)
			}
			return []agent.Delta{d}
		}
	})
}
