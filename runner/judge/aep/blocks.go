package aep

import (
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// most bounds how many blocks, actions and calls are remembered. A
// response with more isn't compared with its done.
const most = 1 << 16

// mostMessages does the same for the messages.
const mostMessages = 1 << 10

// A block is the state of one content block, from its start until done.
type block struct {
	kind        string // of its start
	id          string // while it is open, for people
	message     uint64 // hash of the messageId, 0 without one
	ghost       bool   // it was never started
	stopped     bool   // a stop was seen; a second one is a finding
	nameUnknown bool   // it went on after its stop, or under another name, so that its content isn't known
	index       int64  // undefined unless indexed
	indexed     bool   // index is one

	deltas       int64    // with an index
	first, last  int64    // of the indexes
	disordered   bool     // the indexes of its deltas can't be 0, 1, 2, …, so that their count isn't judged
	pieces       int      // deltas that had a piece
	spoken       joined   // the pieces so far
	contents     contents // content of all pieces, or of the stop if there were none
	hasFinalData bool     // its stop has a status or a summary
}

// assembly joins the blocks of a response, and judges them: each block as it comes, and all of them against done.
type assembly struct {
	*judge.Base
	blocks blocks          // of all messages of the response
	calls  map[uint64]call // by hash of the toolCallId
}

// call records which sides of a tool call have started.
type call struct{ called, answered bool }

// blocks are the blocks of a response, in the order in which they began.
type blocks struct {
	all          []*block                  // in the order of their starts; more than most aren't stored
	byID         map[uint64][]*block       // the latest last
	messages     []uint64                  // in the order of their first event
	indexes      map[uint64]map[int64]bool // taken blockIndexes, by message
	highest      map[uint64]int64          // the greatest blockIndex, by message
	uncomparable bool                      // a block can't be placed, so that content can't be compared
	mixed        bool                      // two blocks share an index, or one has none
}

// messageOf returns the hash of the messageId of an event or of done, 0 without one.
func messageOf(object map[string]any) uint64 {
	if id, _ := object["messageId"].(string); id != "" {
		return judge.Hash(id)
	}
	return 0
}

// find returns the block that an event of a message names. An event without
// messageId, or one of a block that had none, is found by the blockId alone.
func (b *blocks) find(id string, message uint64) *block {
	for _, known := range slices.Backward(b.byID[judge.Hash(id)]) {
		if known.message == message || known.message == 0 || message == 0 {
			return known
		}
	}
	return nil
}

// add records a block as the latest of its blockId. Beyond the bound nothing is recorded, and content isn't compared.
func (b *blocks) add(id string, one *block) {
	if len(b.all) >= most {
		b.uncomparable = true
		return
	}
	if b.byID == nil {
		b.byID = map[uint64][]*block{}
	}
	b.all = append(b.all, one)
	b.byID[judge.Hash(id)] = append(b.byID[judge.Hash(id)], one)
}

// meet records the message of an event, unless it is known.
func (b *blocks) meet(message uint64) {
	n := len(b.messages)
	switch {
	case message == 0 || n > 0 && b.messages[n-1] == message || slices.Contains(b.messages, message):
	case n == mostMessages:
		b.uncomparable = true
	default:
		b.messages = append(b.messages, message)
	}
}

// stage follows a block.
func (a *assembly) stage(f *wire.Frame, v judge.Verdict) {
	at := judge.At(f)
	message := messageOf(v.Object)
	a.blocks.meet(message)
	id, _ := v.Object["blockId"].(string)
	stage, _ := v.Object["stage"].(string)
	if stage == "delta" {
		a.characters(f, v.Object)
	}
	if id == "" || stage != "start" && stage != "delta" && stage != "stop" {
		a.blocks.uncomparable = true // the schemas object to it
		return
	}
	known := a.blocks.find(id, message)
	if stage == "start" {
		a.start(at, v, known, id, message)
		return
	}
	a.Saw(stagesStartFirst)
	if known == nil {
		a.Violation(stagesStartFirst, at, "a block that never started goes on", "the start of block "+judge.Show(id), "its "+stage)
		known = &block{kind: v.Type, id: id, message: message, ghost: true}
		a.blocks.add(id, known)
		a.blocks.uncomparable = true
	}
	if !a.continues(at, v, known, stage) {
		return
	}
	if stage == "delta" {
		a.delta(at, v.Object, known)
	} else {
		a.stop(at, v.Object, known)
	}
}

// start opens a block.
func (a *assembly) start(at judge.Position, v judge.Verdict, known *block, id string, message uint64) {
	a.Saw(stagesStartFirst)
	a.Saw(stagesOneStart)
	if len(a.blocks.all) > 0 { // one block alone overlaps nothing
		a.Saw(stagesOverlap)
	}
	a.callBegins(at, v)
	again := false
	if known != nil {
		a.Violation(stagesOneStart, at, "the block was started before", "a blockId of its own", judge.Show(id)+" again")
		again = known.kind == v.Type
		a.blocks.uncomparable = true
		if again && !known.stopped {
			return
		}
	}
	one := &block{kind: v.Type, id: id, message: message}
	one.index, one.indexed = index(v.Object["blockIndex"])
	one.note(v.Object)
	a.blocks.add(id, one)
	if !one.indexed {
		a.blocks.mixed = true
		return
	}
	if !again {
		a.indexed(at, one)
	}
}

// indexed compares the index of a block with those of its message.
func (a *assembly) indexed(at judge.Position, one *block) {
	b := &a.blocks
	if b.indexes == nil {
		b.indexes, b.highest = map[uint64]map[int64]bool{}, map[uint64]int64{}
	}
	taken := b.indexes[one.message]
	if taken == nil {
		taken = map[int64]bool{}
		b.indexes[one.message] = taken
	}
	if len(taken) > 0 { // one index alone has nothing to differ from
		a.Saw(stagesIndexUnique)
	}
	if taken[one.index] {
		b.mixed = true
		a.Violation(stagesIndexUnique, at, "two blocks of a message have one blockIndex", "a blockIndex of its own", fmt.Sprintf("%d again", one.index))
		return
	}
	a.Ascends(stagesIndexOrder, at, judge.Order{
		Message: "a block starts after one with a higher blockIndex", Want: "a blockIndex above %d", Equal: true,
	}, judge.Number{N: b.highest[one.message], OK: len(taken) > 0}, one.index)
	if len(taken) < most {
		taken[one.index] = true
	}
	b.highest[one.message] = max(b.highest[one.message], one.index)
}

// continues checks whether a block may go on so.
func (a *assembly) continues(at judge.Position, v judge.Verdict, known *block, stage string) bool {
	a.Saw(stagesSameEvent)
	if v.Type != known.kind {
		a.Violation(stagesSameEvent, at, "a stage of the block is another event than its start", known.kind, v.Type)
		known.nameUnknown = true
		known.stopped = known.stopped || stage == "stop"
		return false
	}
	if known.stopped {
		a.Saw(stagesAfterStop)
		a.Violation(stagesAfterStop, at, "the block goes on after its stop", "no more of block "+judge.Show(v.Object["blockId"]), "its "+stage)
		known.nameUnknown = true
		return false
	}
	return true
}

// delta takes a piece.
func (a *assembly) delta(at judge.Position, object map[string]any, known *block) {
	if piece, ok := object["delta"].(string); ok {
		known.pieces++
		known.spoken.add(piece, known.kind == "tool_call")
	}
	n, ok := index(object["deltaIndex"])
	if !ok {
		known.disordered = true
		return
	}
	if known.deltas == 0 {
		known.first = n
	}
	if !a.Ascends(stagesDeltaOrder, at, judge.Order{
		Message: "deltaIndex doesn't increase", Want: "a deltaIndex above %d",
	}, judge.Number{N: known.last, OK: known.deltas > 0}, n) {
		known.disordered = true
	}
	known.deltas++
	known.last = n
}

// index reads a blockIndex or a deltaIndex, however it is written.
func index(v any) (int64, bool) {
	n := judge.Integer(v)
	return n.N, n.OK && n.N >= 0
}

// note records the members of an event of a tool's block.
func (b *block) note(object map[string]any) {
	if b.kind == "tool_call" || b.kind == "tool_result" {
		b.contents.note(object)
	}
}

// stop closes a block and compares its pieces with the content of the stop.
func (a *assembly) stop(at judge.Position, object map[string]any, known *block) {
	known.stopped = true
	a.Saw(stagesAfterStop)
	a.Saw(stagesNoDelta)
	if known.deltas > 0 && !known.disordered && !known.ghost {
		a.Saw(stagesDeltaFromZero)
		if known.first != 0 || known.last != known.deltas-1 {
			a.Violation(stagesDeltaFromZero, at, "the deltaIndexes of the block aren't 0, 1, 2 and so on",
				fmt.Sprintf("0 to %d", known.deltas-1), fmt.Sprintf("%d to %d in %d deltas", known.first, known.last, known.deltas))
		}
	}
	switch known.kind {
	case "text", "thinking":
		a.stopText(at, object, known)
	case "tool_call":
		a.stopCall(at, object, known)
	case "tool_result":
		_, status := object["status"]
		_, summary := object["summary"]
		known.hasFinalData = status || summary
	}
	known.note(object)
	known.spoken, known.id = joined{}, ""
}

// stopText compares the text of a stop with the joined deltas. Without deltas, the text of the stop is the block's.
func (a *assembly) stopText(at judge.Position, object map[string]any, known *block) {
	text, ok := object["text"].(string)
	if known.pieces > 0 {
		known.contents[entire] = known.spoken.text()
		if !ok || known.ghost {
			return
		}
		a.Saw(contentFinalText)
		if textOf(text) != known.contents[entire] {
			a.Violation(contentFinalText, at, "the text of the stop isn't that of the deltas", known.spoken.shown(), judge.Show(text))
		}
		return
	}
	if ok {
		known.contents[entire] = textOf(text)
	}
}

// stopCall compares the arguments of a stop, as values, with the joined deltas. Without deltas, those of the stop are the
// block's.
func (a *assembly) stopCall(at judge.Position, object map[string]any, known *block) {
	args, given := object["args"]
	if known.spoken.Size > 0 && !known.ghost {
		if known.spoken.lost {
			return
		}
		a.Saw(toolsOneValue)
		value, ok := judge.OneValue(known.spoken.stored)
		if !ok {
			a.Violation(toolsOneValue, at, "the deltas of the call don't join to one JSON value", "one JSON value", known.spoken.shown())
			return
		}
		known.contents[entire] = valueOf(value)
		if given {
			a.Saw(toolsFinalArguments)
			if valueOf(args) != known.contents[entire] {
				a.Violation(toolsFinalArguments, at, "args of the stop aren't those of the deltas", known.spoken.shown(), judge.Show(args))
			}
		}
		return
	}
	if given {
		known.contents[entire] = valueOf(args)
	}
}

// callBegins pairs calls and results. A result whose call never comes may answer
// an earlier response's.
func (a *assembly) callBegins(at judge.Position, v judge.Verdict) {
	id, _ := v.Object["toolCallId"].(string)
	if id == "" || v.Type != "tool_call" && v.Type != "tool_result" {
		return
	}
	if a.calls == nil {
		a.calls = map[uint64]call{}
	}
	h := judge.Hash(id)
	c := a.calls[h]
	switch {
	case v.Type == "tool_call" && c.answered && !c.called:
		a.Saw(toolsResultAfterCall)
		a.Violation(toolsResultAfterCall, at, "a tool_call begins after its tool_result", "the result of "+judge.Show(id)+" after its call", "the call after its result")
	case v.Type == "tool_result" && c.called:
		a.Saw(toolsResultAfterCall)
	}
	c.called = c.called || v.Type == "tool_call"
	c.answered = c.answered || v.Type == "tool_result"
	if len(a.calls) < most {
		a.calls[h] = c
	}
}

// characters finds a delta that was split inside a character. The decoded text
// doesn't show it any more, so the raw data is inspected.
func (a *assembly) characters(f *wire.Frame, object map[string]any) {
	if delta, ok := object["delta"].(string); !ok || judge.IsASCII(delta) { // one byte can't be split
		return
	}
	a.Saw(contentWholeCharacters)
	if half := judge.HalfSurrogate(f.Data); half != "" {
		a.Violation(contentWholeCharacters, judge.At(f), "a delta holds half a character", "a whole pair of surrogates", half)
	}
}
