package helix

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// A block is reasoning of which increments came and not yet the whole.
type block struct {
	sum    maphash.Hash
	length int
	start  string
}

func (m *machine) thinking(c *said) {
	content, isText := c.members["content"].(string)
	complete, isFlag := c.members["isComplete"].(bool)
	if !isText || !isFlag {
		return
	}
	b := c.agent.block
	if !complete {
		if b == nil {
			b = &block{}
			b.sum.SetSeed(seed)
			c.agent.block = b
		}
		_, _ = b.sum.WriteString(content) // never fails
		b.length += len(content)
		if len(b.start) < maxShown {
			b.start = beginning(b.start + beginning(content))
		}
		return
	}
	first := c.agent.inside
	c.agent.block, c.agent.inside = nil, false
	if b == nil || first {
		return
	}
	m.count[thinkingWholeBlock]++
	m.count[thinkingClosed]++
	if len(content) != b.length || maphash.String(seed, content) != b.sum.Sum64() {
		m.add(thinkingWholeBlock, c.place(), "what completes the reasoning isn't what its increments make together",
			fmt.Sprintf("%d bytes: %s", b.length, show(b.start)), fmt.Sprintf("%d bytes: %s", len(content), show(content)))
	}
}

// blockOpen finds reasoning that is still open where it shouldn't be.
func (m *machine) blockOpen(a *agent, at place, before string) {
	if a.block == nil {
		return
	}
	m.count[thinkingClosed]++
	m.add(thinkingClosed, at, "reasoning of agent "+show(a.name)+" is still open before "+before,
		"a thinking chunk with isComplete true", "none after "+show(a.block.start))
	a.block = nil
}

func (m *machine) blocksClosed(f *wire.Frame) {
	for _, key := range m.past.agents.keys() {
		m.blockOpen(m.past.agents.items[key].value, placeOf(f), "the end of the stream")
	}
}

// delta checks the text of one chunk.
func (m *machine) delta(c *said) {
	text, ok := c.members["delta"].(string)
	if !ok {
		return
	}
	m.count[textEmptyDelta]++
	if text == "" {
		m.add(textEmptyDelta, c.place(), "a text chunk says nothing", "text", `""`)
	}
	if isASCII(text) {
		return
	}
	m.count[textWholeCharacters]++
	if !strings.ContainsRune(text, utf8.RuneError) {
		return
	}
	if half := halfPair(m.rawDelta(c.f.Data)); half != "" {
		m.add(textWholeCharacters, c.place(), "a text chunk has half a character",
			"a whole pair of surrogates", half)
	}
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// rawDelta is the delta as it was written.
func (m *machine) rawDelta(data []byte) []byte {
	var frame struct {
		Chunk struct{ Delta json.RawMessage }
		Delta json.RawMessage
	}
	_ = json.Unmarshal(data, &frame) // what can't be read has no half pair to show
	if m.o.Profile == judge.BareChunks {
		return frame.Delta
	}
	return frame.Chunk.Delta
}

// halfPair returns the first escape of a JSON string that is half a surrogate
// pair, "" if none is.
func halfPair(text []byte) string {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		unit := escaped(text[i:])
		i++ // what is escaped isn't a backslash of its own
		if unit < 0xD800 || unit > 0xDFFF {
			continue
		}
		next := uint64(0)
		if unit < 0xDC00 && len(text) > i+5 {
			next = escaped(text[i+5:])
		}
		if next < 0xDC00 || next > 0xDFFF {
			return string(text[i-1 : i+5])
		}
		i += 10
	}
	return ""
}

// escaped reads \uXXXX, and is 0 for anything else.
func escaped(text []byte) uint64 {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return 0
	}
	return unit
}
