package helixui

import (
	"net/http"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// text returns the parts of a complete text.
func text(id, says string) []helixui.Part {
	return []helixui.Part{{"type": "text-start", "id": id}, {"type": "text-delta", "id": id, "delta": says}, {"type": "text-end", "id": id}}
}

// flow get the beginning and the end of a stream wrong.
func flow() []Mutant {
	return []Mutant{
		{Name: "never-starts", Requirement: "helix-ui.flow.start",
			Summary: "The first part is the first step.",
			Also:    []string{"helix-ui.mapping.chunks"},
			Apply:   on.Parts(on.Type("start")).Drop()},
		{Name: "starts-with-each-step", Requirement: "helix-ui.flow.start-once", Stateful: true,
			Summary: "Each model call is merged with a start of its own.",
			Apply: on.Parts(on.Type("start-step").From(2)).To(func(_ helixui.Turn, p helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "start"}, p}
			})},
		{Name: "data-before-a-named-start", Requirement: "helix-ui.flow.start-names",
			Summary: "The writer says which thread it is before the model's stream brings the name of the message.",
			Apply: on.Parts(on.Type("start")).To(func(_ helixui.Turn, p helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "data-thread", "data": map[string]any{"number": 21}}, p}
			})},
		{Name: "cut-after-tools", Requirement: "helix-ui.flow.finish", Stateful: true,
			Summary: "Behind the second step the stream ends, as if the platform had cut it.",
			Apply:   on.Parts(on.Type("finish").After(on.Type("finish-step").Nth(2))).Drop()},
		{Name: "text-after-finish", Requirement: "helix-ui.flow.finish-last",
			Summary: "A closing word follows finish.",
			Apply: on.Parts(on.Type("finish")).Follow(func(helixui.Turn, helixui.Part) []helixui.Part {
				return text("closing", "")
			})},
		{Name: "never-done", Requirement: "helix-ui.flow.done",
			Summary: "The body ends behind finish.",
			Apply:   on.Frames(on.Done()).Drop()},
		{Name: "done-twice", Requirement: "helix-ui.flow.done-last",
			Summary: "The encoder says that the stream is over, and so does the route.",
			Apply:   on.Frames(on.Done()).Behind("data: [DONE]\n\n")},
		{Name: "leaves-body-open", Requirement: "helix-ui.flow.closes",
			Summary: "The body is left to the client to close.",
			Wrap:    alter.LeftOpen(func(r *http.Request) bool { return !alter.IsControl(r) })},
		{Name: "always-stops", Requirement: "helix-ui.flow.reason",
			Summary: "Finish says stop, whatever the model stopped for.",
			Apply:   on.Parts(on.Type("finish")).Edit(set("finishReason", "stop"))},
	}
}
