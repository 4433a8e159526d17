package merlin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	// orphanMark matches the mark of a citation of a missing document at the beginning of a text, and startedMark a prefix of
	// one.
	orphanMark  = regexp.MustCompile(`^\[citation: -?\d+: -?\d+\]`)
	startedMark = regexp.MustCompile(`^\[(c|$)(i|$)(t|$)(a|$)(t|$)(i|$)(o|$)(n|$)(:|$)( |$)[-\d]*(:|$)( |$)[-\d]*$`)
)

// astray removes the mark of a citation of a missing document from a text. waits: the mark may continue with the next
// slice.
func (s *Stream) astray(got string) (rest string, waits bool) {
	for s.at < len(s.expected) && s.expected[s.at].orphan {
		said := orphanMark.FindString(got)
		if said == "" && startedMark.MatchString(got) {
			return got, true
		}
		s.shown.WriteString(said)
		got = got[len(said):]
		s.pass()
	}
	return got, false
}

// flush adds the marks of the citations that wait for text of a content index. optional: none of them is required.
func (r *reading) flush(index int, optional bool) {
	pending := r.pending
	r.pending = nil
	for _, w := range pending {
		if w.index != nil && *w.index >= index {
			r.pending = append(r.pending, w)
			continue
		}
		o := expectedItem{kind: citing, of: "merlin.citations.moment", cite: w.Citation, number: w.number, optional: optional, loose: w.number < r.cites}
		if w.Document >= len(r.script.web()) { // the server may render it in any way
			o.optional, o.orphan = true, true
		} else {
			r.cited = append(r.cited, w.Citation)
		}
		r.owe(o)
	}
}

// early allows the marks of citations that wait for text of a content index for which an event without a text came.
func (r *reading) early(index int) {
	for _, w := range r.pending {
		if w.index != nil && *w.index < index && w.Document < len(r.script.web()) {
			r.owe(expectedItem{kind: citing, cite: w.Citation, number: w.number, optional: true, early: true})
		}
	}
}

// lists returns the texts that were cited of each document, each once.
func lists(cited []Citation) map[int][]string {
	out := map[int][]string{}
	for _, c := range cited {
		if !slices.Contains(out[c.Document], c.Text) {
			out[c.Document] = append(out[c.Document], c.Text)
		}
	}
	return out
}

// plus returns some citations and one more.
func plus(cited []Citation, c Citation) []Citation {
	return append(cited[:len(cited):len(cited)], c)
}

// markOf returns the mark of the last of some citations.
func markOf(cited []Citation) string {
	last := cited[len(cited)-1]
	return fmt.Sprintf("[citation: %d: %d]", last.Document+1, slices.Index(lists(cited)[last.Document], last.Text)+1)
}

// attachments takes those before a mark: that of the first expected citation whose text they list. Earlier ones may be lost if
// another one came after them.
func (s *Stream) attachments(payload []any) error {
	if o := s.expected[s.at:]; len(o) > 0 && o[0].kind == citing && o[0].received && !o[0].orphan {
		return s.surplus("merlin.citations.mark", "attachments")
	}
	var first error
	for at := s.at; at < len(s.expected); at++ {
		o := &s.expected[at]
		if o.kind == citing {
			cited := plus(s.sent, o.cite)
			if o.orphan { // of a document that there isn't nothing can be listed
				cited = s.sent
			}
			err := s.attached(cited, payload)
			if err == nil {
				s.announced(at, payload)
				return nil
			}
			if first == nil || o.needs() {
				first = err
			}
		}
		if o.needs() {
			break
		}
	}
	if first == nil {
		first = s.surplus("merlin.citations.moment", "attachments")
	}
	return first
}

// announced records that attachments came which may be those of the expected mark at an index, or of one after it.
func (s *Stream) announced(at int, payload []any) {
	for s.at < at {
		s.pass()
	}
	if s.expected[s.at].orphan {
		return
	}
	s.expected[s.at].announced = true
	s.listed = map[int][]any{}
	for i, item := range payload {
		shown, _ := item.(map[string]any)
		s.listed[i], _ = shown["cited_text"].([]any)
	}
	s.occasions.Saw("merlin.citations.documents", "merlin.citations.attachments")
}

