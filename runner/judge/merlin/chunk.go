package merlin

import (
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
)

// documents are the schemas of the types of messages of version 2.
var documents = map[string]string{
	"text": "v2/text", "reasoning": "v2/reasoning", "progress": "v2/progress", "toolCalls": "v2/toolCalls", "citation": "v2/citation",
	"attachments": "v2/attachments",
}

// chunk judges a message of version 2.
func (m *machine) chunk(at judge.Position, object map[string]any, data []byte) {
	m.Saw(chunksType)
	m.Saw(toolsChunk)
	kind, _ := object["type"].(string)
	if kind == "" {
		m.Violation(chunksType, at, "the message has no type", "a member type", judge.Show(object))
		return
	}
	if kind == "toolCallResult" {
		m.toolResult(at, object, data)
		return
	}
	schema, there := documents[kind]
	if !there { // a type of a later version
		return
	}
	m.Saw(chunksContent)
	m.document(at, schema, data)
	index := m.indexOf(at, object, kind == "toolCalls")
	switch kind {
	case "text":
		m.Saw(chunksText)
		m.ascends(at, index)
	case "reasoning":
		m.Saw(chunksReasoning)
		m.Saw(chunksReasoningEmpty)
		m.ascends(at, index)
	case "progress":
		m.Saw(progressV2Message)
		progress, _ := object["progress"].(map[string]any)
		m.step(at, index, progress["steps"])
	default:
		m.Saw(chunksMembers)
	}
}

// indexOf returns the index of a message. One that completes something may have it as contentIndex.
func (m *machine) indexOf(at judge.Position, object map[string]any, complete bool) judge.Number {
	m.Saw(chunksIndex)
	want, index := "index", judge.Integer(object["index"])
	if other := judge.Integer(object["contentIndex"]); complete && other.OK {
		if index.OK && index.N != other.N {
			m.Violation(chunksIndex, at, "the message has two indexes that differ", judge.Show(object["contentIndex"]), judge.Show(object["index"]))
		}
		index = other
	}
	if complete {
		want = "contentIndex or index"
	}
	if !index.OK || index.N < 0 {
		m.Violation(chunksIndex, at, "the message has no index", "an integer "+want+", at least 0", judge.Show(object))
	}
	return index
}

// ascends judges the index of text and reasoning of the model.
func (m *machine) ascends(at judge.Position, index judge.Number) {
	if index.OK {
		m.Ascends(indexAscending, at, judge.Order{Message: "the index is lower than one before it", Want: "at least %d", Equal: true}, m.index, index.N)
		m.index.Raise(index.N)
	}
}

// longestResult limits the bytes of a result that are stored for comparison.
const longestResult = 1 << 20

// result is the state of a tool result whose pieces are coming.
type result struct {
	index judge.Number    // of the messages
	text  strings.Builder // its pieces, concatenated; at most longestResult bytes
	lost  bool            // it exceeded longestResult, so that text is incomplete
	done  bool            // the complete result came, and nothing may follow
}

// toolResult judges a piece of a result, or one that is complete.
func (m *machine) toolResult(at judge.Position, object map[string]any, data []byte) {
	m.Saw(chunksContent)
	inner, _ := object["toolCallResult"].(map[string]any)
	number := judge.Integer(inner["index"])
	key := judge.CombineHashes(1, uint64(number.N))
	if _, isPiece := inner["delta"]; isPiece {
		m.Saw(subagentsPartial)
		m.document(at, "v2/partial", data)
		m.piece(at, key, m.indexOf(at, object, false), inner)
		return
	}
	m.Saw(subagentsResult)
	m.document(at, "v2/result", data)
	m.indexOf(at, object, true)
	whole, isText := inner["result"].(string)
	if call, named := inner["toolCallId"].(string); named {
		m.Unique(subagentsOnce, at, &m.complete, judge.Hash(call), "the result of a call comes again", "one result of each call", func() string { return judge.Show(call) })
	}
	r, there := m.results.Get(key)
	if !there || r.done || !isText {
		return
	}
	if !r.lost {
		m.SameValue(subagentsSame, at, "the result isn't what its pieces add up to", r.text.String() == whole, judge.Show(r.text.String()), whole)
	}
	m.Saw(subagentsOrder)
	r.done = true
}

// piece judges a piece of a result.
func (m *machine) piece(at judge.Position, key uint64, index judge.Number, inner map[string]any) {
	r, there := m.results.Get(key)
	if !there {
		r = &result{index: index}
		m.results.Put(key, r)
	}
	if r.done {
		m.Violation(subagentsOrder, at, "a piece comes after the result that it belongs to", "pieces before their result", judge.Show(inner))
		return
	}
	m.SameNumber(subagentsIndex, at, "the pieces of a result have different indexes", r.index, index)
	delta, _ := inner["delta"].(string)
	if r.text.Len()+len(delta) > longestResult {
		r.lost = true
		return
	}
	r.text.WriteString(delta)
}
