package run

import (
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// thinking lists the mutants of thinking.
func thinking() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that lose reasoning of models.
		{Name: "thought-keeps-last-increment", Requirement: "helix.thinking.content",
			Summary: "What completes a block holds its last increment only.",
			Also:    []string{"helix.thinking.whole-block", "helix.thinking.blocks", "helix.snapshot.partial-parts"},
			Apply:   on.Written(completed()).Recall("content", on.Type("thinking"), "content")},
		{Name: "thought-buffer-kept", Requirement: "helix.thinking.content", Stateful: true,
			Summary: "What completes the second block holds the first one, too, because nobody emptied the buffer.",
			Also:    []string{"helix.thinking.whole-block", "helix.thinking.blocks"},
			Apply: on.Written(completed()).BySequence(func(*on.Producer) func(runtime.Chunk) {
				buffer := ""
				return func(c runtime.Chunk) {
					buffer += on.Text(c, "content")
					c["content"] = buffer
				}
			})},

		// These complete blocks badly, or not at all.
		{Name: "second-block-completes-with-nothing", Requirement: "helix.thinking.whole-block", Stateful: true,
			Summary: "From the second block on, what completes it is empty.",
			Apply:   on.Written(completed().From(2)).Set("content", "")},
		{Name: "second-block-left-open", Requirement: "helix.thinking.closed", Stateful: true,
			Summary: "Only the first block of a run is completed.",
			Also:    []string{"helix.thinking.content", "helix.thinking.blocks"},
			Apply:   on.Written(completed().From(2)).Drop()},

		// These make fewer blocks.
		{Name: "thoughts-joined", Requirement: "helix.thinking.blocks", Stateful: true,
			Summary: "A block is completed when the model talks or its step is over, and holds all that it thought until then.",
			Apply:   on.OnWritten(joinsReasoning)},
		{Name: "thought-once", Requirement: "helix.thinking.blocks", Stateful: true,
			Summary: "A block that repeats the one before isn't sent.",
			Apply: on.Written(on.Type("thinking")).Map(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				var block []runtime.Chunk
				last := ""
				return func(c runtime.Chunk) []runtime.Chunk {
					block = append(block, c)
					if c["isComplete"] != true {
						return nil
					}
					whole := block
					block = nil
					if on.Text(c, "content") == last {
						return nil
					}
					last = on.Text(c, "content")
					return whole
				}
			})},
	}
}

// completed matches chunks that complete a block of reasoning.
func completed() on.Writing { return on.Type("thinking").And(on.Is("isComplete", true)) }

// joinsReasoning delays the chunk that completes a block until something else than a tool follows.
func joinsReasoning(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
	var withheld runtime.Chunk
	return func(c runtime.Chunk) []runtime.Chunk {
		switch kind := c.Type(); {
		case kind == "thinking" && c["isComplete"] == true:
			if withheld != nil {
				c["content"] = on.Text(withheld, "content") + on.Text(c, "content")
			}
			withheld = c
			return nil
		case withheld != nil && kind != "thinking" && kind != "tool_start" && kind != "tool_end":
			done := withheld
			withheld = nil
			return edit.Only(done, c)
		}
		return edit.Only(c)
	}
}
