package helixui

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// security lists the mutants of security.
func security() []Mutant {
	return []Mutant{
		// These leak content between chats, users and errors.
		{Name: "texts-of-another-chat", Requirement: "helix-ui.security.isolation", Stateful: true,
			Summary: "A member for debugging repeats what other chats begin with.",
			Apply:   alter.WithState(otherTexts)},
		{Name: "chats-of-everybody", Requirement: "helix-ui.security.owner",
			Summary: "A valid credential reads every chat.",
			Apply: func(o helixui.Options) helixui.Options {
				o.Shared = true
				return o
			}},
		{Name: "echoes-headers-in-error", Requirement: "helix-ui.security.no-secret-echo",
			Summary: "An error shows the headers of the request that it doesn't understand.",
			Wrap:    alter.EchoesHeaders()},

		// These break the ids of parts and answers.
		{Name: "ids-of-a-clock", Requirement: "helix-ui.resume.ids",
			Summary: "Ids are times of a slow clock: parts in quick succession share one.",
			Also:    []string{"helix-ui.resume.after", "helix-ui.resume.goes-on"},
			Apply: on.Frames(on.Done().Not()).Fields(func(b *alter.Block, e helixui.Event) {
				b.ID = strconv.Itoa(max(e.ID-e.ID%4, 1))
			})},
		{Name: "events-without-ids", Requirement: "helix-ui.resume.ids",
			Summary: "Custom events bypass the counter of ids.",
			Apply: on.Frames(alter.Each[helixui.Turn](func(e helixui.Event) bool {
				return !e.IsDone() && strings.HasPrefix(e.Part.Type(), "data-")
			})).Fields(func(b *alter.Block, _ helixui.Event) { b.ID = "" })},
		{Name: "history-with-numbers", Requirement: "helix-ui.history.ids",
			Summary: "The history has ids of rows, which no stream had.",
			Apply: onHistory(func(all []helixui.Message) []helixui.Message {
				all = slices.Clone(all)
				for i := range all {
					if all[i].Role == "assistant" {
						all[i].ID = strconv.Itoa(i)
					}
				}
				return all
			})},
	}
}

// otherTexts adds the beginnings of the texts of all other chats to the start of a text.
func otherTexts(said *struct {
	sync.Mutex
	texts map[string]string // by chat
}) on.Apply {
	const enough = 100 // bytes of a chat
	return on.Parts(on.Type("text-start", "text-delta")).EditIn(func(t helixui.Turn, p *helixui.Part) {
		said.Lock()
		defer said.Unlock()
		if said.texts == nil {
			said.texts = map[string]string{}
		}
		if p.Type() == "text-delta" {
			if len(said.texts[t.Chat]) < enough {
				said.texts[t.Chat] += p.Text("delta")
			}
			return
		}
		var before []string
		for chat, text := range said.texts {
			if chat != t.Chat {
				before = append(before, text)
			}
		}
		if len(before) > 0 {
			(*p)["providerMetadata"] = map[string]any{"debug": map[string]any{"before": strings.Join(before, "\n")}}
		}
	})
}
