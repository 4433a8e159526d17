package helix

import (
	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/judge"
)

// Recogniser counts the shapes of the first events of a recording.
func Recogniser() judge.Recogniser { return &shapes{} }

// shapes counts the shapes of the first events' data, independent of the profile.
type shapes struct{ seen, enveloped, bare, last int }

// Add counts the data of one frame. Only the kinds count that distinguish the profiles: a chunk in an envelope, a bare
// chunk, and the last message of a bare stream.
func (s *shapes) Add(data []byte) {
	s.seen++
	switch f, _ := frame.Decode(data); {
	case f.Type == endMessage:
		s.last++
	case f.Type == "chunk" && f.Chunk != nil:
		s.enveloped++
	case f.Bare():
		s.bare++
	}
}

// Hint advises the user if a recording is of the other profile.
func (s *shapes) Hint(p judge.Profile) string {
	switch {
	case p == judge.Enveloped && s.bare > 0 && s.bare+s.last == s.seen:
		return "every event is a chunk without an envelope; if the server means that, check it with --profile bare"
	case p == judge.BareChunks && s.enveloped > 0 && s.bare == 0:
		return "the chunks are in envelopes; check it without --profile bare"
	}
	return ""
}
