package aep

import (
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/wire"
)

// stream: an event names itself and its request. A response can't be resumed.
func stream() pack.Stream {
	return pack.Stream{Recognise: recognise, Terminal: terminal}
}

// peeked are the members that every event has.
type peeked struct {
	Event     string          `json:"event"`
	RequestID json.RawMessage `json:"requestId"`
}

func decodeHead(data []byte) peeked {
	var p peeked
	_ = json.Unmarshal(data, &p) // invalid data has no members
	return p
}

func recognise(f *wire.Frame) (judge.Profile, bool) {
	p := decodeHead(f.Data)
	return judge.Enveloped, p.Event != "" && p.RequestID != nil
}

func terminal(_ judge.Profile, f *wire.Frame) bool {
	return slices.Contains([]string{"done", "error", "aborted"}, decodeHead(f.Data).Event)
}
