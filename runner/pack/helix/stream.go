package helix

import (
	"slices"

	"github.com/streamcert/streamcert/runner/frame"
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

func recognise(f *wire.Frame) (judge.Profile, bool) {
	switch p, _ := frame.Decode(f.Data); {
	case p.Type == "chunk" && (p.Chunk != nil || p.Sequence.OK):
		return judge.Enveloped, true
	case p.Type == last, p.Type != "" && p.Bare():
		return judge.BareChunks, true
	default:
		return judge.Enveloped, slices.Contains([]string{"chunk", "end", "fail", "status", "truncated"}, p.Type)
	}
}

func terminal(profile judge.Profile, f *wire.Frame) bool {
	if profile == judge.BareChunks {
		message, _ := frame.Decode(f.Data)
		return message.Type == last
	}
	return role(f.Data) == pack.Terminal
}

func role(data []byte) pack.Role {
	switch f, _ := frame.Decode(data); f.Type {
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
