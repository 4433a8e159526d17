package letter

// streamV2 streams an event of the model in version 2. 004:396-496
func (s *streamer) streamV2(d delta) {
	s.content = append(s.content, d.Content)
	if s.s.ways.Other { // who thinks and speaks at once has thought first
		s.think(d)
	}
	if len(d.Content) > 0 && !s.suppress {
		if s.result != nil {
			s.say("toolCallResult", object{"index": *s.result, "delta": d.Content})
		} else {
			s.say("text", d.Content)
		}
	}
	if len(d.ToolCalls) > 0 { // 004:442-443: the first one alone
		s.take(d.ToolCalls[:1])
	}
	if !s.s.ways.Other {
		s.think(d)
	}
	if s.s.ways.Typed && d.Citation != nil {
		s.s.append("message", object{"content": "", "index": s.s.index, "type": "citation", "citation": d.Citation})
	}
}

// think sends reasoning of any agent, suppressed or not. 004:466-488
func (s *streamer) think(d delta) {
	if d.Reasoning == nil {
		return
	}
	s.reasoning = append(s.reasoning, *d.Reasoning)
	if len(d.Reasoning.Text) > 0 {
		s.say("reasoning", d.Reasoning.Text)
	}
}

// say sends a message of a type, whose member of that name has a value.
func (s *streamer) say(kind string, value any) {
	index := s.s.index
	if s.result != nil {
		index = s.s.results[*s.result]
	}
	message := object{"content": "", "index": index, "type": kind, kind: value}
	if s.s.ways.Example && kind == "text" {
		delete(message, "content")
	}
	s.s.append("message", message)
}
