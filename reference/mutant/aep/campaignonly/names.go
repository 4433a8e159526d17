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

// rareNames lists the mutants that some names, and texts that are stored or formatted, show.
func rareNames() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that change a payload or result which isn't an object.
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

		// These are mutants that change some names.
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

		// These are mutants that treat texts as a formatter or a sanitizer does.
		{Name: "names-of-tools-are-folded", Requirement: "aep.tools.call",
			Summary: "Names of tools are sent in the form in which identifiers are compared.",
			Apply: on.Deltas(on.Does(agent.Call)).Edit(func(d *agent.Delta) {
				d.Tool = strings.NewReplacer("ﬁ", "fi", "²", "2", "\u00ad", "").Replace(d.Tool)
			})},

		// Mutants that change texts, some of them only in the store.
		{Name: "texts-behind-thoughts-are-trimmed", Requirement: "aep.content.text",
			Summary: "White space between a thought and the text behind it is taken for what separates the two.",
			Apply: on.Deltas().Map(func(struct{}) func(agent.Delta) []agent.Delta {
				thought := false
				return func(d agent.Delta) []agent.Delta {
					if d.Kind == agent.Text && thought {
						d.Piece = strings.TrimLeft(d.Piece, " \n")
					}
					thought = d.Kind == agent.Thinking || thought && d.Kind == agent.Text && d.Piece == ""
					return []agent.Delta{d}
				}
			})},

		// Mutants that change messages in the store.
		{Name: "kept-lines-are-trimmed", Requirement: "aep.threads.history",
			Summary: "White space at the end of an answer isn't kept.",
			Apply: stored(func(one agent.Message) string {
				if one.Who == agent.ByAgent {
					return strings.TrimRight(one.Text, " \t\r\n")
				}
				return one.Text
			})},
	}
}

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

// stored changes messages before they are stored in a thread.
func stored(change func(agent.Message) string) on.Apply {
	return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
		t.OnSay = func(id string, more []agent.Message) []agent.Message {
			changed := make([]agent.Message, len(more))
			for i, one := range more {
				changed[i] = one
				changed[i].Text = change(one)
			}
			return inner.Say(id, changed)
		}
	})
}
