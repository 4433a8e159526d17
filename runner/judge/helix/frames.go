package helix

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// shape passes on what the schemas found, and counts what they looked at.
func (m *machine) shape(f *wire.Frame, v verdict) {
	for _, s := range v.Findings {
		if m.passes(s) {
			m.out = append(m.out, judge.Finding{
				Requirement: s.Requirement, Message: s.Message, Frame: f.Index, Offset: f.Offset, Line: f.Line,
				Instance: s.Instance, Schema: s.Schema,
			})
		}
	}
	defer m.witness()
	m.count[wireJSON]++
	if v.broken {
		return
	}
	m.count[wireFrameType]++
	if v.object == nil {
		return
	}
	m.sentinel(f, v.object)
	if !v.Known {
		m.unknown++
		m.unframed(f, v)
		return
	}
	m.count[wireExclusive]++
	switch v.Type {
	case "chunk":
		m.count[wireChunkFrame]++
		if m.o.Origin == judge.Produced {
			if raw, ok := v.object["chunk"]; ok {
				m.contents(raw, v)
			}
		}
	case "end":
		m.count[wireEndFrame]++
	case "fail":
		m.count[wireFailFrame]++
		m.code(placeOf(f), v.object["code"])
	case "status":
		m.count[wireStatusFrame]++
	case "truncated":
		m.count[wireTruncatedFrame]++
	}
}

// witness makes sure that what was found had an occasion: of a chunk of unknown
// type the schemas check what it has, which isn't counted member by member.
func (m *machine) witness() {
	for _, f := range m.out {
		for r, id := range ids {
			if id == f.Requirement && m.count[r] == 0 {
				m.count[r] = 1
			}
		}
	}
}

// passes says whether a finding of the schemas is the judge's too. What is
// inside a relayed chunk is the writer's affair; the rest are rules that the
// judge checks itself, with the block around the data in view.
func (m *machine) passes(s schemas.Finding) bool {
	switch s.Requirement {
	case ids[wireUTF8]:
		return m.o.Bare // else the bytes of the event say it
	case ids[wireSequence], ids[wireChunkID], ids[lifecycleNoSentinel], ids[errorsKnownCode], ids[errorsCodePrefix]:
		return false
	}
	if m.o.Origin == judge.Produced {
		return true
	}
	inside := s.Instance == "/chunk" || strings.HasPrefix(s.Instance, "/chunk/")
	return !inside || strings.HasPrefix(s.Requirement, "helix.wire.") && s.Instance == "/chunk"
}

// unframed finds a chunk that stands where its frame should. Types of frames that
// nobody knows yet are allowed; this is one that everybody knows as a chunk's.
func (m *machine) unframed(f *wire.Frame, v verdict) {
	if _, written := v.object["agentId"]; !written || m.o.Origin != judge.Produced {
		return
	}
	if slices.Contains(m.o.Schemas.Types(), v.Type) {
		m.count[wireChunkFrame]++
		m.add(wireChunkFrame, placeOf(f), "the data is a bare chunk, not a frame that holds one",
			`{"type":"chunk","chunk":{…},"sequence":n}`, "an object of type "+show(v.Type))
	}
}

const sentinel = "__streamEnd"

func (m *machine) sentinel(f *wire.Frame, object map[string]any) {
	m.count[lifecycleNoSentinel]++
	_, leaked := object[sentinel]
	if chunk, ok := object["chunk"].(map[string]any); ok && !leaked && m.o.Origin == judge.Produced {
		_, leaked = chunk[sentinel]
	}
	if leaked {
		m.add(lifecycleNoSentinel, placeOf(f), "the frame holds the in-process end marker", "no member "+sentinel, sentinel)
	}
}

// contents counts what the schemas looked at inside a chunk.
func (m *machine) contents(raw any, v verdict) {
	m.count[chunksObject]++
	chunk, ok := raw.(map[string]any)
	if !ok {
		return
	}
	m.count[chunksAgentID]++
	if _, ok := chunk["step"]; ok {
		m.count[chunksStep]++
	}
	if !v.ChunkKnown { // then the schemas ask for little more
		return
	}
	m.count[chunksAgentType]++
	m.count[chunksTimestamp]++
	m.count[chunksIntegers]++
	m.count[chunksMembers]++
	m.count[runsNulls]++
	switch v.ChunkType {
	case "error":
		m.count[chunksStepRequired]++
		m.count[errorsText]++
	case "subagent_start", "subagent_end":
		m.count[chunksStepRequired]++
	case "tool_start":
		m.count[toolsArgumentsObject]++
	case "tool_end":
		m.count[toolsSuccess]++
	case "tool_approval_request":
		m.count[approvalRequestMembers]++
	case "state_patch":
		if patches, _ := chunk["patches"].([]any); len(patches) > 0 {
			m.count[statePointers]++
			m.count[stateOperands]++
			m.count[stateOperations]++
		}
	}
}

// meaning compares a frame with the ones before it.
func (m *machine) meaning(f *wire.Frame, v verdict) {
	if m.terminal {
		if !m.extra {
			m.extra = true
			m.add(lifecycleOneTerminal, placeOf(f), "a frame follows the terminal frame", "the end of the body", "a frame of type "+show(v.Type))
		}
		return
	}
	switch v.Type {
	case "chunk":
		m.chunk(f, v.object)
		m.tell(f, v, v.object["chunk"], m.position(f, v.object))
	case "end", "fail":
		m.terminal = true
		m.count[lifecycleOneTerminal]++
		m.finish(f)
		m.conclude(f, v.Type == "end", v.object)
	case "status":
		m.unnumbered(statusNoID, f, "a status frame")
		m.statusWord(f, v.object)
	case "truncated":
		m.unnumbered(truncationNotNumbered, f, "a truncated frame")
		m.truncated(f, v.object)
		m.cutOff()
	}
}

// unnumbered checks that a frame that is no stored position doesn't move the
// reader's.
func (m *machine) unnumbered(r rule, f *wire.Frame, what string) {
	if m.o.Bare {
		return
	}
	m.count[r]++
	if f.HasID && f.ID != m.lastID {
		want := "no id"
		if m.lastID != "" {
			want += ", or " + show(m.lastID)
		}
		m.add(r, placeOf(f), what+" carries an id of its own", want, show(f.ID))
	}
}

func (m *machine) statusWord(f *wire.Frame, object map[string]any) {
	word, ok := object["status"].(string)
	if !ok {
		return
	}
	if m.status != "" {
		m.count[statusNoRepeat]++
		if word == m.status {
			m.add(statusNoRepeat, placeOf(f), "the same status is sent twice in a row", "another status than "+show(m.status), show(word))
		}
	}
	m.status = word
}
