package aep

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// historyCheck compares the history that an agent got with the earlier messages of its thread.
type historyCheck struct {
	thread *Thread           // of the request
	of     *Turn             // the request whose agent got the history
	seen   map[position]bool // positions of the messages so far: each may be there once
	left   map[string]int    // by key, how many later items are equal
	last   position          // of the latest message; its turn is nil before the first
}

// history compares the history that the agent got with the messages before a request.
//
// aep.threads.history: the messages of requests that ended with done before this one was sent are in it, of both sides, in
// order and once. The user's messages in other requests that began before this one was accepted may be in it or not, and so
// may the beginning of an answer that wasn't over.
func (t *Thread) history(of *Turn, got any) error {
	list, ok := got.([]any)
	if !ok {
		return violation("aep.threads.history", "an array", clipped(fmt.Sprint(got)), "the agent was handed no history")
	}
	h := &historyCheck{thread: t, of: of, seen: map[position]bool{}, left: alike(list)}
	at := t.users()
	for i, item := range list {
		if err := h.take(i, item, at); err != nil {
			return err
		}
	}
	if err := h.lacks(); err != nil {
		return err
	}
	of.saw("aep.threads.history")
	if slices.ContainsFunc(t.turns, func(turn *Turn) bool { return turn.restarts < of.restarts && h.lasts(turn) }) {
		of.saw("aep.durable.history")
	}
	if slices.ContainsFunc(t.turns, func(turn *Turn) bool { return turn.Replica != of.Replica && h.lasts(turn) }) {
		of.saw("aep.replicas.history")
	}
	of.saw("aep.threads.isolation")
	return nil
}

// take compares an item of the history, counted from 0, with the user's messages by text, or with the agent's.
func (h *historyCheck) take(i int, item any, users map[string][]position) error {
	object, _ := item.(map[string]any)
	text, said := object["user"].(string)
	h.left[key(item)]--
	p, known := h.pick(users[bared(text)], h.left[key(item)])
	if answer, ok := object["agent"].(string); ok && !said {
		if answer == "" || h.thread.startsMarker(answer) {
			return nil
		}
		text = answer
		if p, known = h.pick(after(h.last, h.answers(answer)), h.left[key(item)]); known {
			if err := h.allows(p.turn, answer); err != nil {
				return err
			}
		}
	}
	switch {
	case !known:
		return h.thread.strange(text, i)
	case p.turn == h.of:
		return violation("aep.threads.history", "what was said before", clipped(text), "the history contains a message of the present request")
	case p.turn.refused && !h.mayStore(p.turn) || h.of.takenAt > 0 && p.turn.started > h.of.takenAt:
		return violation("aep.threads.history", "no message of a request that was refused or came later", clipped(text), "message %d of the history was never part of it", i+1)
	case h.seen[p]:
		return violation("aep.threads.history", "each message once", clipped(text)+" twice", "message %d of the history is there twice", i+1)
	case h.last.turn != nil && p.before(h.last):
		return violation("aep.threads.history", "the order in which it was said", clipped(text)+" after what was said later", "message %d of the history is out of order", i+1)
	}
	h.seen[p], h.last = true, p
	return nil
}

// key returns the author and the normalized text of a history item; equal items have equal keys.
func key(item any) string {
	object, _ := item.(map[string]any)
	if text, said := object["user"].(string); said {
		return "user " + bared(text)
	}
	answer, _ := object["agent"].(string)
	return "agent " + answer
}

// alike counts the items by key.
func alike(list []any) map[string]int {
	n := map[string]int{}
	for _, item := range list {
		n[key(item)]++
	}
	return n
}

// lacks finds missing messages of requests that ended with done before.
func (h *historyCheck) lacks() error {
	for _, turn := range h.thread.turns {
		if !h.lasts(turn) {
			continue
		}
		for i, text := range turn.Texts {
			if !h.seen[position{turn, i}] {
				return violation(h.remembered(turn), clipped(text), fmt.Sprintf("%d other messages", len(h.seen)), "the history lacks a message")
			}
		}
		if answer := turn.got.text(); bared(answer) != "" && !h.seen[position{turn, len(turn.Texts)}] {
			return violation(h.remembered(turn), clipped(answer), fmt.Sprintf("%d other messages", len(h.seen)), "the history lacks an answer")
		}
	}
	return nil
}

// users returns the positions of the user's messages by text, in the order of the requests.
func (t *Thread) users() map[string][]position {
	at := map[string][]position{}
	for _, turn := range t.turns {
		for i, text := range turn.Texts {
			at[bared(text)] = append(at[bared(text)], position{turn, i})
		}
	}
	return at
}

// answers returns the positions of the agent's messages that may have a text, in order: those with this text and those that
// begin with it or may continue from it, since either answer of a repeated request may be stored. Every answer begins with
// the marker of its request, except for bare ones.
func (h *historyCheck) answers(text string) (out []position) {
	var others, whole []position
	for _, turn := range h.thread.turns {
		at := position{turn, len(turn.Texts)}
		switch bare := turn.bare(); {
		case !bare && !strings.HasPrefix(text, turn.Marker()):
		case turn.got.text() == text && !turn.refused:
			out = append(out, at)
		case !bare && h.lasts(turn):
			whole = append(whole, at)
		case !bare || !turn.done && strings.HasPrefix(literal(turn.Script), text):
			others = append(others, at)
		}
	}
	// A request that was made again has an answer that begins alike: it may be left of either.
	if len(out) > 0 || slices.ContainsFunc(others, func(p position) bool { return p.turn.may(text) }) {
		others = slices.DeleteFunc(others, func(p position) bool { return !p.turn.may(text) })
	}
	if all := slices.Concat(out, others); len(all) > 0 {
		slices.SortFunc(all, func(a, b position) int {
			return cmp.Compare(slices.Index(h.thread.turns, a.turn), slices.Index(h.thread.turns, b.turn))
		})
		return all
	}
	return whole
}

