package runner

import (
	"encoding/json"

	"github.com/streamcert/streamcert/runner/judge"
)

// lookedAt is how many events are looked at to see what a recording is of.
const lookedAt = 100

// shapes counts what the data of the first events looks like, whatever it is
// judged as.
type shapes struct{ seen, enveloped, bare, last int }

// add looks at the data of one frame. Only the kinds that are in one profile and
// not in the other count: a chunk around a chunk, a chunk by itself, and the last
// message of a bare stream.
func (s *shapes) add(data []byte) {
	if s.seen == lookedAt {
		return
	}
	s.seen++
	var v struct {
		Type    string          `json:"type"`
		AgentID json.RawMessage `json:"agentId"`
		Chunk   json.RawMessage `json:"chunk"`
	}
	switch err := json.Unmarshal(data, &v); {
	case err != nil:
	case v.Type == "stream_end":
		s.last++
	case v.Type == "chunk" && v.Chunk != nil:
		s.enveloped++
	case v.AgentID != nil && v.Chunk == nil:
		s.bare++
	}
}

// hint says what to do when a recording is of the other profile.
func (s *shapes) hint(p judge.Profile) string {
	switch {
	case p == judge.Enveloped && s.bare > 0 && s.bare+s.last == s.seen:
		return "every event is a chunk without an envelope; if the server means that, check it with --profile bare"
	case p == judge.BareChunks && s.enveloped > 0 && s.bare == 0:
		return "the chunks are in envelopes; check it without --profile bare"
	}
	return ""
}
