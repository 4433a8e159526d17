package helix

import (
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/runner/judge"
	rules "github.com/streamcert/streamcert/runner/judge/helix"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/wire"
)

// stream: frames name their type, and chunks may come without their frame.
func stream() pack.Stream {
	return pack.Stream{
		Recognise: recognise, Terminal: terminal, Bare: true, Viewed: true, Recogniser: rules.Recogniser,
		Resume: &pack.Resume{
			Role:            role,
			EventMembers:    []string{"type", "chunk", "sequence"},
			TerminalMembers: []string{"type", "finalOutput", "error", "code"},
			AfterCursor:     "helix.resume.after-cursor",
			Complete:        "helix.resume.complete",
			Stable:          "helix.resume.stable",
			AtLatest:        "helix.resume.at-latest",
			FinishedTail:    "helix.resume.finished-tail",
			NoContent:       "helix.resume.no-content",
			Cycles:          "helix.resume.cycles",
			Head:            "helix.wire.head",
			EventID:         "helix.wire.chunk-id",
		},
	}
}

// last is the type of the message that ends a stream of bare chunks.
const last = "stream_end"

// peeked are the members that tell frames and chunks apart.
type peeked struct {
	Type     string          `json:"type"`
	AgentID  json.RawMessage `json:"agentId"`
	Sequence json.RawMessage `json:"sequence"`
	Chunk    json.RawMessage `json:"chunk"`
}

func decodeHead(data []byte) peeked {
	var p peeked
	_ = json.Unmarshal(data, &p) // invalid data has no members
	return p
}

func recognise(f *wire.Frame) (judge.Profile, bool) {
	switch p := decodeHead(f.Data); {
	case p.Type == "chunk" && (p.Chunk != nil || p.Sequence != nil):
		return judge.Enveloped, true
	case p.Type == last, p.Type != "" && p.AgentID != nil && p.Chunk == nil:
		return judge.BareChunks, true
	default:
		return judge.Enveloped, slices.Contains([]string{"chunk", "end", "fail", "status", "truncated"}, p.Type)
	}
}

func terminal(profile judge.Profile, f *wire.Frame) bool {
	if profile == judge.BareChunks {
		return decodeHead(f.Data).Type == last
	}
	return role(f.Data) == pack.Terminal
}

func role(data []byte) pack.Role {
	switch decodeHead(data).Type {
	case "chunk":
		return pack.Event
	case "end", "fail":
		return pack.Terminal
	case "truncated":
		return pack.Removal
	case "status":
		return pack.Notice
	}
	return pack.Other
}
