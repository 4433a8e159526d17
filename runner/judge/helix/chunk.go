package helix

import (
	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// object is a chunk, decoded.
type object map[string]any

// Member implements fold.Members.
func (o object) Member(name string) (value any, there bool) {
	value, there = o[name]
	return value, there
}

// producedChunk is one chunk of a known type.
type producedChunk struct {
	fold.Chunk
	f       *wire.Frame // the event that brought it, for positions
	members object      // of the chunk, without its envelope
	content bool        // content of an agent, as opposed to control chunks
}

func (c *producedChunk) position() judge.Position { return judge.At(c.f) }

func (c *producedChunk) word(member string) judge.Word { return judge.WordOf(c.members[member]) }

func (c *producedChunk) number(member string) judge.Number { return judge.Integer(c.members[member]) }

// ofItself reports whether an agent reports its start or end, which is a separate violation.
func (c *producedChunk) ofItself() bool {
	if c.Kind != "subagent_start" && c.Kind != "subagent_end" {
		return false
	}
	return c.members["subSessionId"] == c.members["agentId"]
}

// isContent reports whether chunks of a type are content: nothing of the kind may follow an output or a fatal error.
func isContent(kind string) bool {
	switch kind {
	case "text_delta", "thinking", "tool_start", "output":
		return true
	}
	return false
}
