package merlin

import (
	"encoding/json"
	"math"
)

// largestSlice is the largest number of characters in a slice. merlin.slices.length
const largestSlice = 5

// sliceSize returns the number of characters in the next slice while so many pieces wait. merlin.pacing.empty,
// merlin.pacing.some, merlin.pacing.full
func sliceSize(waiting int) int {
	switch {
	case waiting < 1:
		return 2
	case waiting < 5:
		return 3
	case waiting < 10:
		return 4
	}
	return largestSlice
}

// v1 streams slices, and citations in between. It has no index. merlin.slices.no-index
type v1 struct {
	s       *stream      // to which it writes
	size    int          // characters of the next slice
	pending []awaiting   // citations whose mark isn't sent yet, in their order
	known   []attachment // by document: those of the type web
}

// awaiting is a citation that waits for text of a higher content index than it has.
type awaiting struct {
	Citation
	index int // -1 waits for any text
}

// attachment is one of the message; only those of the web are cited.
type attachment struct {
	url, title string // as the client gave them
	cited      []any  // texts
}

func newV1(s *stream) *v1 {
	v := &v1{s: s, size: s.o.First}
	for _, raw := range s.c.Start.Attachments {
		var a struct{ Type, URL, Title string }
		if json.Unmarshal(raw, &a) == nil && a.Type == "web" { // merlin.citations.documents
			v.known = append(v.known, attachment{url: a.URL, title: a.Title})
		}
	}
	return v
}

func (v *v1) delta(d Delta, waiting int) error {
	if d.Content != "" {
		if err := v.cited(d.Index); err != nil { // merlin.citations.moment, merlin.citations.each
			return err
		}
	}
	if err := v.slices(d.Content, waiting); err != nil {
		return err
	}
	v.s.total.take(d)      // merlin.slices.no-reasoning: it is kept, and not sent
	if d.Citation != nil { // merlin.aggregate.citations
		v.pending = append(v.pending, awaiting{*d.Citation, d.Index})
		v.s.total.Citations = append(v.s.total.Citations, *d.Citation)
	}
	return nil
}

// slices sends a text in slices of complete characters. merlin.slices.content, merlin.slices.complete
func (v *v1) slices(text string, waiting int) error {
	for rest := []rune(text); len(rest) > 0; {
		n := min(v.size, len(rest))
		if err := v.say(string(rest[:n])); err != nil {
			return err
		}
		rest, v.size = rest[n:], v.s.o.Size(waiting)
	}
	return nil
}

// say sends a text, which counts as content. merlin.aggregate.text, merlin.citations.aggregate
func (v *v1) say(text string) error {
	v.s.total.Content = append(v.s.total.Content, text)
	return v.s.send(Message, map[string]any{"content": text})
}

// flush sends every citation that is pending.
func (v *v1) flush() error { return v.cited(math.MaxInt) }

// cited sends the citations that wait for text of this content index. merlin.citations.none: without one nothing is sent.
func (v *v1) cited(index int) error {
	pending := v.pending
	v.pending = nil
	for _, c := range pending {
		if c.index >= index {
			v.pending = append(v.pending, c)
		} else if err := v.cite(c.Citation); err != nil {
			return err
		}
	}
	return nil
}

// cite sends the attachments with their cited texts, and then the mark.
func (v *v1) cite(c Citation) error {
	number := 1
	if c.Document >= 0 && c.Document < len(v.known) {
		number = v.known[c.Document].cite(c.Text)
	}
	payload := []any{}
	for _, a := range v.known {
		shown := map[string]any{"url": a.url, "title": a.title}
		if len(a.cited) > 0 {
			shown["cited_text"] = append([]any{}, a.cited...)
		}
		payload = append(payload, shown)
	}
	// merlin.citations.attachments, merlin.wire.payload
	if err := v.s.send(Attachments, map[string]any{"payload": payload}); err != nil {
		return err
	}
	return v.say(mark(c.Document+1, number)) // merlin.citations.mark
}

// cite returns the number of a text, which keeps it. merlin.citations.same-number, merlin.citations.cited-once
func (a *attachment) cite(text string) int {
	for i, known := range a.cited {
		if known == text {
			return i + 1
		}
	}
	a.cited = append(a.cited, text)
	return len(a.cited)
}
