package aep

import (
	"cmp"
	"slices"
)

// Request is a request of a client, valid or not; the fields describe its deviations.
type Request struct {
	User          int            // number of the sender, compared with the thread's owner
	Texts         []string       // of its messages
	Context       map[string]any // in addition to the script and the results
	Results       []Result       // in their order; those of one id aren't merged
	Script        []ScriptStep   // what the agent does, in order
	UnknownThread bool           // the server never assigned the id of its thread
	NoForm        bool           // it has no messages
	Instead       any            // replaces the results, nil for none
	Beyond        bool           // one of its messages is larger than the limit
	Unauthorized  bool           // the request has no valid credential
	Large         bool           // the server may have a limit that it exceeds
	Rival         bool           // a concurrent request has the same result
	Repeats       int            // the request of the thread, from 1, whose texts are sent again; 0: the texts are new
	Early         bool           // it fails before its stream begins, and has no script
	Replica       int            // number of the replica that receives it, from 1
}

// Turn is one request and its response.
//
// Invariants: thread.turns[number-1] is the turn. At most one of refused and taken is set; over follows from a refusal, a
// disconnect or a terminal event. passed never falls. started < takenAt < ended, but for those that are 0: ticks are unique.
type Turn struct {
	Request
	thread     *Thread // in whose turns it is, whether it was refused or not
	number     int     // of the requests of the thread, from 1
	named      bool    // it names its thread, whose id was known when it was sent
	concurrent bool    // another request of the thread may have been active when it was sent

	started, takenAt, ended int  // ticks; 0 for not yet
	refused, taken          bool // by the status of the response; neither before it came
	over, done              bool // a terminal event has come; it was done
	metadata                bool // the event metadata has come

	passed       int  // how many barriers are open
	cancelled    bool // while the agent waited
	crossed      bool // the cancellation may have come after the end
	cancelTried  bool // another user has tried to cancel it
	disconnected bool // by its client
	expired      bool // its time runs out
	dead         bool // the server was killed
	restarts     int  // of the server, from 0

	// Sent returns the arguments that the model sent instead of those of a call, which is counted from 0; nil: it sent
	// those.
	Sent func(call int, arguments any) any

	got       content   // of the events so far
	requested []*Action // the actions of its continuations, in their order
}

// Begin makes a turn of a request that is about to be sent.
func (t *Thread) Begin(a Request) *Turn {
	turn := &Turn{Request: a, thread: t, number: len(t.turns) + 1, named: t.ID != "", started: t.world.tick(), restarts: t.world.restarts}
	turn.concurrent = slices.ContainsFunc(t.turns, func(other *Turn) bool { return !other.refused && other.ended == 0 })
	t.turns = append(t.turns, turn)
	return turn
}

// Marker returns the marker in the texts of the turn, and of those that repeat it.
func (t *Turn) Marker() string { return t.thread.Marker(cmp.Or(t.Repeats, t.number)) }

// Number returns the number of the request in its thread, or of the one that it repeats, from 1.
func (t *Turn) Number() int { return cmp.Or(t.Repeats, t.number) }

// Concurrent reports whether another request of the thread may have been active when this one was sent.
func (t *Turn) Concurrent() bool { return t.concurrent }

// Ended reports whether the response has ended with a terminal event.
func (t *Turn) Ended() bool { return t.ended > 0 }

// Refused reports whether the request was refused.
func (t *Turn) Refused() bool { return t.refused }

// Alone reports whether only runs without clients or barriers may keep a server from serving the request at once. The given
// requests are known to have ended.
func (t *Turn) Alone(ended ...*Turn) bool {
	return !t.thread.waits() && !slices.ContainsFunc(t.thread.turns, func(other *Turn) bool {
		return other != t && !slices.Contains(ended, other) && !other.refused && other.ended == 0 && !other.dead &&
			(!other.disconnected || len(other.performed()) < len(other.Script))
	})
}

// Over reports whether nothing more is to come.
func (t *Turn) Over() bool { return t.over }

// work has the run begin: the results that it was handed are used by it, and by no other.
func (t *Turn) work() {
	for _, r := range t.Results {
		t.thread.set(r.ActionID, working)
		t.thread.answered(r.ActionID, t.Replica)
		t.saw("aep.actions.all-or-none")
	}
	if len(t.Results) == 0 { // that open actions stay open is a SHOULD
		for _, a := range t.thread.actions {
			if a.state == open {
				a.state = statusUnknown
			}
		}
	}
}

// settle sets the state of the actions whose results the run got, and of those that it requested.
func (t *Turn) settle(done bool) {
	for _, r := range t.Results {
		if done {
			t.thread.set(r.ActionID, resolved)
			t.thread.answered(r.ActionID, t.Replica)
			t.saw("aep.actions.others-open")
		} else {
			t.thread.set(r.ActionID, statusUnknown)
		}
	}
	if !done {
		for _, a := range t.requested {
			a.state = statusUnknown
		}
	}
}

// performed returns the steps that the agent may have performed: those before the first closed barrier.
func (t *Turn) performed() []ScriptStep { return before(t.Script, t.passed) }

// saw counts an occasion of a requirement.
func (t *Turn) saw(requirement string) { t.thread.world.Occasions.Saw(requirement) }

// Release opens the next barrier and returns its name, "" where there is none.
func (t *Turn) Release() string {
	n := 0
	for _, act := range t.Script {
		if act.Name != "await" {
			continue
		}
		if n == t.passed {
			t.passed++
			return act.Text
		}
		n++
	}
	return ""
}

// Waits reports whether the agent waits at a barrier, once everything before has come.
func (t *Turn) Waits() bool { return t.taken && !t.over && len(t.performed()) < len(t.Script) }

// Cancel records an accepted cancellation; surely: the agent waited then.
func (t *Turn) Cancel(surely bool) {
	t.cancelled, t.crossed = t.cancelled || surely, true
	t.thread.world.Stopped()
}

// Expire records that the agent waits until the stream times out.
func (t *Turn) Expire() { t.expired = true }

// TryCancel records that another user has tried to cancel the request.
func (t *Turn) TryCancel() { t.cancelTried = true }
