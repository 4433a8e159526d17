package campaignonly

import (
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// sayings lists mutants that change texts, some of them only in the store.
func sayings() []edit.Mutant {
	return []edit.Mutant{
		{Name: "texts-of-json-are-read", Requirement: "aep.request.text-blocks", Also: []string{"aep.threads.history"},
			Summary: "A block of the user that is a JSON text loses its quotes and zeros.",
			Apply: on.UserTexts(func(text string) string {
				var v any
				if json.Unmarshal([]byte(text), &v) != nil {
					return text
				}
				switch v := v.(type) {
				case float64:
					raw, _ := json.Marshal(v)
					return string(raw)
				case nil:
					return ""
				}
				return text
			})},
		{Name: "texts-of-zero-are-empty", Requirement: "aep.request.text-blocks",
			Summary: "A block of the user that is 0 or false is taken for none.",
			Apply: on.UserTexts(func(text string) string {
				if text == "0" || text == "false" {
					return ""
				}
				return text
			})},
		{Name: "no-break-spaces-in-answers", Requirement: "aep.content.text",
			Summary: "A no-break space in an answer becomes a space.", Apply: swaps(agent.Text, "\u00a0", " ")},
		{Name: "entities-in-answers", Requirement: "aep.content.text",
			Summary: "Entities in an answer are replaced by what they stand for.", Apply: swaps(agent.Text, "&lt;", "<")},
		{Name: "vertical-tabs-in-answers", Requirement: "aep.content.text",
			Summary: "Vertical tabs and form feeds are taken out of an answer.", Apply: swaps(agent.Text, "\u000b", "")},
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
		{Name: "last-character-in-whole-texts", Requirement: "aep.content.final-text",
			Summary: "The last character of Unicode becomes a question mark in the whole text of a block.",
			Apply: on.Events().EditSequence(func(aep.Request) func(*aep.Event) {
				return func(e *aep.Event) {
					if e.Stage == aep.Stop {
						e.Block.Text = strings.ReplaceAll(e.Block.Text, "\U0010FFFF", "?")
					}
				}
			})},
	}
}

// keeping lists mutants that change messages in the store.
func keeping() []edit.Mutant {
	return []edit.Mutant{
		{Name: "kept-with-entities", Requirement: "aep.threads.history",
			Summary: "Angle brackets are escaped where what was said is kept.",
			Apply:   stored(func(one agent.Message) string { return strings.ReplaceAll(one.Text, "<script>", "&lt;script&gt;") })},
		{Name: "kept-up-to-an-emoji", Requirement: "aep.threads.history",
			Summary: "What was said is kept up to its first character beyond the Basic Multilingual Plane, as in an old database.",
			Apply: stored(func(one agent.Message) string {
				if at := strings.IndexFunc(one.Text, func(r rune) bool { return r > 0xffff }); at >= 0 && one.Who == agent.ByAgent {
					return one.Text[:at]
				}
				return one.Text
			})},
		{Name: "kept-texts-of-2-kib", Requirement: "aep.threads.history",
			Summary: "Of an answer 2,000 bytes are kept.",
			Apply:   stored(func(one agent.Message) string { return strings.ToValidUTF8(one.Text[:min(len(one.Text), 2000)], "") })},
		{Name: "kept-lines-are-trimmed", Requirement: "aep.threads.history",
			Summary: "White space at the end of an answer isn't kept.",
			Apply: stored(func(one agent.Message) string {
				if one.Who == agent.ByAgent {
					return strings.TrimRight(one.Text, " \t\r\n")
				}
				return one.Text
			})},
		{Name: "history-of-20-kib", Requirement: "aep.threads.history",
			Summary: "The agent is handed what fits into 20,000 bytes of a thread, the latest.",
			Apply: on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				t.OnSay = func(id string, more []agent.Message) []agent.Message {
					emitted, size := inner.Say(id, more), 0
					for i := len(emitted) - 1; i >= 0; i-- {
						if size += len(emitted[i].Text); size > 20_000 {
							return emitted[i+1:]
						}
					}
					return emitted
				}
			})},
	}
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
