package aep

import (
	"fmt"
	"regexp"
	"slices"
)

// Ids are the ids of requests and threads that a server has assigned. It may not assign them again.
type Ids struct{ requests, threads map[string]bool }

// NewIds returns a server that has given out nothing yet.
func NewIds() *Ids { return &Ids{map[string]bool{}, map[string]bool{}} }

// World is the state that all threads of a program share.
type World struct {
	Occasions OccasionCounts // of all threads
	Result    string         // name of the member that contains the result of an action

	ids      *Ids      // assigned by the server; an id is assigned once
	restarts int       // restarts of the server so far
	actions  []*Action // of all threads, in the order in which they were opened
	ticks    int       // grows with each event of a client, so that times are unique
	// cancelled reports whether any request was cancelled, and left whether any client has disconnected. Either may
	// affect later requests.
	cancelled, left bool
}

// NewWorld makes one in which nothing has happened but that ids were given out.
func NewWorld(ids *Ids) *World {
	return &World{Occasions: OccasionCounts{}, Result: "result", ids: ids}
}

// Restart records that the server was killed and started again. Every active request has ended.
func (w *World) Restart() { w.restarts++ }

// Stopped records a cancellation of any request.
func (w *World) Stopped() { w.cancelled = true }

// actionsOf lists the actions that have an id, of all threads.
func (w *World) actionsOf(id string) []*Action {
	return slices.DeleteFunc(slices.Clone(w.actions), func(a *Action) bool { return a.ID != id })
}

func (w *World) tick() int {
	w.ticks++
	return w.ticks
}

// Thread is a conversation. Its id is known after the first metadata event.
type Thread struct {
	ID    string // "" until metadata brings it; then it stays
	Owner int    // user who made the first request

	world   *World    // shared with all threads of the program
	family  string    // of all markers of a program
	name    string    // in markers; unique in a program
	turns   []*Turn   // in the order of their requests; never removed
	actions []*Action // those of world that this thread opened
}

// NewThread makes a thread without requests.
func NewThread(w *World, family, name string, owner int) *Thread {
	return &Thread{Owner: owner, world: w, family: family, name: name}
}

// Twin makes a thread whose requests have the same texts.
func (t *Thread) Twin() *Thread { return NewThread(t.world, t.family, t.name, t.Owner) }

// Marker returns a text that is part of every message of the nth request of the thread, and of no other.
func (t *Thread) Marker(n int) string { return fmt.Sprintf("[%s:%s.%d]", t.family, t.name, n) }

// Turns returns the number of requests.
func (t *Thread) Turns() int { return len(t.turns) }

var markers = regexp.MustCompile(`\[[^\[\]:\s"\\]{1,100}:\d+\.\d+\]`)

// state is the state of an action.
type state int

const (
	open          state = iota // no result was taken
	working                    // a run works on its result
	resolved                   // that run has ended with done
	statusUnknown              // open or resolved, as the server likes
)

// Action is an action that the agent requests from the client.
type Action struct {
	ID          string  // assigned by the server
	Thread      *Thread // that opened it
	state       state   // what became of its result
	openedAfter int     // in which it was opened
	resolved    int     // and in which it was resolved
	// openedBy and answered are the replicas that opened and resolved it.
	openedBy, answeredBy int
}

// Open lists the actions whose result has to be taken.
func (t *Thread) Open() []*Action { return t.in(open) }

// Undecided lists the actions that may be open or resolved: the run with their result failed.
func (t *Thread) Undecided() []*Action { return t.in(statusUnknown) }

// Resolved lists the actions that accept no further result.
func (t *Thread) Resolved() []*Action { return t.in(working, resolved) }

func (t *Thread) in(states ...state) []*Action {
	return slices.DeleteFunc(slices.Clone(t.actions), func(a *Action) bool { return !slices.Contains(states, a.state) })
}

// waits reports whether the thread may be waiting for its client.
func (t *Thread) waits() bool { return len(t.in(open, working, statusUnknown)) > 0 }

// set changes the state of the actions that have an id.
func (t *Thread) set(id string, to state) {
	for _, a := range t.actions {
		if a.ID == id {
			a.state = to
		}
	}
}

// answered records after which restart and by which replica the result of an action was accepted.
func (t *Thread) answered(id string, replica int) {
	for _, a := range t.actions {
		if a.ID == id {
			a.resolved, a.answeredBy = t.world.restarts, replica
		}
	}
}

// Length returns the approximate length of the thread's messages in bytes.
func (t *Thread) Length() int {
	n := 0
	for _, turn := range t.turns {
		if turn.Beyond {
			continue
		}
		for _, text := range turn.Texts {
			n += len(text)
		}
		n += turn.got.length
	}
	return n
}
