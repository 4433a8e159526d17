package helix

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

func (m *machine) thinking(c *said) {
	content, isText := c.members["content"].(string)
	complete, isFlag := c.members["isComplete"].(bool)
	if !isText || !isFlag {
		return
	}
	b := c.Agent.Block
	if !complete || b == nil || c.Agent.Inside {
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
func (m *machine) blockOpen(a *fold.Agent, at judge.Place, before string) {
	if a.Block == nil {
		return
	}
	m.Saw(thinkingClosed)
	m.Breach(thinkingClosed, at, "reasoning of agent "+judge.Show(a.Name)+" is still open before "+before,
		"a thinking chunk with isComplete true", "none after "+judge.Show(a.Block.Start))
}

func (m *machine) blocksClosed(f *wire.Frame) {
	for _, a := range m.past.Agents.All() {
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
