package helix

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

func (m *machine) thinking(c *said) {
	content, isText := c.members["content"].(string)
	complete, isFlag := c.members["isComplete"].(bool)
	if !isText || !isFlag {
		return
	}
	b := c.agent.block
	if !complete {
		if b == nil {
			b = &judge.Sum{}
			c.agent.block = b
		}
		b.Add(content)
		return
	}
	first := c.agent.inside
	c.agent.block, c.agent.inside = nil, false
	if b == nil || first {
		return
	}
	m.Saw(thinkingWholeBlock)
	m.Saw(thinkingClosed)
	if !b.Is(content) {
		m.Breach(thinkingWholeBlock, c.place(), "what completes the reasoning isn't what its increments make together",
			fmt.Sprintf("%d bytes: %s", b.Size, judge.Show(b.Start)), fmt.Sprintf("%d bytes: %s", len(content), judge.Show(content)))
	}
}

// blockOpen finds reasoning that is still open where it shouldn't be.
func (m *machine) blockOpen(a *agent, at judge.Place, before string) {
	if a.block == nil {
		return
	}
	m.Saw(thinkingClosed)
	m.Breach(thinkingClosed, at, "reasoning of agent "+judge.Show(a.name)+" is still open before "+before,
		"a thinking chunk with isComplete true", "none after "+judge.Show(a.block.Start))
	a.block = nil
}

func (m *machine) blocksClosed(f *wire.Frame) {
	for _, a := range m.past.agents.All() {
		m.blockOpen(a, judge.At(f), "the end of the stream")
	}
}

// delta checks the text of one chunk.
func (m *machine) delta(c *said) {
	text, ok := c.members["delta"].(string)
	if !ok {
		return
	}
	m.Saw(textEmptyDelta)
	if text == "" {
		m.Breach(textEmptyDelta, c.place(), "a text chunk says nothing", "text", `""`)
	}
	if judge.IsASCII(text) {
		return
	}
	m.Saw(textWholeCharacters)
	if !strings.ContainsRune(text, utf8.RuneError) {
		return
	}
	if half := judge.HalfPair(m.rawDelta(c.f.Data)); half != "" {
		m.Breach(textWholeCharacters, c.place(), "a text chunk has half a character",
			"a whole pair of surrogates", half)
	}
}

// rawDelta is the delta as it was written.
func (m *machine) rawDelta(data []byte) []byte {
	var frame struct {
		Chunk struct{ Delta json.RawMessage }
		Delta json.RawMessage
	}
	_ = json.Unmarshal(data, &frame) // what can't be read has no half pair to show
	if m.Options.Profile == judge.BareChunks {
		return frame.Delta
	}
	return frame.Chunk.Delta
}
