package aep

import (
	"fmt"
	"regexp"
	"slices"
)

// World is what all threads share: what was given out may not be given out again.
type World struct {
	Ledger   Ledger
	Fragment string // the member that holds a piece of arguments
	Result   string // the member that holds what came of an action

	requests map[string]bool // ids
	threads  map[string]bool
	actions  []*Action
	ticks    int
	// cancelled and left report whether a request was cancelled, and whether a client has left: what happens to another
	// request afterwards may come of it.
	cancelled, left bool
}

// NewWorld makes one in which nothing has happened.
func NewWorld() *World {
	return &World{Ledger: Ledger{}, Fragment: "delta", Result: "result", requests: map[string]bool{}, threads: map[string]bool{}}
}

// Stopped tells of a cancellation, whatever it was of.
func (w *World) Stopped() { w.cancelled = true }

// actionsOf lists the actions that have an id, of all threads.
func (w *World) actionsOf(id string) []*Action {
	return slices.DeleteFunc(slices.Clone(w.actions), func(a *Action) bool { return a.ID != id })
}

func (w *World) tick() int {
	w.ticks++
	return w.ticks
}

// Thread is a conversation. Its id is known once metadata has told it.
type Thread struct {
	ID    string
	Owner int

	world   *World
	family  string // of all markers of a program
	name    string
	turns   []*Turn
	actions []*Action
}

// NewThread makes a thread that no request has begun yet.
func NewThread(w *World, family, name string, owner int) *Thread {
	return &Thread{Owner: owner, world: w, family: family, name: name}
}

// Marker stands in every text of the nth request of the thread, and in no other.
func (t *Thread) Marker(n int) string { return fmt.Sprintf("[%s:%s.%d]", t.family, t.name, n) }

// Turns is how many requests were made.
func (t *Thread) Turns() int { return len(t.turns) }

var markers = regexp.MustCompile(`\[[^\[\]:\s"\\]{1,100}:\d+\.\d+\]`)

// state is what has become of an action.
type state int

const (
	open     state = iota // no result was taken
	working               // a run works on its result
	resolved              // that run has ended with done
	unsure                // open or resolved, as the server likes
)

// Action is something that the client was asked to do.
type Action struct {
	ID     string
	Thread *Thread
	state  state
}

// Open lists the actions whose result has to be taken.
func (t *Thread) Open() []*Action { return t.in(open) }

// Resolved lists the actions of which no other result may be taken.
func (t *Thread) Resolved() []*Action { return t.in(working, resolved) }

func (t *Thread) in(states ...state) []*Action {
	return slices.DeleteFunc(slices.Clone(t.actions), func(a *Action) bool { return !slices.Contains(states, a.state) })
}

// waits reports whether the thread may be waiting for its client.
func (t *Thread) waits() bool { return len(t.in(open, working, unsure)) > 0 }

// history compares what the agent was handed with what was said before a request.
//
// aep.threads.history: what the user said in requests that ended with done before this one was made is there, in its order
// and once. What was said in others, as long as they didn't begin after this one was taken, may be there or not.
func (t *Thread) history(of *Turn, got any) error {
	list, ok := got.([]any)
	if !ok {
		return breach("aep.threads.history", "an array", clipped(fmt.Sprint(got)), "the agent was handed no history")
	}
	at := map[string]place{}
	for _, turn := range t.turns {
		for i, text := range turn.Texts {
			at[text] = place{turn, i}
		}
	}
	var last place
	seen := map[string]bool{}
	for i, item := range list {
		text, _ := item.(string)
		p, known := at[text]
		switch {
		case !known:
			return t.strange(text, i)
		case p.turn == of:
			return breach("aep.threads.history", "what was said before", clipped(text), "the history holds what is said in the present request")
		case p.turn.refused || of.takenAt > 0 && p.turn.begun > of.takenAt:
			return breach("aep.threads.history", "no message of a request that was refused or came later", clipped(text), "message %d of the history was never part of it", i+1)
		case seen[text]:
			return breach("aep.threads.history", "each message once", clipped(text)+" twice", "message %d of the history is there twice", i+1)
		case last.turn != nil && p.before(last):
			return breach("aep.threads.history", "the order in which it was said", clipped(text)+" after "+clipped(last.turn.Texts[last.index]), "message %d of the history is out of order", i+1)
		}
		seen[text], last = true, p
	}
	for _, turn := range t.turns {
		for _, text := range turn.Texts {
			if turn.done && turn.ended < of.begun && !seen[text] {
				return breach("aep.threads.history", clipped(text), fmt.Sprintf("%d other messages", len(list)), "the history lacks a message")
			}
		}
	}
	t.world.Ledger.saw("aep.threads.history")
	t.world.Ledger.saw("aep.threads.isolation")
	return nil
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
