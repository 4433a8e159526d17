package merlin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// mark matches a citation in a text.
var mark = regexp.MustCompile(`^\[citation: -?\d+: -?\d+\]$`)

// chunk takes a message of version 2.
func (s *Stream) chunk(members map[string]any) error {
	switch members["type"] {
	case "text":
		said, _ := members["text"].(string)
		got := s.script.complete(said)
		if said != got && got == "" || mark.MatchString(got) && s.script.cites() { // half a character, or a server's rendering of a citation
			s.shown.WriteString(got)
			return nil
		}
		return s.takeText(text, got, members)
	case "reasoning":
		got, _ := members["reasoning"].(string)
		if s.script.Suppress {
			return nil // advice has it kept back
		}
		return s.takeText(reasoning, got, members)
	case "toolCallResult":
		inner, _ := members["toolCallResult"].(map[string]any)
		if delta, is := inner["delta"].(string); is {
			return s.piece(delta, inner, members)
		}
		return s.result(inner, members)
	case "progress":
		return s.managed(members)
	}
	return nil // a server may send others
}

// takeText takes text or reasoning of the agent in version 2.
func (s *Stream) takeText(kind int, got string, members map[string]any) error {
	of := map[int]string{text: "merlin.chunks.complete", reasoning: "merlin.chunks.thought"}[kind]
	o := s.next(kind)
	switch {
	case s.script.Suppress:
		return violation("merlin.chunks.suppressed", "nothing", clipped(got), "a suppressed stream says something")
	case got == "" && kind == text:
		return violation("merlin.chunks.empty", "no message", clipped(members), "an empty text comes")
	case o == nil:
		return s.surplus(of, label[kind]+clipped(got))
	case got == o.text:
	case kind == text && (strings.HasPrefix(o.text, got) || strings.HasPrefix(got, o.text)):
		return unequal("merlin.chunks.per-delta", o.text, got, "a text of the model is cut or joined")
	default:
		return s.other(*o, kind, got)
	}
	if kind == text {
		s.shown.WriteString(got)
		s.occasions.Saw("merlin.chunks.per-delta", "merlin.chunks.complete")
	}
	s.occasions.Saw(o.of)
	s.pass()
	return s.indexed(members)
}

// indexed compares the index of a message that belongs to the block. Another one than that of the block is only advised against,
// as long as no other agent has it.
func (s *Stream) indexed(members map[string]any) error {
	n, ok := members["index"].(float64)
	if !ok {
		return nil // the judge says so
	}
	got, before := int(n), s.index
	if before != nil {
		if s.occasions.Saw("merlin.index.block"); got == *before {
			return nil
		}
		s.advise(violation("merlin.index.block", fmt.Sprint(*before), fmt.Sprint(got), "a message has another index than its block"))
	}
	s.index, s.agentIndexes, s.rises = &got, append(s.agentIndexes, got), false
	if s.script.Modelled {
		return nil
	}
	s.occasions.Saw("merlin.index.floor")
	switch {
	case got < s.script.GlobalIndex:
		return violation("merlin.index.floor", fmt.Sprintf("at least %d", s.script.GlobalIndex), fmt.Sprint(got), "the index is below the global one")
	case s.blocks > 0:
		s.occasions.Saw("merlin.index.shared")
		if slices.Contains(s.used, got) {
			return violation("merlin.index.shared", fmt.Sprintf("none of %v", s.used), fmt.Sprint(got), "another agent has an index that was used")
		}
		return nil
	case before != nil || s.raised:
		return nil
	}
	want, rule := max(s.script.GlobalIndex, s.script.EventManagerIndex), "merlin.index.initial"
	if asked := s.script.ContentIndex; asked != nil {
		want, rule = max(s.script.GlobalIndex, *asked), "merlin.index.unchanged"
	}
	s.occasions.Saw(rule)
	if got != want {
		return violation(rule, fmt.Sprint(want), fmt.Sprint(got), "the stream begins at another index")
	}
	return nil
}

// growth describes a partial result: its index, and the block of its last piece.
type growth struct{ index, block int }

// piece takes a piece of a result.
func (s *Stream) piece(delta string, inner, members map[string]any) error {
	which, _ := inner["index"].(float64)
	o := s.next(piece)
	hidden := s.script.has(func(a ScriptStep) bool {
		return a.SubAgent != nil && a.SubAgent.Suppress && a.SubAgent.Index == int(which)
	})
	switch {
	case hidden:
		return violation("merlin.subagents.hidden", "nothing", clipped(delta), "a suppressed sub-agent says something")
	case o == nil:
		return s.surplus("merlin.subagents.partial", label[piece]+clipped(delta))
	case delta != o.text:
		return s.missed(*o, label[piece]+clipped(delta))
	case int(which) != o.number:
		return violation("merlin.subagents.index", fmt.Sprint(o.number), fmt.Sprint(which), "a piece belongs to another result")
	}
	s.occasions.Saw(o.of)
	s.pieces[o.number] += delta
	number, at := o.number, members["index"]
	s.pass()
	before, grows := s.grown[number]
	n, _ := at.(float64)
	s.grown[number] = growth{int(n), s.blocks}
	if grows && before.block == s.blocks { // a growing result keeps its first index, independent of the text's
		if s.occasions.Saw("merlin.subagents.index"); at != any(float64(before.index)) {
			return violation("merlin.subagents.index", fmt.Sprint(before.index), clipped(at), "a piece has another index than those before it")
		}
		return nil
	}
	if s.index != nil && !s.rises && at != any(float64(*s.index)) {
		return violation("merlin.subagents.index", fmt.Sprint(*s.index), clipped(at), "a piece has another index than the block of its parent")
	}
	return s.indexed(members)
}

// result takes a result that is complete.
func (s *Stream) result(inner, members map[string]any) error {
	id, _ := inner["toolCallId"].(string)
	o := s.next(result)
	switch {
	case s.results[id]:
		return violation("merlin.subagents.once", "one result", clipped(inner), "the result of a call comes again")
	case o == nil:
		return s.surplus("merlin.subagents.order", "the result "+clipped(inner))
	}
	want := *o.step.ToolResult
	s.results[want.CallID] = true
	function, _ := inner["function"].(map[string]any)
	number, isNumber := inner["index"].(float64)
	if !isNumber || int(number) != want.Index || id != want.CallID || function["name"] != want.Name {
		return unequal("merlin.subagents.result", want, inner, "a result is that of another call")
	}
	if inner["result"] != want.Result {
		return unequal("merlin.subagents.same", want.Result, inner["result"], "a result differs from that of the tool")
	}
	s.occasions.Saw("merlin.subagents.result", "merlin.subagents.once", "merlin.subagents.order")
	switch {
	case s.pieces[want.Index] != "":
		s.occasions.Saw("merlin.subagents.same")
	case want.Result != "":
		s.occasions.Saw("merlin.subagents.hidden")
	}
	s.pass()
	s.placed(want.Index, members)
	return nil
}

// placed compares the index of a complete result with that of its pieces, within their block.
func (s *Stream) placed(number int, members map[string]any) {
	at, is := members["contentIndex"].(float64)
	if !is {
		at, is = members["index"].(float64)
	}
	s.rises, s.raised = true, s.raised || s.index == nil
	pieces, grew := s.grown[number]
	if !grew || pieces.block != s.blocks || !is {
		return // it belongs elsewhere, or the judge says so
	}
	if s.occasions.Saw("merlin.index.block"); int(at) != pieces.index {
		s.advise(violation("merlin.index.block", fmt.Sprint(pieces.index), fmt.Sprint(at), "a result has another index than its pieces"))
	}
}
