package view

import (
	"iter"
	"slices"
	"strings"
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

// Take keeps the first n chunks, and reads no more than those.
func Take(n int) Filter {
	return func(in iter.Seq[Chunk]) iter.Seq[Chunk] {
		return func(yield func(Chunk) bool) {
			left := n
			if left <= 0 {
				return
			}
			for c := range in {
				left--
				if !yield(c) || left == 0 {
					return
				}
			}
		}
	}
}

// Skip keeps all but the first n chunks.
func Skip(n int) Filter {
	return func(in iter.Seq[Chunk]) iter.Seq[Chunk] {
		return func(yield func(Chunk) bool) {
			left := n
			for c := range in {
				if left > 0 {
					left--
					continue
				}
				if !yield(c) {
					return
				}
			}
		}
	}
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

// Combine merges streams. The chunks of each keep their order; of those that are
// next, the one with the earliest timestamp is taken, and of equals that of the
// stream that was named first. It waits for the next chunk of every stream.
func Combine(streams ...iter.Seq[Chunk]) iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		type head struct {
			chunk Chunk
			next  func() (Chunk, bool)
		}
		var heads []*head
		for _, s := range streams {
			next, stop := iter.Pull(s)
			defer stop()
			if c, ok := next(); ok {
				heads = append(heads, &head{c, next})
			}
		}
		for len(heads) > 0 {
			at := 0
			for i, h := range heads {
				if h.chunk.Timestamp < heads[at].chunk.Timestamp {
					at = i
				}
			}
			if !yield(heads[at].chunk) {
				return
			}
			if c, ok := heads[at].next(); ok {
				heads[at].chunk = c
			} else {
				heads = slices.Delete(heads, at, at+1)
			}
		}
	}
}

// Text joins the text of chunks. Reasoning is no text.
func Text(in iter.Seq[Chunk]) string {
	var b strings.Builder
	for c := range in {
		b.WriteString(delta(c))
	}
	return b.String()
}

// All lists the chunks.
func All(in iter.Seq[Chunk]) []Chunk { return slices.Collect(in) }

// delta returns the text of a text_delta, "" of anything else.
func delta(c Chunk) string {
	if c.Type != "text_delta" {
		return ""
	}
	var v struct {
		Delta string `json:"delta"`
	}
	if decodeTolerantly(c.Raw, &v) != nil {
		return ""
	}
	return v.Delta
}
