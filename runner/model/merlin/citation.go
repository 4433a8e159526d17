package merlin

import (
	"fmt"
	"regexp"
	"slices"
)

var (
	// strayMark matches the mark of a citation whose document there isn't at the beginning of a text, and begunMark what may
	// become one.
	strayMark = regexp.MustCompile(`^\[citation: -?\d+: -?\d+\]`)
	begunMark = regexp.MustCompile(`^\[(c|$)(i|$)(t|$)(a|$)(t|$)(i|$)(o|$)(n|$)(:|$)( |$)[-\d]*(:|$)( |$)[-\d]*$`)
)

// astray takes what a text says of a citation whose document there isn't, and returns the rest. waits says that the mark may
// go on with the next slice.
func (s *Stream) astray(got string) (rest string, waits bool) {
	for s.at < len(s.owed) && s.owed[s.at].stray {
		if s.owed[s.at].kind == text {
			said := strayMark.FindString(got)
			if said == "" && begunMark.MatchString(got) {
				return got, true
			}
			s.shown.WriteString(said)
			got = got[len(said):]
		}
		s.pass()
	}
	return got, false
}

// lists are the texts that were cited of each document, each once.
func lists(cited []Citation) map[int][]string {
	out := map[int][]string{}
	for _, c := range cited {
		if !slices.Contains(out[c.Document], c.Text) {
			out[c.Document] = append(out[c.Document], c.Text)
		}
	}
	return out
}

// markOf is the mark of the last of some citations.
func markOf(cited []Citation) string {
	last := cited[len(cited)-1]
	return fmt.Sprintf("[citation: %d: %d]", last.Document+1, slices.Index(lists(cited)[last.Document], last.Text)+1)
}

// counts are how many texts are listed of each of some sources.
func counts(payload []any) map[int]int {
	out := map[int]int{}
	for i, item := range payload {
		shown, _ := item.(map[string]any)
		texts, _ := shown["cited_text"].([]any)
		out[i] = len(texts)
	}
	return out
}

// covers reports whether the texts of some citations are among those that were listed.
func covers(listed map[int]int, cited []Citation) bool {
	for document, texts := range lists(cited) {
		if listed[document] < len(texts) {
			return false
		}
	}
	return true
}

// attached compares the attachments before a mark. A server may list what waits for its mark as well.
func (s *Stream) attached(o *owed, payload []any) error {
	web := s.script.web()
	if len(payload) != len(web) {
		return breach("merlin.citations.documents", fmt.Sprintf("%d sources", len(web)), clipped(payload), "the attachments are others than the sources on the web")
	}
	least, most := lists(s.cited[:o.cites]), lists(s.cited)
	for i, item := range payload {
		shown, _ := item.(map[string]any)
		if shown["url"] != web[i].URL || shown["title"] != web[i].Title {
			return unequal("merlin.citations.documents", web[i], shown, "source %d is another one", i+1)
		}
		texts, _ := shown["cited_text"].([]any)
		for n, text := range texts {
			switch {
			case slices.Contains(texts[:n], text):
				return breach("merlin.citations.cited-once", "each text once", clipped(texts), "a text of source %d is listed twice", i+1)
			case n >= len(most[i]) || text != any(most[i][n]):
				return unequal("merlin.citations.attachments", most[i], texts, "what is cited of source %d is something else", i+1)
			}
		}
		if len(texts) < len(least[i]) {
			return unequal("merlin.citations.attachments", least[i], texts, "what is cited of source %d is missing", i+1)
		}
	}
	listed := counts(payload)
	for s.listed = o.cites; s.listed < len(s.cited) && covers(listed, s.cited[:s.listed+1]); {
		s.listed++
	}
	s.ledger.Saw("merlin.citations.documents", "merlin.citations.attachments")
	if o.stray {
		return nil
	}
	s.ledger.Saw("merlin.citations.moment")
	for _, c := range s.cited[:o.cites-1] {
		if c == s.cited[o.cites-1] {
			s.ledger.Saw("merlin.citations.same-number", "merlin.citations.cited-once")
			break
		}
	}
	return nil
}
