package aep

import (
	"bytes"
	"encoding/json"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

// tools are other ways to tell the arguments of calls.
func tools() []Variant {
	arguments := func(cut func(string) []string) apply {
		return func(o aep.Options) aep.Options {
			o.Agent = agent.Scripted{CutArguments: cut}
			return o
		}
	}
	return []Variant{
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
			Apply: seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
				return func(e aep.Event) []aep.Event {
					if e.Kind == aep.ToolCall && e.Stage == aep.Delta {
						return nil
					}
					return []aep.Event{e}
				}
			})},
		{Name: "arguments-written-anew", Freedom: "arguments of a tool",
			Summary: "The pieces of arguments have white space and another order of members.",
			Apply: arguments(func(text string) []string {
				var out bytes.Buffer
				if json.Indent(&out, sorted([]byte(text)), "", "\t") != nil {
					return []string{text}
				}
				return []string{" " + out.String()[:1], out.String()[1:] + "\r\n"}
			})},
	}
}

// outcomes are other ways to tell what came of a call, and other data on stops.
func outcomes() []Variant {
	return []Variant{
		{Name: "summaries-in-pieces", Freedom: "C-A-15",
			Summary: "The summary of an outcome is streamed as text is.", Apply: seams.OnJournal(streamedSummaries)},
		{Name: "own-words-for-status", Freedom: "`status` of a tool result",
			Summary: "The success of a tool has other words.",
			Apply: seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
				words := map[string]string{"success": "OK", "error": "gescheitert"}
				return func(e aep.Event) []aep.Event {
					if e.Block.Status != "" {
						e.Block.Status = words[e.Block.Status]
					}
					e.Content = append([]aep.Block{}, e.Content...)
					for i, b := range e.Content {
						if b.Status != "" {
							e.Content[i].Status = words[b.Status]
						}
					}
					return []aep.Event{e}
				}
			})},
		{Name: "stops-are-bare", Freedom: "final data on a stop", Warns: []string{"aep.stages.final-data"},
			Summary: "Stops say that a block has ended and nothing more.",
			Apply: onMembers(func(members object, e aep.Event) {
				if e.Stage == aep.Stop {
					for _, name := range []string{"text", "args", "status", "summary"} {
						delete(members, name)
					}
				}
			})},
		{Name: "own-names-on-stops", Freedom: "final data on a stop", Warns: []string{"aep.stages.final-data"},
			Summary: "The data on a stop has another name.",
			Apply: onMembers(func(members object, e aep.Event) {
				if e.Stage != aep.Stop {
					return
				}
				for name, other := range map[string]string{"text": "content", "args": "arguments", "summary": "description"} {
					if value, ok := members[name]; ok {
						members[other] = value
						delete(members, name)
					}
				}
			})},
	}
}

// streamedSummaries makes deltas of the summary of an outcome.
func streamedSummaries(aep.Request) func(aep.Event) []aep.Event {
	return func(e aep.Event) []aep.Event {
		if e.Kind != aep.ToolResult || e.Stage != aep.Stop {
			return []aep.Event{e}
		}
		var out []aep.Event
		for i, piece := range agent.Words(e.Block.Summary) {
			delta := e
			delta.Stage, delta.DeltaIndex, delta.Piece = aep.Delta, i, piece
			out = append(out, delta)
		}
		return append(out, e)
	}
}
