package view

import (
	"iter"
	"slices"

	"github.com/streamcert/streamcert/runner/frame"
)

// A Filter chooses among chunks. It keeps their order and changes none of them.
type Filter func(iter.Seq[Chunk]) iter.Seq[Chunk]

// Where selects the chunks for which keep returns true.
func Where(keep func(Chunk) bool) Filter {
	return func(in iter.Seq[Chunk]) iter.Seq[Chunk] {
		return func(yield func(Chunk) bool) {
			for c := range in {
				if keep(c) && !yield(c) {
					return
				}
			}
		}
	}
}

// ByAgent selects the chunks of one agent, or of several. With the id of the root agent it leaves out those of sub-agents.
func ByAgent(ids ...string) Filter {
	return Where(func(c Chunk) bool { return slices.Contains(ids, c.AgentID) })
}

// ByAgentType keeps the chunks of agents of a type, or of several.
func ByAgentType(types ...string) Filter {
	return Where(func(c Chunk) bool { return slices.Contains(types, c.AgentType) })
}

// ByType keeps the chunks of a type, or of several.
func ByType(types ...string) Filter {
	return Where(func(c Chunk) bool { return slices.Contains(types, c.Type) })
}

// Exclude keeps the chunks that are of none of the types.
func Exclude(types ...string) Filter {
	return Where(func(c Chunk) bool { return !slices.Contains(types, c.Type) })
}

// Chain returns the filters one after the other; without any it keeps everything.
func Chain(filters ...Filter) Filter {
	return func(in iter.Seq[Chunk]) iter.Seq[Chunk] {
		for _, f := range filters {
			in = f(in)
		}
		return in
	}
}

// delta returns the text of a text_delta, "" of anything else.
func delta(c Chunk) string {
	if c.Type != "text_delta" {
		return ""
	}
	text, _ := frame.Text(frame.Member(c.Raw, "delta"))
	return text
}
