package aep

import (
	"bytes"
	"encoding/json"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/text"
)

// tools lists the variants of tools.
func tools() []Variant {
	arguments := func(cut func(string) []string) apply {
		return func(o aep.Options) aep.Options {
			o.Agent = agent.Scripted{SplitArguments: cut}
			return o
		}
	}

	return []Variant{
		// These are other ways to tell the arguments of calls.
		{Name: "arguments-in-one-piece", Freedom: "arguments of a tool",
			Summary: "The arguments of a call come in one piece.",
			Apply:   arguments(func(text string) []string { return []string{text} })},
		{Name: "arguments-byte-by-byte", Freedom: "arguments of a tool",
			Summary: "The arguments of a call come character by character.",
			Apply: arguments(func(text string) (pieces []string) {
				for _, r := range text {
					pieces = append(pieces, string(r))
				}
				return pieces
			})},
		{Name: "arguments-on-the-stop", Freedom: "arguments of a tool",
			Summary: "The arguments of a call are on its stop alone.",
			Apply:   on.Events(on.Kind(aep.ToolCall, aep.Delta)).Drop()},
		{Name: "arguments-written-anew", Freedom: "arguments of a tool",
			Summary: "The pieces of arguments have white space and another order of members.",
			Apply: arguments(func(text string) []string {
				var out bytes.Buffer
				if json.Indent(&out, sorted([]byte(text)), "", "\t") != nil {
					return []string{text}
				}
				return []string{" " + out.String()[:1], out.String()[1:] + "\r\n"}
			})},

		// These are other ways to report the result of a call, and other data on stops.
		{Name: "summaries-in-pieces", Freedom: "C-A-15",
			Summary: "The summary of an outcome is streamed as text is.", Apply: on.Events(on.Kind(aep.ToolResult, aep.Stop)).To(streamedSummaries)},
		{Name: "own-words-for-status", Freedom: "`status` of a tool result",
			Summary: "The success of a tool has other words.",
			Apply: alter.All(on.Events(on.Kind(aep.ToolResult)).Edit(func(e *aep.Event) { reword(&e.Block) }),
				on.Blocks(aep.ToolResult, reword))},
		{Name: "stops-are-bare", Freedom: "final data on a stop", Warns: []string{"aep.stages.final-data"},
			Summary: "Stops say that a block has ended and nothing more.",
			Apply:   on.Frames(on.Stage(aep.Stop)).Remove("text", "args", "status", "summary")},
		{Name: "own-names-on-stops", Freedom: "final data on a stop", Warns: []string{"aep.stages.final-data"},
			Summary: "The data on a stop has another name.",
			Apply: on.Frames(on.Stage(aep.Stop)).Members(func(members alter.Object, _ aep.Event) {
				members.Rename("text", "content")
				members.Rename("args", "arguments")
				members.Rename("summary", "description")
			})},
	}
}

// reword reports the outcome of a call in other words.
func reword(b *aep.Block) {
	switch b.Status {
	case "success":
		b.Status = "OK"
	case "error":
		b.Status = "gescheitert"
	}
}

// streamedSummaries makes deltas of the summary of an outcome.
func streamedSummaries(_ aep.Request, e aep.Event) (out []aep.Event) {
	for i, piece := range text.Words(e.Block.Summary) {
		delta := e
		delta.Stage, delta.DeltaIndex, delta.Piece = aep.Delta, i, piece
		out = append(out, delta)
	}
	return append(out, e)
}