// after removes the positions before last, unless no other remains.
func after(last position, places []position) []position {
	late := slices.DeleteFunc(slices.Clone(places), func(p position) bool { return last.turn != nil && p.before(last) })
	if len(late) == 0 {
		return places
	}
	return late
}

// lasts reports whether the messages of a turn must be in the history.
func (h *historyCheck) lasts(turn *Turn) bool { return turn.done && turn.ended <= h.of.started }

// mayStore reports whether the server may store the user's messages of a refused request: the request is the thread's
// owner's and valid.
func (h *historyCheck) mayStore(turn *Turn) bool {
	return turn.User == h.thread.Owner && !turn.Unauthorized && !turn.UnknownThread && !turn.NoForm
}

// remembered returns the requirement by which the messages of a turn are in the history: that of durability if the server
// was killed in between, that of replicas if another one served it.
func (h *historyCheck) remembered(turn *Turn) string {
	switch {
	case turn.restarts < h.thread.world.restarts:
		return "aep.durable.history"
	case turn.Replica != h.of.Replica:
		return "aep.replicas.history"
	}
	return "aep.threads.history"
}

// pick selects one of several positions for a text that is repeated left times: the first unseen one, unless it is optional
// and the other ones are needed for the required ones. If no position may be in the history of a request, it returns a
// forbidden one.
func (h *historyCheck) pick(places []position, left int) (position, bool) {
	var free []position
	must := 0
	for _, p := range places {
		if !h.seen[p] && p.turn != h.of && (!p.turn.refused || h.mayStore(p.turn)) {
			if free = append(free, p); h.lasts(p.turn) {
				must++
			}
		}
	}
	for _, p := range free {
		if h.lasts(p.turn) || left >= must {
			return p, true
		}
	}
	if len(places) == 0 {
		return position{}, false
	}
	return places[len(places)-1], true
}

// MaySay reports whether a text may be sent on the thread, for the first time or again: all its occurrences must be in the
// history, except for at most one without done.
func (t *Thread) MaySay(text string) bool {
	unanswered := 0
	for _, turn := range t.turns {
		if turn.done || !slices.Contains(allBared(turn.Texts), bared(text)) {
			continue
		}
		if unanswered++; unanswered > 1 || turn.ended == 0 {
			return false
		}
	}
	return true
}

// MayAnswer reports whether the agent may emit a text without a marker: its earlier ones are in the history.
func (t *Thread) MayAnswer() bool {
	return !slices.ContainsFunc(t.turns, func(turn *Turn) bool { return turn.bare() && !turn.done })
}

// bare reports whether the agent's text has no marker.
func (t *Turn) bare() bool {
	said := literal(t.Script)
	return said != "" && !echoes(t.Script) && !strings.HasPrefix(said, t.Marker())
}

// bared returns a user's text without white space, control and format characters at its ends, which servers may trim.
func bared(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) })
}

// allBared returns each text as bared does.
func allBared(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = bared(text)
	}
	return out
}

// startsMarker reports whether a text may be the beginning of an answer that ended inside its marker.
func (t *Thread) startsMarker(text string) bool {
	for _, turn := range t.turns {
		if !turn.done && len(text) < len(turn.Marker()) && strings.HasPrefix(turn.Marker(), text) {
			return true
		}
	}
	return false
}

// allows reports whether the history may contain this part of a turn's answer.
//
// aep.threads.unfinished-answer: of an answer without done it is a prefix of the sent text. If the client has gone, the
// agent's remaining text is valid too.
func (h *historyCheck) allows(t *Turn, text string) error {
	said := t.got.text()
	switch {
	case t.done && t.ended < h.of.started:
		if text != said {
			w, g := apart(said, text)
			return violation("aep.threads.history", w, g, "the history has another answer than was given")
		}
		return nil
	case t.may(text):
		if t.over && !t.disconnected && !t.done {
			t.saw("aep.threads.unfinished-answer")
		}
		return nil
	case t.disconnected || !t.over || t.done:
		said = literal(t.Script)
	}
	w, g := apart(said, text)
	return violation("aep.threads.unfinished-answer", w, g, "the history has what was never sent of an answer that wasn't over")
}

// may reports whether a text is one that may be left of a turn's answer that wasn't over.
func (t *Turn) may(text string) bool {
	whole := literal(t.Script)
	return strings.HasPrefix(t.got.text(), text) ||
		(t.disconnected || !t.over || t.done) && (strings.HasPrefix(whole, text) || echoes(t.Script) && strings.HasPrefix(text, whole))
}

// strange describes the origin of a text that doesn't belong to the thread.
func (t *Thread) strange(text string, at int) error {
	for _, m := range markers.FindAllString(text, -1) {
		if !t.owns(m) {
			return violation("aep.threads.isolation", "messages of this thread", clipped(text), "message %d of the history is from another thread", at+1)
		}
	}
	return violation("aep.threads.history", "what the user said", clipped(text), "message %d of the history was never said like that", at+1)
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

// position is the position of a message.
type position struct {
	turn  *Turn // nil before the first message
	index int   // in the turn: its texts from 0, then its answer
}

// before reports whether one message must come before another: the order of requests that were answered concurrently is
// unknown.
func (p position) before(q position) bool {
	if p.turn == q.turn {
		return p.index < q.index
	}
	return p.turn.ended > 0 && p.turn.ended < q.turn.started
}
