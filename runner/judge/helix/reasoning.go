package helix

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// reasoningRules are the rules of text and thinking.
type reasoningRules struct {
	*judge.Base
	past *fold.Fold // the stream before the chunk that is judged
}

// thinking compares the chunk that completes a block of reasoning with its increments. A reader that came inside the block
// doesn't have all of them.
func (r reasoningRules) thinking(c *producedChunk) {
	content, isText := c.members["content"].(string)
	complete, isFlag := c.members["isComplete"].(bool)
	if !isText || !isFlag {
		return
	}
	b := c.Agent.Block
	if !complete || b == nil || c.Agent.Inside {
		return
	}
	r.Saw(thinkingWholeBlock)
	r.Saw(thinkingClosed)
	if !b.Is(content) {
		r.Violation(thinkingWholeBlock, c.position(), "what completes the reasoning isn't what its increments make together",
			fmt.Sprintf("%d bytes: %s", b.Size, judge.Show(b.Start)), fmt.Sprintf("%d bytes: %s", len(content), judge.Show(content)))
	}
}

// blockOpen finds reasoning that is still open where it shouldn't be.
func (r reasoningRules) blockOpen(a *fold.Agent, at judge.Position, before string) {
	if a.Block == nil {
		return
	}
	r.Saw(thinkingClosed)
	r.Violation(thinkingClosed, at, "reasoning of agent "+judge.Show(a.Name)+" is still open before "+before,
		"a thinking chunk with isComplete true", "none after "+judge.Show(a.Block.Start))
}

// blocksClosed finds reasoning that is open when the stream ends well.
func (r reasoningRules) blocksClosed(f *wire.Frame) {
	for _, a := range r.past.Agents.All() {
		r.blockOpen(a, judge.At(f), "the end of the stream")
	}
}

// delta checks the text of one chunk.
func (r reasoningRules) delta(c *producedChunk) {
	text, ok := c.members["delta"].(string)
	if !ok {
		return
	}
	r.Saw(textEmptyDelta)
	if text == "" {
		r.Violation(textEmptyDelta, c.position(), "a text chunk says nothing", "text", `""`)
	}
	if judge.IsASCII(text) {
		return
	}
	r.Saw(textWholeCharacters)
	if !strings.ContainsRune(text, utf8.RuneError) {
		return
	}
	if half := judge.HalfSurrogate(r.rawDelta(c.f.Data)); half != "" {
		r.Violation(textWholeCharacters, c.position(), "a text chunk has half a character",
			"a whole pair of surrogates", half)
	}
}

// rawDelta returns the delta as it was written.
func (r reasoningRules) rawDelta(data []byte) []byte {
	if r.Options.Profile != judge.BareChunks {
		data = frame.Member(data, "chunk")
	}
	return frame.Member(data, "delta")
}
