package helixui

import (
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// wire get bytes and heads wrong.
func wire() []Mutant {
	return []Mutant{
		{Name: "plain-text", Requirement: "helix-ui.wire.content-type",
			Summary: "The content type is that of the older text streams.",
			Wrap:    on.Head("Content-Type", "text/plain; charset=utf-8")},
		{Name: "no-protocol-header", Requirement: "helix-ui.wire.header",
			Summary: "A gateway passes on only the headers that it knows.",
			Wrap:    on.Head("X-Vercel-Ai-Ui-Message-Stream", "")},
		{Name: "cacheable-stream", Requirement: "helix-ui.wire.cache-control",
			Summary: "A stream may be cached for a minute, as all answers of the service.",
			Wrap:    on.Head("Cache-Control", "private, max-age=60")},
		{Name: "latin1-body", Requirement: "helix-ui.wire.utf8",
			Summary: "Letters that Latin-1 has are written as one byte.",
			Apply:   on.Frames(on.Event("text-delta")).Replace("å", "\xe5")},
		{Name: "leading-bom", Requirement: "helix-ui.wire.no-bom",
			Summary: "The body begins with a byte order mark.",
			Apply:   on.Frames(on.Event("start")).Before("\ufeff")},
		{Name: "last-event-without-blank-line", Requirement: "helix-ui.wire.blank-line",
			Summary: "Events are joined by blank lines instead of followed by them.",
			Apply:   on.Frames(on.Done()).Unterminated()},
		{Name: "pretty-printed", Requirement: "helix-ui.wire.single-line",
			Summary: "Parts are printed for people, indented.",
			Apply:   on.Frames(on.Done().Not()).Indent()},
		{Name: "named-events", Requirement: "helix-ui.wire.unnamed",
			Summary: "The event field says which type of part the event is.",
			Apply: on.Frames(on.Done().Not()).Fields(func(b *alter.Block, e helixui.Event) {
				b.Event = e.Part.Type()
			})},
		{Name: "raw-line-ends", Requirement: "helix-ui.wire.framing",
			Summary: "Line ends in a text are written as they are.",
			Also:    []string{"helix-ui.parts.object"},
			Apply:   on.Frames(on.Event("text-delta")).Replace(`\n`, "\n")},
	}
}
