package helixui

import (
	"maps"
	"slices"
	"strings"
	"sync"

	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// configured lists mutants that use the configuration, or the id of a message, of another chat.
func configured() []Mutant {
	return []Mutant{
		{Name: "metadata-of-another-chat", Requirement: "helix-ui.metadata.computed", Stateful: true,
			Summary: "Metadata that is a function of the agent's id is computed once for all chats.",
			Apply: func(o helixui.Options) helixui.Options {
				var computed sync.Map
				return on.Parts(on.Type("finish")).Edit(func(p *helixui.Part) {
					metadata, _ := (*p)["messageMetadata"].(map[string]any)
					if metadata["agent"] == nil {
						return
					}
					rest := maps.Clone(metadata)
					delete(rest, "agent")
					(*p)["messageMetadata"], _ = computed.LoadOrStore(string(written(rest)), metadata)
				})(o)
			}},
		{Name: "messages-of-an-id-are-sent-again", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The name of a chat ends at a dot, and a message whose id is known takes the place of that and of what followed.",
			Wrap:    underName(func(chat string) string { name, _, _ := strings.Cut(chat, "."); return name }),
			Apply: onHistory(func(all []helixui.Message) []helixui.Message {
				var out []helixui.Message
				for _, m := range all {
					if i := slices.IndexFunc(out, func(o helixui.Message) bool { return o.Role == "user" && o.ID == m.ID }); i >= 0 {
						out = out[:i]
					}
					out = append(out, m)
				}
				return out
			})},
	}
}
