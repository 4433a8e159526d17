package helixui

import (
	"strings"
)

// CheckResumed compares the parts of a reader that resumed at an id with the parts after that id.
func CheckResumed(id string, want, got []Part, l OccasionCounts) error {
	wanted, had := Folded(want), Folded(got)
	for i := range max(len(wanted), len(had)) {
		switch {
		case i >= len(had):
			return violated("helix-ui.resume.after", clipped(wanted[i]), "the end of the response", "a part behind the id %s is lost", id)
		case i >= len(wanted):
			return violated("helix-ui.resume.after", "the end of the response", clipped(had[i]), "more than what is behind the id %s comes", id)
		case !same(wanted[i], had[i]):
			return unequal("helix-ui.resume.after", wanted[i], had[i], "what comes behind the id %s is something else", id)
		}
	}
	l.Saw("helix-ui.resume.after")
	return nil
}

// Page compares the content of a page, from the messages of its history and its stream, with the answer.
func Page(answer *Account, messages []map[string]any, stream []Part, l OccasionCounts) error {
	var got Account
	for _, m := range messages {
		got.TakeMessage(m)
	}
	for _, p := range stream {
		got.Take(p)
	}
	if d := answer.Differs(&got); d != nil {
		return violated("helix-ui.replay.once", d[0], d[1], "a page that was refreshed shows something else than the answer")
	}
	l.Saw("helix-ui.replay.once")
	return nil
}

// Chat records the turns of a chat, to compare them with its history.
type Chat struct {
	Occasions OccasionCounts // of the caller
	Forgets   bool           // the history may lack the message of a failed turn
	turns     []chatTurn     // in their order; only the last may be open
}

// chatTurn is a turn of a chat.
type chatTurn struct {
	user   string   // text of the user's message
	answer *Account // as readers received it; nil while the turn is open
	open   bool     // its answer isn't complete
	early  bool     // it ended early: the server may store the partial answer or drop it
	failed bool     // it ended with an error
}

// UserMessage begins a turn with a user message. It replaces a turn that is open, because the server refused that.
func (c *Chat) UserMessage(user string) {
	if n := len(c.turns); n > 0 && c.turns[n-1].open {
		c.turns = c.turns[:n-1]
	}
	c.turns = append(c.turns, chatTurn{user: user, open: true})
}

// Answered ends the latest turn. early: the turn was ended before its end; failed: its run failed.
func (c *Chat) Answered(answer *Account, early, failed bool) {
	t := &c.turns[len(c.turns)-1]
	t.answer, t.open, t.early, t.failed = answer, false, early, failed
}

// storableText returns a text without NUL characters and without white space at its ends, which stores may drop.
func storableText(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\x00", "")) }

// storable returns a value without NUL characters in strings and member names, which stores may drop.
func storable(value any) any {
	switch v := value.(type) {
	case string:
		return strings.ReplaceAll(v, "\x00", "")
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = storable(item)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for name, item := range v {
			out[strings.ReplaceAll(name, "\x00", "")] = storable(item)
		}
		return out
	}
	return value
}

// group is a user message of the history with the assistant messages after it.
type group struct {
	user    string           // text of the user's message
	answers []map[string]any // in the order of the history
}

// CheckHistory compares the history with the chat, and returns the messages of the open answer. The server may already
// include its user's message.
func (c *Chat) CheckHistory(messages []any) ([]map[string]any, error) {
	var groups []group
	for _, item := range messages {
		m, _ := item.(map[string]any)
		switch n := len(groups); {
		case m["role"] == "user":
			groups = append(groups, group{user: TextOf(m)})
		case m["role"] == "assistant" && n > 0:
			groups[n-1].answers = append(groups[n-1].answers, m)
		}
	}
	at := 0 // in groups
	for i, t := range c.turns {
		rule := "helix-ui.history.whole"
		if t.failed {
			rule = "helix-ui.history.failed"
		}
		switch {
		case t.failed && c.Forgets && !c.keeps(i, groups[at:]):
			continue
		case at >= len(groups) && t.open:
			return nil, nil
		case at >= len(groups):
			return nil, violated(rule, "the message "+clipped(t.user), "none", "a message of the user isn't in the history")
		case storableText(groups[at].user) != storableText(t.user):
			return nil, violated(rule, "the message "+clipped(t.user), clipped(groups[at].user), "a message of the user isn't in the history at its place")
		case t.open:
			return groups[at].answers, nil
		}
		if err := c.answered(t, groups[at]); err != nil {
			return nil, err
		}
		c.Occasions.Saw(rule)
		at++
	}
	if len(groups) > at {
		return nil, violated("helix-ui.history.whole", "nothing more", clipped(groups[at].user), "there is a message of the user in the history that nobody sent")
	}
	return nil, nil
}

// keeps reports whether the first of the remaining groups is of a failed turn, not of a later one with the same message.
func (c *Chat) keeps(turn int, remaining []group) bool {
	needed := 0
	for _, later := range c.turns[turn+1:] {
		if !later.failed && !later.open {
			needed++
		}
	}
	return len(remaining) > needed && storableText(remaining[0].user) == storableText(c.turns[turn].user)
}

// answered compares the history of a finished turn.
func (c *Chat) answered(t chatTurn, g group) error {
	var told Account
	for _, m := range g.answers {
		told.TakeMessage(m)
	}
	said, got := t.answer.Text(), told.Text()
	if want := storableText(said); storableText(got) != want && !(t.early && strings.HasPrefix(want, storableText(got))) {
		shown := clipped(got)
		if len(g.answers) == 0 {
			shown = "no answer"
		}
		return violated("helix-ui.history.whole", "the answer "+clipped(said), shown, "an answer isn't in the history as it was streamed")
	}
	if t.early {
		return nil
	}
	if d := t.answer.Lost(&told); d != nil {
		return violated("helix-ui.history.calls", d[0], d[1], "a call isn't in the history as it was streamed")
	}
	c.Occasions.Saw("helix-ui.history.calls")
	return nil
}