// hears makes a mark the next item. After it the mark isn't required again, and one of an equal citation only recommended.
func (s *Stream) hears(at int) *expectedItem {
	s.expected[s.at].announced = false
	for s.at < at {
		s.pass()
	}
	o := &s.expected[at]
	if s.occasions.Saw("merlin.citations.moment"); slices.Contains(s.sent, o.cite) {
		s.occasions.Saw("merlin.citations.same-number", "merlin.citations.cited-once")
	}
	o.received, o.optional, o.text, o.of = true, false, markOf(plus(s.sent, o.cite)), "merlin.citations.mark"
	cite, number := o.cite, o.number
	rest := slices.DeleteFunc(s.expected[s.at+1:], func(o expectedItem) bool { return o.kind == citing && o.number == number })
	s.expected = s.expected[:s.at+1+len(rest)]
	for i := range rest {
		if rest[i].kind != citing {
			break
		}
		rest[i].loose = rest[i].loose || rest[i].cite == cite
	}
	return o
}

// spoken returns the item that a slice of text belongs to: the first citation mark that it can be, of those whose text the
// last attachments list, or else the next text. It returns nil if no text may come. waits: the slice may be the beginning
// of a mark that the next slice completes.
func (s *Stream) spoken(got string) (o *expectedItem, waits bool) {
	for at := s.at; at < len(s.expected) && s.expected[at].kind == citing; at++ {
		o := &s.expected[at]
		if o.received {
			return o, false // at is s.at; the marks after it follow when it is complete
		}
		if slices.Contains(s.listed[o.cite.Document], any(o.cite.Text)) {
			if startedMark.MatchString(got) {
				return nil, true
			}
			if strings.HasPrefix(got, markOf(plus(s.sent, o.cite))) {
				return s.hears(at), false
			}
		}
		if !o.optional && !o.loose {
			break
		}
	}
	for s.at < len(s.expected) && s.expected[s.at].kind == citing {
		if s.expected[s.at].announced {
			return s.hears(s.at), false
		}
		if s.expected[s.at].needs() {
			return nil, false
		}
		s.pass()
	}
	s.listed = nil
	return s.next(text), false
}

// needs reports whether an item must come before the next ones.
func (o expectedItem) needs() bool {
	return o.announced || o.kind != handoff && !o.optional && (!o.loose || o.received)
}

// passMark notes that a mark came, or doesn't any more.
func (s *Stream) passMark(o expectedItem) {
	switch {
	case o.orphan || o.early && !o.received:
		return
	case o.received:
	case o.optional:
		s.lost = append(s.lost, o.cite)
		s.unsent += markOf(append(slices.Clone(s.sent), s.lost...))
		return
	case o.loose:
		s.advise(violation("merlin.citations.each", "the citation of "+clipped(o.cite.Text), "the next text", "a citation is lost when another one comes"))
		return
	}
	s.sent = plus(s.sent, o.cite)
}

// missing returns the index of the first source that attachments lack which otherwise are the sources in their order; -1 for
// others.
func missing(web []Attachment, payload []any) int {
	first, next := -1, 0
	for i, source := range web {
		switch {
		case next < len(payload) && source.is(payload[next]):
			next++
		case first < 0:
			first = i
		}
	}
	if next < len(payload) {
		return -1
	}
	return first
}

// is reports whether an item of attachments is this source.
func (a Attachment) is(item any) bool {
	shown, _ := item.(map[string]any)
	return shown["url"] == a.URL && shown["title"] == a.Title
}

// attached compares attachments with the citations of the marks up to theirs. A server may also list other citations so
// far.
func (s *Stream) attached(cited []Citation, payload []any) error {
	web := s.script.web()
	if n := missing(web, payload); n >= 0 {
		return violation("merlin.citations.attachments", clipped(web[n]), clipped(payload), "source %d of the %d on the web is missing", n+1, len(web))
	}
	if len(payload) != len(web) {
		return violation("merlin.citations.documents", fmt.Sprintf("%d sources", len(web)), clipped(payload), "the attachments are others than the sources on the web")
	}
	least, most := lists(cited), lists(s.cited)
	for i, item := range payload {
		shown, _ := item.(map[string]any)
		if !web[i].is(item) {
			return unequal("merlin.citations.documents", web[i], shown, "source %d is another one", i+1)
		}
		texts, _ := shown["cited_text"].([]any)
		for n, text := range texts {
			said, _ := text.(string)
			switch {
			case slices.Contains(texts[:n], text):
				return violation("merlin.citations.cited-once", "each text once", clipped(texts), "a text of source %d is listed twice", i+1)
			case n < len(least[i]) && said != least[i][n], n >= len(least[i]) && !slices.Contains(most[i], said):
				return unequal("merlin.citations.attachments", least[i], texts, "source %d has another citation than the model's", i+1)
			}
		}
		if len(texts) < len(least[i]) {
			return unequal("merlin.citations.attachments", least[i], texts, "a citation of source %d is missing", i+1)
		}
	}
	return nil
}
