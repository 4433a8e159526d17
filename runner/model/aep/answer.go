package aep

import (
	"fmt"
	"net/http"
	"slices"
)

// demand lists the valid answers to a request.
type demand struct {
	rule   string                // that another answer breaks
	serve  bool                  // the request may be served
	refuse func(status int) bool // nil: it may not be refused
	with   string                // the statuses, for people
}

func statuses(list ...int) func(int) bool {
	return func(status int) bool { return slices.Contains(list, status) }
}

func anyRefusal(status int) bool { return status/100 == 4 }

// demand returns how a request may be answered by the state that the thread has now.
func (t *Thread) demand(turn *Turn) demand {
	switch {
	case turn.Unauthorized:
		return demand{rule: "aep.http.credential", refuse: statuses(http.StatusUnauthorized), with: "401"}
	case turn.UnknownThread && len(turn.Results) > 0:
		return demand{rule: "aep.threads.unknown", refuse: anyRefusal, with: "4xx"}
	case turn.UnknownThread:
		return demand{rule: "aep.threads.unknown", refuse: statuses(http.StatusNotFound), with: "404"}
	case turn.User != t.Owner:
		return demand{rule: t.ofAnother(turn), refuse: anyRefusal, with: "4xx"}
	case turn.NoForm && turn.Instead != nil:
		return demand{rule: "aep.request.messages-array", refuse: statuses(http.StatusBadRequest), with: "400"}
	case turn.NoForm:
		return demand{rule: "aep.request.messages-required", refuse: statuses(http.StatusBadRequest), with: "400"}
	case turn.Beyond:
		return demand{rule: "aep.request.too-large", refuse: statuses(http.StatusRequestEntityTooLarge), with: "413"}
	case len(turn.Results) > 0:
		return t.ofResults(turn)
	}
	return demand{rule: t.served(turn), serve: true}
}

// ofResults returns how a request with results may be answered. Each result has to be of an open action of the thread, or none
// is taken. That there are no two for one action, nor one for none, is a SHOULD.
func (t *Thread) ofResults(turn *Turn) demand {
	d := demand{rule: "aep.actions.resumed", serve: true}
	if unclear(turn.Results) {
		d.refuse, d.with = anyRefusal, "4xx"
	}
	for _, r := range turn.Results {
		i := slices.IndexFunc(t.actions, func(a *Action) bool { return a.ID == r.ActionID })
		switch {
		case r.ActionID == "":
		case i >= 0 && t.actions[i].state == open:
			d.rule = t.actions[i].remembered(turn, d.rule)
		case i >= 0 && t.actions[i].state == statusUnknown:
			d.refuse, d.with = statuses(http.StatusBadRequest, http.StatusConflict), "400 or 409"
		case i >= 0:
			return demand{rule: t.actions[i].spent(turn), refuse: statuses(http.StatusBadRequest, http.StatusConflict), with: "400 or 409"}
		default:
			return t.notHere(turn, r.ActionID)
		}
	}
	return d
}

// notHere returns the valid refusals of an id that no action of the thread has.
func (t *Thread) notHere(turn *Turn, id string) demand {
	others := t.world.actionsOf(id)
	switch {
	case len(others) == 0:
		return demand{rule: "aep.actions.unknown", refuse: statuses(http.StatusBadRequest), with: "400"}
	case others[0].Thread.Owner != turn.User:
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
	d := t.thread.demand(t)
	switch {
	case t.Early && status >= http.StatusBadRequest: // whether it has used its results up is free
		t.settle(false)
	case status == http.StatusOK && !d.serve:
		return violation(d.rule, d.with, "200", "a request was served that has to be refused")
	case status == http.StatusOK:
		t.taken = true
		t.work()
		t.saw(d.rule)
		return nil
	case t.mayRefuse(status), t.Rival && statuses(http.StatusBadRequest, http.StatusConflict)(status):
	case d.refuse != nil && d.refuse(status):
		if !d.serve {
			t.saw(d.rule)
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
