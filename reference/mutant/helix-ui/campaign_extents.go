package helixui

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// extents err where a chat, a text or an absence is long.
func extents() []Mutant {
	return []Mutant{
		{Name: "history-of-twenty", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The history is the window of twenty messages that the model gets.",
			Apply: onHistory(func(all []helixui.Message) []helixui.Message {
				return all[max(0, len(all)-20):]
			})},
		{Name: "blocks-of-8-kib", Requirement: "helix-ui.text.whole",
			Summary: "A delta is decoded in blocks of 8 KiB, each by itself.",
			Apply: on.Parts(on.Type("text-delta")).Edit(func(p *helixui.Part) {
				text, out := p.Text("delta"), ""
				for len(text) > 0 {
					n := min(len(text), 8<<10)
					out += strings.ToValidUTF8(text[:n], string(utf8.RuneError))
					text = text[n:]
				}
				(*p)["delta"] = out
			})},
		{Name: "history-of-fifty", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The history is a page of fifty messages.",
			Apply: onHistory(func(all []helixui.Message) []helixui.Message {
				return all[:min(50, len(all))]
			})},
		{Name: "user-texts-of-32-kib", Requirement: "helix-ui.history.whole",
			Summary: "What the user says is kept up to 32 KiB.",
			Apply:   onUserTexts(func(_ int, text string) string { return truncated(text, 32<<10) })},
		{Name: "first-part-of-the-user", Requirement: "helix-ui.history.whole",
			Summary: "Of what the user says the first part is kept.",
			Apply: onUserTexts(func(n int, text string) string {
				if n > 0 {
					return ""
				}
				return text
			})},
		{Name: "empty-metadata-is-none", Requirement: "helix-ui.metadata.start",
			Summary: "Metadata without members isn't sent.",
			Apply: on.Parts(on.Type("start", "finish")).Edit(func(p *helixui.Part) {
				if m, is := (*p)["messageMetadata"].(map[string]any); is && len(m) == 0 {
					delete(*p, "messageMetadata")
				}
			})},
		{Name: "metadata-of-32-kib", Requirement: "helix-ui.metadata.finish",
			Summary: "Metadata of more than 32 KiB is left out of a finish.",
			Apply: on.Parts(on.Type("finish")).Edit(func(p *helixui.Part) {
				if len(written((*p)["messageMetadata"])) > 32<<10 {
					delete(*p, "messageMetadata")
				}
			})},
		unreadTurns(),
	}
}

// onUserTexts changes the texts of the user's messages, each by its index in its message.
func onUserTexts(change func(n int, text string) string) on.Apply {
	return onHistory(func(all []helixui.Message) []helixui.Message {
		for i, m := range all {
			if m.Role != "user" {
				continue
			}
			all[i].Parts = slices.Clone(m.Parts)
			for n, p := range m.Parts {
				if p.Type() == "text" {
					all[i].Parts[n] = maps.Clone(p)
					all[i].Parts[n]["text"] = change(n, p.Text("text"))
				}
			}
		}
		return all
	})
}

// unreadTurns loses the output of a turn while it has no reader.
func unreadTurns() Mutant {
	var readers, unread alter.PerKey[int]
	return Mutant{Name: "unread-turns-have-128-parts", Requirement: "helix-ui.resume.goes-on", Stateful: true,
		Also:    []string{"helix-ui.text.whole"},
		Summary: "While nobody reads a turn, the queue of its parts has room for 128.",
		Apply: on.Parts(on.Type("text-delta", "reasoning-delta")).To(func(t helixui.Turn, p helixui.Part) []helixui.Part {
			if readers.Get(t.Chat) > 0 {
				unread.Set(t.Chat, 0)
			} else if alter.Count(&unread, t.Chat) > 128 {
				return nil
			}
			return []helixui.Part{p}
		}),
		Wrap: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				chat, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/chat/"), "/")
				if rest == "" || rest == "stream" {
					readers.With(chat, func(n *int) { *n++ })
					defer readers.With(chat, func(n *int) { *n-- })
				}
				next.ServeHTTP(w, r)
			})
		}}
}
