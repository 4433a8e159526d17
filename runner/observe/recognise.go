package observe

import (
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// The packs that can be told apart.
const (
	helix = "helix"
	aep   = "aep"
)

// lookedAt is how many events may say nothing before helix is taken for granted.
const lookedAt = 20

// A kind is what a stream is of.
type kind struct {
	pack    string
	profile judge.Profile
}

// peeked are the members that tell packs and frames apart.
type peeked struct {
	Type      string          `json:"type"`
	Event     string          `json:"event"`
	RequestID json.RawMessage `json:"requestId"`
	AgentID   json.RawMessage `json:"agentId"`
	Sequence  json.RawMessage `json:"sequence"`
	Chunk     json.RawMessage `json:"chunk"`
}

func peek(data []byte) peeked {
	var p peeked
	_ = json.Unmarshal(data, &p) // what doesn't fit says nothing
	return p
}

// framed are the types of helix frames.
var framed = []string{"chunk", "end", "fail", "status", "truncated"}

// recognise says what an event is of; ok is false for one that could be of anything.
func recognise(f *wire.Frame) (k kind, ok bool) {
	switch p := peek(f.Data); {
	case p.Event != "" && p.RequestID != nil:
		return kind{pack: aep}, true
	case p.Type == "chunk" && (p.Chunk != nil || p.Sequence != nil):
		return kind{pack: helix}, true
	case p.Type == "stream_end", p.Type != "" && p.AgentID != nil && p.Chunk == nil:
		return kind{helix, judge.BareChunks}, true
	case slices.Contains(framed, p.Type):
		return kind{pack: helix}, true
	}
	return kind{}, false
}

// last says whether nothing may follow an event.
func (k kind) last(data []byte) bool {
	p := peek(data)
	switch {
	case k.pack == aep:
		return p.Event == "done" || p.Event == "error" || p.Event == "aborted"
	case k.profile == judge.BareChunks:
		return p.Type == "stream_end"
	}
	return p.Type == "end" || p.Type == "fail"
}

func (k kind) String() string {
	if k.profile == judge.BareChunks {
		return k.pack + ", chunks without envelope"
	}
	return k.pack
}
