package aep

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
)

// Request is a request of a client, valid or not; the fields describe its deviations.
type Request struct {
	User          int
	Texts         []string       // of its messages
	Context       map[string]any // in addition to the script and the results
	Results       []Result
	Script        []ScriptStep
	UnknownThread bool // the server never assigned the id of its thread
	NoForm        bool // it has no messages
	Instead       any  // replaces the results, nil for none
	Beyond        bool // one of its messages is larger than the limit
	Unauthorized  bool // the request has no valid credential
	Large         bool // the server may have a limit that it exceeds
	Rival         bool // a concurrent request has the same result
	Repeats       int  // the request of the thread, from 1, whose texts are sent again; 0: the texts are new
	Early         bool // it fails before its stream begins, and has no script
	Replica       int  // number of the replica that receives it, from 1
}

// Turn is one request and its response.
//
// Invariants: thread.turns[number-1] is the turn. At most one of refused and taken is set; over follows from a refusal, a
// disconnect or a terminal event. passed never falls. started < takenAt < ended, but for those that are 0: ticks are unique.
type Turn struct {
	Request
	thread     *Thread
	number     int // of the requests of the thread, from 1
	named      bool
	concurrent bool // another request of the thread may have been active when it was sent

	started, takenAt, ended int // ticks; 0 for not yet
	refused, taken          bool
	over, done              bool // a terminal event has come; it was done

	passed       int  // how many barriers are open
	cancelled    bool // while the agent waited
	crossed      bool // the cancellation may have come after the end
	cancelTried  bool // another user has tried to cancel it
	disconnected bool
	expired      bool // its time runs out
	dead         bool // the server was killed
	restarts     int  // of the server, from 0

	// Sent returns the arguments that the model sent instead of those of a call, which is counted from 0; nil: it sent
	// those.
	Sent func(call int, arguments any) any

	content
	requested []*Action

	// Methods, grouped by subject.
	response
	contents
	past
}

// Begin makes a turn of a request that is about to be sent.
func (t *Thread) Begin(a Request) *Turn {
	turn := &Turn{Request: a, thread: t, number: len(t.turns) + 1, named: t.ID != "", started: t.world.tick(), restarts: t.world.restarts}
	turn.response, turn.contents, turn.past = response{turn}, contents{turn}, past{turn}
	turn.concurrent = slices.ContainsFunc(t.turns, func(other *Turn) bool { return !other.refused && other.ended == 0 })
	t.turns = append(t.turns, turn)
	return turn
}

// Marker returns the marker in the texts of the turn, and of those that repeat it.
func (t *Turn) Marker() string { return t.thread.Marker(cmp.Or(t.Repeats, t.number)) }

// Number returns the number of the request in its thread, or of the one that it repeats, from 1.
func (t *Turn) Number() int { return cmp.Or(t.Repeats, t.number) }

// demand lists the valid answers to a request.
type demand struct {
	rule   string // that another answer breaks
	serve  bool
	refuse func(status int) bool // nil: it may not be refused
	with   string                // the statuses, for people
}

func statuses(list ...int) func(int) bool {
	return func(status int) bool { return slices.Contains(list, status) }
}

func anyRefusal(status int) bool { return status/100 == 4 }

// demand returns how the request may be answered by the state that the thread has now.
func (t *Turn) demand() demand {
	th := t.thread
	switch {
	case t.Unauthorized:
		return demand{rule: "aep.http.credential", refuse: statuses(http.StatusUnauthorized), with: "401"}
	case t.UnknownThread && len(t.Results) > 0:
		return demand{rule: "aep.threads.unknown", refuse: anyRefusal, with: "4xx"}
	case t.UnknownThread:
		return demand{rule: "aep.threads.unknown", refuse: statuses(http.StatusNotFound), with: "404"}
	case t.User != th.Owner:
		return demand{rule: t.ofAnother(), refuse: anyRefusal, with: "4xx"}
	case t.NoForm && t.Instead != nil:
		return demand{rule: "aep.request.messages-array", refuse: statuses(http.StatusBadRequest), with: "400"}
	case t.NoForm:
		return demand{rule: "aep.request.messages-required", refuse: statuses(http.StatusBadRequest), with: "400"}
	case t.Beyond:
		return demand{rule: "aep.request.too-large", refuse: statuses(http.StatusRequestEntityTooLarge), with: "413"}
	case len(t.Results) > 0:
		return t.ofResults()
	}
	return demand{rule: t.served(), serve: true}
}

// ofResults: each has to be of an open action of the thread, or none is taken. That there are no two for one action, nor one
// for none, is a SHOULD.
func (t *Turn) ofResults() demand {
	d := demand{rule: "aep.actions.resumed", serve: true}
	if t.unclear() {
		d.refuse, d.with = anyRefusal, "4xx"
	}
	for _, r := range t.Results {
		i := slices.IndexFunc(t.thread.actions, func(a *Action) bool { return a.ID == r.ActionID })
		switch {
		case r.ActionID == "":
		case i >= 0 && t.thread.actions[i].state == open:
			d.rule = t.thread.actions[i].remembered(t, d.rule)
		case i >= 0 && t.thread.actions[i].state == statusUnknown:
			d.refuse, d.with = statuses(http.StatusBadRequest, http.StatusConflict), "400 or 409"
		case i >= 0:
			return demand{rule: t.thread.actions[i].spent(t), refuse: statuses(http.StatusBadRequest, http.StatusConflict), with: "400 or 409"}
		default:
			return t.notHere(r.ActionID)
		}
	}
	return d
}

