package aep

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// history compares what the agent was handed with what was said before a request.
//
// aep.threads.history: what was said in requests that ended with done before this one was made is there, by both sides, in
// its order and once. What the user said in others, as long as they didn't begin after this one was taken, may be there or
// not, and so may the beginning of an answer that wasn't over.
func (t *Thread) history(of *Turn, got any) error {
	list, ok := got.([]any)
	if !ok {
		return breach("aep.threads.history", "an array", clipped(fmt.Sprint(got)), "the agent was handed no history")
	}
	var last place
	seen := map[place]bool{}
	at := t.users()
	for i, item := range list {
		object, _ := item.(map[string]any)
		text, said := object["user"].(string)
		p, known := pick(at[bared(text)], of, seen)
		if answer, ok := object["agent"].(string); ok && !said {
			if answer == "" || t.torn(answer) {
				continue
			}
			text = answer
			if p, known = pick(t.answers(answer), of, seen); known {
				if err := p.turn.allows(of, answer); err != nil {
					return err
				}
			}
		}
		switch {
		case !known:
			return t.strange(text, i)
		case p.turn == of:
			return breach("aep.threads.history", "what was said before", clipped(text), "the history holds what is said in the present request")
		case p.turn.refused || of.takenAt > 0 && p.turn.begun > of.takenAt:
			return breach("aep.threads.history", "no message of a request that was refused or came later", clipped(text), "message %d of the history was never part of it", i+1)
		case seen[p]:
			return breach("aep.threads.history", "each message once", clipped(text)+" twice", "message %d of the history is there twice", i+1)
		case last.turn != nil && p.before(last):
			return breach("aep.threads.history", "the order in which it was said", clipped(text)+" after what was said later", "message %d of the history is out of order", i+1)
		}
		seen[p], last = true, p
	}
	if err := t.lacks(of, seen); err != nil {
		return err
	}
	t.world.Ledger.saw("aep.threads.history")
	t.world.Ledger.saw("aep.threads.isolation")
	return nil
}

// lacks finds what isn't there of requests that ended with done before.
func (t *Thread) lacks(of *Turn, seen map[place]bool) error {
	for _, turn := range t.turns {
		if !turn.done || turn.ended > of.begun {
			continue
		}
		for i, text := range turn.Texts {
			if !seen[place{turn, i}] {
				return breach("aep.threads.history", clipped(text), fmt.Sprintf("%d other messages", len(seen)), "the history lacks a message")
			}
		}
		if answer := turn.joined(); answer != "" && !seen[place{turn, len(turn.Texts)}] {
			return breach("aep.threads.history", clipped(answer), fmt.Sprintf("%d other messages", len(seen)), "the history lacks an answer")
		}
	}
	return nil
}

// users lists by text where the user has said it, in the order of the requests.
func (t *Thread) users() map[string][]place {
	at := map[string][]place{}
	for _, turn := range t.turns {
		for i, text := range turn.Texts {
			at[bared(text)] = append(at[bared(text)], place{turn, i})
		}
	}
	return at
}

// answers lists where the agent may have said a text: every answer begins with the marker of its request, and those that
// are this text come first.
func (t *Thread) answers(text string) (out []place) {
	var others []place
	for _, turn := range t.turns {
		switch {
		case !strings.HasPrefix(text, turn.Marker()):
		case turn.joined() == text:
			out = append(out, place{turn, len(turn.Texts)})
		default:
			others = append(others, place{turn, len(turn.Texts)})
		}
	}
	return append(out, others...)
}

// pick takes the first of several places that wasn't seen before and may be in the history of a request, or one that may
// not where there is no other. What is said again is said after all that was said like that has ended with done, so that
// the first is never the one that may be missing.
func pick(places []place, of *Turn, seen map[place]bool) (place, bool) {
	for _, p := range places {
		if !seen[p] && p.turn != of && !p.turn.refused {
			return p, true
		}
	}
	if len(places) == 0 {
		return place{}, false
	}
	return places[len(places)-1], true
}

// MaySay reports whether a text may be said on the thread, for the first time or once more: what was said like that has
// to be in the history.
func (t *Thread) MaySay(text string) bool {
	return !slices.ContainsFunc(t.turns, func(turn *Turn) bool { return !turn.done && slices.Contains(allBared(turn.Texts), bared(text)) })
}

// bared is what a user says without the white space at its ends, which is free, and what a server may take for it.
func bared(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) })
}

func allBared(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = bared(text)
	}
	return out
}

// torn reports whether a text may be the beginning of an answer that ended before its marker did.
func (t *Thread) torn(text string) bool {
	for _, turn := range t.turns {
		if !turn.done && len(text) < len(turn.Marker()) && strings.HasPrefix(turn.Marker(), text) {
			return true
		}
	}
	return false
}

// allows reports whether the history of a later request may hold this of the answer.
//
// aep.threads.unfinished-answer: of one that didn't end with done it is the beginning of what was sent. Where the client has
// gone, the rest of what the agent said is right too.
func (t *Turn) allows(of *Turn, text string) error {
	said := t.joined()
	switch {
	case t.done && t.ended < of.begun:
		if text != said {
			w, g := apart(said, text)
			return breach("aep.threads.history", w, g, "the history has another answer than was given")
		}
		return nil
	case t.cut || !t.over || t.done:
		whole := t.literal(len(t.Script))
		if strings.HasPrefix(said, text) || strings.HasPrefix(whole, text) || t.echoes(len(t.Script)) && strings.HasPrefix(text, whole) {
			return nil
		}
		said = whole
	case strings.HasPrefix(said, text):
		t.thread.world.Ledger.saw("aep.threads.unfinished-answer")
		return nil
	}
	w, g := apart(said, text)
	return breach("aep.threads.unfinished-answer", w, g, "the history has what was never sent of an answer that wasn't over")
}

// strange says of a text that nobody said on the thread where it comes from.
func (t *Thread) strange(text string, at int) error {
	for _, m := range markers.FindAllString(text, -1) {
		if !t.owns(m) {
			return breach("aep.threads.isolation", "messages of this thread", clipped(text), "message %d of the history is from another thread", at+1)
		}
	}
	return breach("aep.threads.history", "what the user said", clipped(text), "message %d of the history was never said like that", at+1)
}

// owns reports whether a marker is of one of the thread's requests.
func (t *Thread) owns(marker string) bool {
	for n := range t.turns {
		if marker == t.Marker(n+1) {
			return true
		}
	}
	return false
}

// place is where something was said.
type place struct {
	turn  *Turn
	index int
}

// before reports whether something must have been said before something else: of requests that were answered side by side
// nobody knows which was first.
func (p place) before(q place) bool {
	if p.turn == q.turn {
		return p.index < q.index
	}
	return p.turn.ended > 0 && p.turn.ended < q.turn.begun
}
