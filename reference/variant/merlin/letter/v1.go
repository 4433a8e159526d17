package letter

import (
	"encoding/json"
	"fmt"
	"slices"
)

// streamV1 streams an event of the model in version 1, while so many pieces wait. 004:184-303. The pauses between slices
// are left out: they can't be distinguished from those of the network.
func (s *streamer) streamV1(d delta, waiting int) {
	index := -1
	if d.Index != nil {
		index = *d.Index
	}
	if s.waiting != -1 && index != -1 && s.waiting < index { // 004:195-203
		s.sendDelayed()
		s.content = append(s.content, s.cite(s.citations[len(s.citations)-1]))
		s.waiting = -1
	}
	said := d.Content
	if s.s.ways.Other { // a remainder shorter than a slice waits for the next text, as long as pieces wait
		said, s.short = append(s.short, said...), nil
	}
	for at := 0; at < len(said); { // 004:206-244
		if s.s.ways.Other && waiting > 0 && len(said)-at < s.slice {
			s.short = said[at:]
			break
		}
		slice := said[at:min(at+s.slice, len(said))]
		s.content = append(s.content, slice)
		s.s.append("message", object{"content": slice})
		at += s.slice
		switch {
		case waiting < 1:
			s.slice = 2
		case waiting < 5:
			s.slice = 3
		case waiting < 10:
			s.slice = 4
		default:
			s.slice = 5
		}
	}
	s.take(d.ToolCalls)
	if d.Reasoning != nil { // 004:276-285
		s.reasoning = append(s.reasoning, *d.Reasoning)
	}
	if d.Citation != nil && (d.Citation.Document < len(s.sources) || !s.s.ways.Other) { // 004:287-295
		s.citations = append(s.citations, *d.Citation)
		s.waiting = index
	}
}

// sendDelayed sends the delayed part of a text.
func (s *streamer) sendDelayed() {
	if len(s.short) > 0 {
		s.content = append(s.content, s.short)
		s.s.append("message", object{"content": s.short})
		s.short = nil
	}
}

// linkedText is a web attachment, with its cited texts.
type linkedText struct {
	url, title string
	cited      []string
}

// linked returns the attachments of the web.
func linked(attachments []json.RawMessage) (out []*linkedText) {
	for _, raw := range attachments {
		var a struct{ Type, URL, Title string }
		if json.Unmarshal(raw, &a) == nil && a.Type == "web" {
			out = append(out, &linkedText{url: a.URL, title: a.Title})
		}
	}
	return out
}

// cite sends the attachments of a citation, and its mark. 004:779-830
func (s *streamer) cite(c citation) text {
	number, payload := 0, []object{}
	for i, a := range s.sources {
		if i == c.Document {
			if number = slices.Index(a.cited, c.Text); number < 0 {
				number = len(a.cited)
				a.cited = append(a.cited, c.Text)
			}
		}
		shown := object{"url": a.url, "title": a.title}
		if a.cited != nil {
			shown["cited_text"] = slices.Clone(a.cited)
		}
		payload = append(payload, shown)
	}
	s.s.append("attachments", object{"payload": payload})
	mark := of(fmt.Sprintf("[citation: %d: %d]", c.Document+1, number+1))
	s.s.append("message", object{"content": mark})
	return mark
}
