package helix

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// shape takes the findings of the schemas, and counts their checks.
func (m *machine) shape(f *wire.Frame, v judge.Verdict) {
	m.schema(f, v.Findings)
	defer m.Witness() // optional members are counted where they are required only
	m.Saw(wireJSON)
	if v.Broken {
		return
	}
	m.Saw(wireFrameType)
	if v.Object == nil {
		return
	}
	m.sentinel(f, v.Object)
	if !v.Known {
		if !m.unframed(f, v) {
			m.MeetUnknown()
		}
		return
	}
	m.Saw(wireExclusive)
	switch v.Type {
	case "chunk":
		m.Saw(wireChunkFrame)
		if m.Options.Origin == record.Produced { // a relayed chunk is as its writer wrote it
			if raw, ok := v.Object["chunk"]; ok {
				m.contents(raw, v)
			}
		}
	case "end":
		m.Saw(wireEndFrame)
	case "fail":
		m.Saw(wireFailFrame)
		m.code(judge.At(f), v.Object["code"])
	case "status":
		m.Saw(wireStatusFrame)
	case "truncated":
		m.Saw(wireTruncatedFrame)
	}
}

// schema adds the findings of the schemas that passes selects.
func (m *machine) schema(f *wire.Frame, found []schemas.Finding) {
	for _, s := range found {
		if m.passes(s) {
			m.Schema(judge.At(f), s)
		}
	}
}

// passes reports whether the judge adopts a finding of the schemas. The content of a relayed chunk is the writer's
// responsibility; the other findings are rules that the judge checks itself, with the context of the block.
func (m *machine) passes(s schemas.Finding) bool {
	switch s.Requirement {
	case wireUTF8:
		return m.Options.Bare // else the bytes of the event say it
	case wireSequence, wireChunkID, lifecycleNoSentinel, errorsKnownCode, errorsCodePrefix:
		return false
	}
	if m.Options.Origin == record.Produced {
		return true
	}
	inside := s.Instance == "/chunk" || strings.HasPrefix(s.Instance, "/chunk/")
	return !inside || strings.HasPrefix(s.Requirement, "helix.wire.") && s.Instance == "/chunk"
}

// unframed reports a chunk instead of its frame. Unknown types of frames are allowed; this one is known as the type of a
// chunk.
func (m *machine) unframed(f *wire.Frame, v judge.Verdict) bool {
	if _, written := v.Object["agentId"]; !written || m.Options.Origin != record.Produced {
		return false
	}
	is := slices.Contains(m.Options.Schemas.Types(), v.Type)
	if is {
		m.Saw(wireChunkFrame)
		m.Violation(wireChunkFrame, judge.At(f), "the data is a bare chunk, not a frame that holds one",
			`{"type":"chunk","chunk":{…},"sequence":n}`, "an object of type "+judge.Show(v.Type))
	}
	return is
}

const sentinel = "__streamEnd"

// sentinel finds the marker with which a process ends a stream inside itself. Readers must never receive it.
func (m *machine) sentinel(f *wire.Frame, object map[string]any) {
	m.Saw(lifecycleNoSentinel)
	_, leaked := object[sentinel]
	if chunk, ok := object["chunk"].(map[string]any); ok && !leaked && m.Options.Origin == record.Produced {
		_, leaked = chunk[sentinel]
	}
	if leaked {
		m.Violation(lifecycleNoSentinel, judge.At(f), "the frame holds the in-process end marker", "no member "+sentinel, sentinel)
	}
}

// contents counts the checks of the schemas inside a chunk.
func (m *machine) contents(raw any, v judge.Verdict) {
	m.Saw(chunksObject)
	chunk, ok := raw.(map[string]any)
	if !ok {
		return
	}
	m.Saw(chunksAgentID)
	if _, ok := chunk["step"]; ok {
		m.Saw(chunksStep)
	}
	if !v.ChunkKnown { // then the schemas ask for little more
		return
	}
	m.Saw(chunksAgentType)
	m.Saw(chunksTimestamp)
	m.Saw(chunksIntegers)
	m.Saw(chunksMembers)
	m.Saw(runsNulls)
	switch v.ChunkType {
	case "error":
		m.Saw(chunksStepRequired)
		m.Saw(errorsText)
	case "subagent_start", "subagent_end":
		m.Saw(chunksStepRequired)
	case "tool_start":
		m.Saw(toolsArgumentsObject)
	case "tool_end":
		m.Saw(toolsSuccess)
	case "tool_approval_request":
		m.Saw(approvalRequestMembers)
	case "state_patch":
		if patches, _ := chunk["patches"].([]any); len(patches) > 0 {
			m.Saw(statePointers)
			m.Saw(stateOperands)
			m.Saw(stateOperations)
		}
	}
}

// meaning compares a frame with the ones before it.
func (m *machine) meaning(f *wire.Frame, v judge.Verdict) {
	if m.terminal {
		if !m.extra {
			m.extra = true
			m.Violation(lifecycleOneTerminal, judge.At(f), "a frame follows the terminal frame", "the end of the body", "a frame of type "+judge.Show(v.Type))
		}
		return
	}
	switch v.Type {
	case "chunk":
		m.produced.tell(f, v, v.Object["chunk"], m.order.chunk(f, v.Object))
	case "end", "fail":
		m.terminal = true
		m.Saw(lifecycleOneTerminal)
		m.order.finish(f)
		m.produced.conclude(f, v.Type == "end", v.Object)
	case "status":
		m.unnumbered(statusNoID, f, "a status frame")
		m.statusWord(f, v.Object)
	case "truncated":
		m.unnumbered(truncationNotNumbered, f, "a truncated frame")
		m.order.truncated(f, v.Object)
		m.produced.truncated()
		if step := judge.Integer(v.Object["truncatedAtStep"]); step.OK && step.N == 0 {
			m.status = "" // a reset ends a pause without a status frame for it
		}
	}
}

// unnumbered checks that a frame that is no stored position doesn't move the
// reader's.
func (m *machine) unnumbered(id string, f *wire.Frame, what string) {
	if m.Options.Bare {
		return
	}
	m.Saw(id)
	if f.HasID && f.ID != m.lastID {
		want := "no id"
		if m.lastID != "" {
			want += ", or " + judge.Show(m.lastID)
		}
		m.Violation(id, judge.At(f), what+" carries an id of its own", want, judge.Show(f.ID))
	}
}

// statusWord finds a status that repeats the one before.
func (m *machine) statusWord(f *wire.Frame, object map[string]any) {
	word, ok := object["status"].(string)
	if !ok {
		return
	}
	m.Saw(statusNoRepeat)
	if word == m.status {
		m.Violation(statusNoRepeat, judge.At(f), "the same status is sent twice in a row", "another status than "+judge.Show(m.status), judge.Show(word))
	}
	m.status = word
}
