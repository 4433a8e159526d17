package helix

import (
	"encoding/json"

	"github.com/streamcert/streamcert/reference/store"
)

// foldedChunk is a chunk with its members decoded for a fold.
type foldedChunk struct {
	store.Chunk
	sequence    int64                      // of its event
	kind, agent string                     // "" if it has none, and is ignored
	members     map[string]json.RawMessage // a map, because a struct would take "Delta" for "delta"
}

func read(e store.Event) foldedChunk {
	s := foldedChunk{Chunk: e.Chunk, sequence: e.Sequence, members: map[string]json.RawMessage{}}
	if each(e.Chunk.JSON, func(name string, member []byte) { s.members[name] = member }) {
		s.kind, s.agent = s.text("type"), s.text("agentId")
	}
	return s
}

// text returns a member that is a string; empty if it isn't one.
func (s foldedChunk) text(name string) (text string) {
	_ = json.Unmarshal(s.members[name], &text) // the validator rejects other types
	return text
}

// number returns a member that is a number; 0 if it isn't one.
func (s foldedChunk) number(name string) int64 {
	var n float64
	_ = json.Unmarshal(s.members[name], &n)
	return int64(n)
}

func (s foldedChunk) flag(name string) (flag bool) {
	_ = json.Unmarshal(s.members[name], &flag)
	return flag
}