// unclear reports whether a request has two results for one action, or one that names none.
func (t *Turn) unclear() bool {
	seen := map[string]bool{"": true}
	for _, r := range t.Results {
		if seen[r.ActionID] {
			return true
		}
		seen[r.ActionID] = true
	}
	return false
}

// notHere returns the valid refusals of an id that no action of the thread has.
func (t *Turn) notHere(id string) demand {
	others := t.thread.world.actionsOf(id)
	switch {
	case len(others) == 0:
		return demand{rule: "aep.actions.unknown", refuse: statuses(http.StatusBadRequest), with: "400"}
	case others[0].Thread.Owner != t.User:
		return demand{rule: "aep.actions.foreign", refuse: anyRefusal, with: "4xx"}
	}
	return demand{rule: "aep.actions.other-thread", refuse: anyRefusal, with: "4xx"}
}

// mayRefuse reports whether a server may refuse the request with a status, in addition to the answers of demand.
func (t *Turn) mayRefuse(status int) bool {
	switch status {
	case http.StatusConflict: // the thread is busy, or waits for its client
		return t.concurrent || len(t.Results) == 0 && t.thread.waits()
	case http.StatusBadRequest:
		return len(t.Texts) == 0 && len(t.Results) > 0 || slices.ContainsFunc(t.Texts, func(text string) bool { return bared(text) == "" })
	case http.StatusRequestEntityTooLarge:
		return t.Large
	}
	return false
}

// Answered is the head of the response. A request that is refused has changed nothing, but for one that was to fail.
func (t *Turn) Answered(status int) error {
	d, occasions := t.demand(), t.thread.world.Occasions
	switch {
	case t.Early && status >= http.StatusBadRequest: // whether it has used its results up is free
		t.settle(false)
	case status == http.StatusOK && !d.serve:
		return violation(d.rule, d.with, "200", "a request was served that has to be refused")
	case status == http.StatusOK:
		t.taken = true
		t.work()
		occasions.Saw(d.rule)
		return nil
	case t.mayRefuse(status), t.Rival && statuses(http.StatusBadRequest, http.StatusConflict)(status):
	case d.refuse != nil && d.refuse(status):
		if !d.serve {
			occasions.Saw(d.rule)
		}
	case d.serve:
		return violation(d.rule, "200", fmt.Sprint(status), "a request was not served")
	default:
		return violation(d.rule, d.with, fmt.Sprint(status), "a request was refused in another way")
	}
	t.refused, t.over = true, true
	return nil
}

// Contested compares the answers to two requests that brought the same result at once: one of them has to be served.
func (t *Turn) Contested(other *Turn) error {
	if t.taken || other.taken || t.concurrent {
		return nil
	}
	return violation("aep.actions.resumed", "one that is served", "two refusals", "a result that came twice at once was not taken")
}

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
			(!other.disconnected || other.performed() < len(other.Script))
	})
}

// Over reports whether nothing more is to come.
func (t *Turn) Over() bool { return t.over }

// work has the run begin: the results that it was handed are used by it, and by no other.
func (t *Turn) work() {
	for _, r := range t.Results {
		t.thread.set(r.ActionID, working)
		t.takes(r.ActionID)
		t.thread.world.Occasions.Saw("aep.actions.all-or-none")
	}
	if len(t.Results) == 0 { // that open actions stay open is a SHOULD
		for _, a := range t.thread.actions {
			if a.state == open {
				a.state = statusUnknown
			}
		}
	}
}

func (t *Thread) set(id string, to state) {
	for _, a := range t.actions {
		if a.ID == id {
			a.state = to
		}
	}
}

// settle sets the state of the actions whose results the run got, and of those that it requested.
func (t *Turn) settle(done bool) {
	for _, r := range t.Results {
		if done {
			t.thread.set(r.ActionID, resolved)
			t.takes(r.ActionID)
			t.thread.world.Occasions.Saw("aep.actions.others-open")
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
func (t *Turn) Waits() bool { return t.taken && !t.over && t.performed() < len(t.Script) }

// performed returns the number of script steps that the agent performs.
func (t *Turn) performed() int {
	n := 0
	for i, act := range t.Script {
		if act.Name == "await" {
			if n++; n > t.passed {
				return i
			}
		}
	}
	return len(t.Script)
}

// Cancel records an accepted cancellation; surely: the agent waited then.
func (t *Turn) Cancel(surely bool) {
	t.cancelled, t.crossed = t.cancelled || surely, true
	t.thread.world.Stopped()
}

// Expire records that the agent waits until the stream times out.
func (t *Turn) Expire() { t.expired = true }

// TryCancel records that another user has tried to cancel the request.
func (t *Turn) TryCancel() { t.cancelTried = true }

// Disconnect records that the client has disconnected. The sent part is valid, and the server may end or continue the run.
func (t *Turn) Disconnect() error {
	t.disconnected, t.over = true, true
	t.thread.world.left = true
	if !t.taken { // it is unknown whether it was
		for _, r := range t.Results {
			t.thread.set(r.ActionID, statusUnknown)
		}
		return nil
	}
	t.settle(false)
	return t.beginning(t.performed())
}
