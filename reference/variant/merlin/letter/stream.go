package letter

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/streamcert/streamcert/reference/merlin"
)

// object is a decoded JSON object.
type object = map[string]any

// stream is one response on its way.
type stream struct {
	ways   Ways
	start  merlin.Start
	v1     bool
	write  func(event []byte)
	passes func(barrier string) bool // waits for it; false where the client has gone

	index   int // the one of the block
	stopped bool
	results map[int]int // indexes at which sub-agents began, which theirs stay, by their results
	size    int         // of pieces of the model
	main    *streamer
	manager *eventManager
	broke   bool
}

// streamer converts one model's output into messages. Every sub-agent has one.
type streamer struct {
	s        *stream
	reader   reader
	suppress bool
	result   *int // index of the result of a tool that its text is; nil for that of the agent itself

	content   []text
	reasoning []reasoning
	citations []citation
	calls     map[int]*called
	replaced  []*called // calls at whose index another one began
	usage     map[string]json.RawMessage

	short   text          // of version 1: the part of a text that waits for the next one
	slice   int           // of version 1: characters of the next one
	waiting int           // content index of the last citation, -1 where none waits
	sources []*linkedText // of version 1
}

// called is a call whose input is being assembled.
type called struct {
	name, id  string
	arguments text
}

func newStream(script merlin.Script, v1 bool, ways Ways, write func([]byte), passes func(string) bool) *stream {
	s := &stream{ways: ways, start: script.Start, v1: v1, write: write, passes: passes, results: map[int]int{}}
	s.main = &streamer{s: s, suppress: script.Suppress, slice: 5, waiting: -1}
	if v1 {
		s.append("INIT_MESSAGE_CONTENT", object{})
		s.main.sources = linked(script.Attachments)
		return s
	}
	s.index = max(script.GlobalIndex, script.EventManagerIndex) // 004:852-863
	if asked := script.ContentIndex; asked != nil {             // 004:841-850
		s.index = max(*asked, script.GlobalIndex)
	}
	return s
}

// append writes an event.
func (s *stream) append(name string, data any) {
	s.write([]byte("event: " + name + "\ndata: " + string(marshal(data)) + "\n\n"))
}

// end ends a stream. 004:763-769
func (s *stream) end() {
	if s.ways.Typed && !s.v1 && !s.broke && len(s.main.calls) > 0 {
		s.append("message", object{"content": "", "type": "toolCalls", "toolCalls": s.main.assembled(), "contentIndex": s.index})
	}
	if s.ways.Example {
		s.append("end", object{})
		return
	}
	s.append("end", object{"type": "DONE"})
}

// play performs a script.
func (s *stream) play(acts []merlin.Instruction) {
	var row []merlin.Instruction
	for _, a := range acts {
		if a.Delta != nil || a.Usage != nil || a.Bytes != nil || a.Split != nil {
			row = append(row, a)
			continue
		}
		s.main.stream(row, &s.size)
		row = nil
		switch {
		case a.Abort: // 004:335-346
			s.broke = true
			return
		case a.Stop: // 004:209
			s.stop()
			return
		case a.Await != "" && !s.passes(a.Await):
			return
		default:
			s.perform(a)
		}
	}
	s.main.stream(row, &s.size)
}

// stop has nothing more of the model sent.
func (s *stream) stop() {
	s.stopped = true
	if s.manager == nil || !s.ways.Other {
		return
	}
	for _, e := range s.manager.events {
		if e.status != "DONE" {
			e.status = "DONE"
			e.send(nil)
		}
	}
}

// perform performs a script step that isn't the model's.
func (s *stream) perform(a merlin.Instruction) {
	switch {
	case a.Step != nil:
		s.progress(*a.Step)
	case s.v1:
	case a.SubAgent != nil: // 004:877-887
		split, of := 0, a.SubAgent.Index
		if _, runs := s.results[of]; !runs {
			s.results[of] = s.index
		}
		sub := &streamer{s: s, suppress: a.SubAgent.Suppress, result: &of}
		sub.stream(a.SubAgent.Instructions, &split)
	case a.ToolResult != nil: // 004:889-898
		r := a.ToolResult
		s.append("message", object{"content": "", "type": "toolCallResult", "contentIndex": s.index, "toolCallResult": object{
			"index": r.Index, "result": r.Result, "toolCallId": r.ToolCallID, "function": object{"name": r.Name},
		}})
		if s.ways.Rises {
			s.index++
		}
	case a.Handoff != "":
		s.index++
	}
}

// stream streams consecutive output of the model.
func (s *streamer) stream(row []merlin.Instruction, size *int) {
	all := pieces(row, size)
	for i, piece := range all {
		for _, e := range s.reader.read(piece) {
			d := delta{}
			if len(e.Choices) > 0 {
				d = e.Choices[0].Delta
			}
			if s.s.v1 {
				s.streamV1(d, len(all)-i-1)
			} else {
				s.streamV2(d)
			}
			to := s
			if s.s.ways.Other { // usage of a sub-agent also counts for the stream
				to = s.s.main
			}
			if len(e.Usage) > 0 { // 004:297-302
				if to.usage == nil {
					to.usage = map[string]json.RawMessage{}
				}
				maps.Copy(to.usage, e.Usage)
			}
		}
	}
	s.sendDelayed()
}

// take assembles calls. An entry that continues no call is an error, and the entries after it are lost. 004:249-272,
// 438-461
func (s *streamer) take(entries []toolCall) {
	for _, entry := range entries {
		if entry.Type != nil {
			if s.calls == nil {
				s.calls = map[int]*called{}
			}
			if before := s.calls[entry.Index]; before != nil && s.s.ways.Other {
				s.replaced = append(s.replaced, before)
			}
			s.calls[entry.Index] = &called{entry.Function.Name, entry.ID, entry.Function.Arguments}
			continue
		}
		call := s.calls[entry.Index]
		if call == nil {
			return
		}
		call.arguments = append(call.arguments[:len(call.arguments):len(call.arguments)], entry.Function.Arguments...)
	}
}

// assembled returns the calls with arguments. 004:305-324, 498-515
func (s *streamer) assembled() []object {
	out, all := []object{}, slices.Clone(s.replaced)
	for _, index := range slices.Sorted(maps.Keys(s.calls)) {
		all = append(all, s.calls[index])
	}
	for _, call := range all {
		if len(call.arguments) > 0 {
			out = append(out, object{"type": "function", "id": call.id, "function": object{"name": call.name, "arguments": call.arguments}})
		}
	}
	return out
}

// aggregate returns the JSON of the stream's aggregate. 004:326-346, 517-535
func (s *stream) aggregate() []byte {
	total := object{"content": s.main.content, "reasoningContent": s.main.reasoning, "citations": s.main.citations}
	if s.main.content == nil || s.ways.Other && s.start.Suppress && !s.v1 {
		total["content"] = []text{}
	}
	if s.main.reasoning == nil {
		total["reasoningContent"] = []reasoning{}
	}
	if s.main.citations == nil {
		total["citations"] = []citation{}
	}
	if calls := s.main.assembled(); !s.broke && (!s.stopped || !s.ways.Other) && (len(calls) > 0 || !s.v1 && len(s.main.calls) > 0) {
		total["toolCalls"] = calls
	}
	if s.main.usage != nil {
		total["usage"] = s.main.usage
	}
	return marshal(total)
}
