package helix

import (
	"slices"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// endMessage is the type of the message that says that a stream of bare chunks is
// over. It is no chunk.
const endMessage = "stream_end"

// isBare says whether the data is taken as a chunk, without a frame around it.
func (m *machine) isBare() bool { return m.o.Profile == judge.BareChunks }

// bareChunk judges data that is a chunk itself, or the message at the end.
func (m *machine) bareChunk(f *wire.Frame, v verdict) {
	defer m.witness()
	m.count[bareChunk]++
	if want, got := m.noChunk(v); got != "" {
		m.add(bareChunk, placeOf(f), "the data isn't a chunk", want, got)
		m.ended(f)
		return
	}
	m.sentinel(f, v.object)
	isEnd := v.Type == endMessage
	for _, s := range v.Findings {
		if !isEnd && m.o.Origin == judge.Produced && m.passes(s) {
			m.out = append(m.out, judge.Finding{
				Requirement: s.Requirement, Message: s.Message, Frame: f.Index, Offset: f.Offset, Line: f.Line,
				Instance: s.Instance, Schema: s.Schema,
			})
		}
	}
	switch {
	case m.ended(f):
	case isEnd:
		m.count[bareEndMessage]++
		m.terminal = true
		m.conclude(f, true, v.object)
	default:
		if !v.Known {
			m.unknown++
		}
		if m.o.Origin == judge.Produced {
			m.contents(v.object, v)
		}
		m.tell(f, v, v.object, number{})
	}
}

// ended finds what follows the message at the end.
func (m *machine) ended(f *wire.Frame) bool {
	if m.terminal && !m.extra {
		m.extra = true
		m.count[bareEndMessage]++
		m.add(bareEndMessage, placeOf(f), "something follows the message that ends the stream",
			"the end of the body", "an event with data")
	}
	return m.terminal
}

// noChunk says why data can't be a bare chunk, "" if it can.
func (m *machine) noChunk(v verdict) (want, got string) {
	const chunk = "a chunk, or " + endMessage
	switch {
	case v.broken:
		return chunk, "no JSON: " + v.Findings[0].Message
	case v.object == nil:
		return chunk, show(v.Value)
	case v.Type == "":
		return "a chunk with a type", "an object without one"
	case v.Type == endMessage:
		return m.noEnd(v.object)
	}
	if _, written := v.object["agentId"]; !written && slices.Contains(m.o.Schemas.FrameTypes(), v.Type) {
		return chunk, "a frame of type " + show(v.Type)
	}
	return "", ""
}

// noEnd says what is wrong with the message at the end, "" if nothing is.
func (m *machine) noEnd(object map[string]any) (want, got string) {
	if _, ok := object["streamId"].(string); !ok {
		return "a text in streamId", show(object["streamId"])
	}
	if !integer(object["timestamp"]).ok {
		return "an integer in timestamp", show(object["timestamp"])
	}
	return "", ""
}
