package campaignonly

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

var (
	reasoned  = regexp.MustCompile(`(?s)<think(ing)?>.*?</think(ing)?>`)
	cards     = regexp.MustCompile(`(\d{4} ){3}\d{4}`)
	templates = regexp.MustCompile(`\{\{.*?\}\}`)
	keys      = regexp.MustCompile(`\bsk-[0-9a-f]{20,}`)
	shortcode = regexp.MustCompile(`:smile:`)
)

// wording lists mutants that interpret the syntax of a text and change it.
func wording() []edit.Mutant {
	return []edit.Mutant{
		{Name: "tagged-reasoning-is-cut-out", Requirement: "aep.content.text",
			Summary: "What stands between tags of reasoning in a text isn't sent.",
			Apply:   onEmitted(func(text string) string { return reasoned.ReplaceAllString(text, "") })},
		{Name: "card-numbers-are-masked", Requirement: "aep.content.text",
			Summary: "Numbers that look like those of cards are masked in what the agent says.",
			Apply:   onEmitted(func(text string) string { return cards.ReplaceAllString(text, "****") })},
		{Name: "stop-words-end-a-text", Requirement: "aep.content.text",
			Summary: "What the agent says ends where a user would speak in a transcript.",
			Apply: onEmitted(func(text string) string {
				text, _, _ = strings.Cut(text, "\n\nHuman:")
				return text
			})},
		{Name: "blocks-that-are-zero", Requirement: "aep.request.text-blocks",
			Summary: "A block of the user that is 0 is taken for an empty one.",
			Apply: on.UserTexts(func(text string) string {
				if text == "0" {
					return ""
				}
				return text
			})},
		{Name: "shortcodes-become-emoji", Requirement: "aep.request.text-blocks",
			Summary: "The agent reads emoji where the user has written their names.",
			Apply:   on.UserTexts(func(text string) string { return shortcode.ReplaceAllString(text, "😄") })},
		{Name: "stored-answers-are-typeset", Requirement: "aep.threads.history",
			Summary: "An answer is stored with dashes and ellipses where it had hyphens and dots.",
			Apply: on.Storing(func(_ string, emitted []agent.Message) []agent.Message {
				for i, one := range emitted {
					if edit.IsAnswer(one) {
						emitted[i].Text = strings.NewReplacer("--", "—", "...", "…").Replace(one.Text)
					}
				}
				return emitted
			})},
		{Name: "templates-in-the-context-are-filled", Requirement: "aep.request.context",
			Summary: "Texts in the context are templates, and what they name isn't there.",
			Apply: on.Turns(func(t *agent.Turn) {
				if t.Context != nil {
					t.Context = everyValue(t.Context, onTexts(func(text string) string { return templates.ReplaceAllString(text, "") }))
				}
			})},
		{Name: "keys-in-arguments-are-redacted", Requirement: "aep.tools.arguments",
			Summary: "What looks like a key is redacted in arguments, as in a log.",
			Apply: onCallArguments(func(arguments json.RawMessage) json.RawMessage {
				return everyValue(arguments, onTexts(func(text string) string { return keys.ReplaceAllString(text, "[redacted]") }))
			})},
	}
}

// onEmitted changes complete texts of the agent, before they are divided into pieces.
func onEmitted(change func(text string) string) on.Apply {
	return on.Asks(func(ask *aep.RequestBody) {
		if ask.Script == nil {
			return
		}
		for i, act := range ask.Script.Instructions {
			if act.Name == "text" {
				ask.Script.Instructions[i].Text = change(act.Text)
			}
		}
	})
}

// onTexts changes texts among values.
func onTexts(change func(text string) string) func(any) any {
	return func(v any) any {
		if text, ok := v.(string); ok {
			return change(text)
		}
		return v
	}
}
