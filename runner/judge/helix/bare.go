package helix

import (
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// endMessage is the type of the message that reports that a stream of bare chunks is
// over. It is no chunk.
const endMessage = "stream_end"

// isBare reports whether the data is taken as a chunk, without a frame around it.
func (m *machine) isBare() bool { return m.Options.Profile == judge.BareChunks }

// bareChunk judges data that is a chunk itself, or the message at the end.
func (m *machine) bareChunk(f *wire.Frame, v judge.Verdict) {
	defer m.Witness()
	m.Saw(bareChunk)
	if want, got := m.noChunk(v); got != "" {
		m.Violation(bareChunk, judge.At(f), "the data isn't a chunk", want, got)
		m.ended(f)
		return
	}
	m.sentinel(f, v.Object)
	isEnd := v.Type == endMessage
	if !isEnd && m.Options.Origin == record.Produced {
		m.schema(f, v.Findings)
	}
	switch {
	case m.ended(f):
	case isEnd:
		m.Saw(bareEndMessage)
		m.terminal = true
		m.produced.conclude(f, true, v.Object)
	default:
		if !v.Known {
			m.MeetUnknown()
		}
		if m.Options.Origin == record.Produced {
			m.contents(v.Object, v)
		}
		m.produced.tell(f, v, v.Object, judge.Number{})
	}
}

// ended reports events after the last message.
func (m *machine) ended(f *wire.Frame) bool {
	if m.terminal && !m.extra {
		m.extra = true
		m.Saw(bareEndMessage)
		m.Violation(bareEndMessage, judge.At(f), "something follows the message that ends the stream",
			"the end of the body", "an event with data")
	}
	return m.terminal
}

// noChunk returns why data can't be a bare chunk, "" if it can.
func (m *machine) noChunk(v judge.Verdict) (want, got string) {
	const chunk = "a chunk, or " + endMessage
	switch {
	case v.Broken:
		return chunk, "no JSON: " + v.Findings[0].Message
	case v.Object == nil:
		return chunk, judge.Show(v.Value)
	case v.Type == "":
		return "a chunk with a type", "an object without one"
	case v.Type == endMessage:
		return m.noEnd(v.Object)
	}
	if _, written := v.Object["agentId"]; !written && slices.Contains(m.Options.Schemas.FrameTypes(), v.Type) {
		return chunk, "a frame of type " + judge.Show(v.Type)
	}
	return "", ""
}

// noEnd describes the mistake in the last message, "" for none.
func (m *machine) noEnd(object map[string]any) (want, got string) {
	if _, ok := object["streamId"].(string); !ok {
		return "a text in streamId", judge.Show(object["streamId"])
	}
	if _, isNumber := object["timestamp"].(json.Number); !isNumber {
		return "a number in timestamp", judge.Show(object["timestamp"])
	}
	return "", ""
}
