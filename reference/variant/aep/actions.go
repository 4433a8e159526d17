package aep

import (
	"net/http"
	"slices"
	"sync"

	"github.com/streamcert/streamcert/reference/aep"
)

// actions are other ways to keep what the client was asked to do.
func actions() []Variant {
	return []Variant{
		{Name: "results-are-used-up", Freedom: "a result whose run failed", Warns: []string{"aep.actions.again"},
			Summary: "A result is used up when it is accepted, whatever becomes of the run.",
			Apply: func(o aep.Options) aep.Options {
				o.Actions = usedUp{o.Actions}
				return o
			}},
		{Name: "busy-with-an-action", Freedom: "a request without results while an action is open",
			Summary: "While a thread waits for its client, a request without results is answered 409.", Apply: waitsForClient},
	}
}

// usedUp are Actions that are never open again.
type usedUp struct{ aep.Actions }

// Reopen implements aep.Actions.
func (usedUp) Reopen([]string) {}

// waiting are Actions that know which threads wait for their client.
type waiting struct {
	aep.Actions

	mu   sync.Mutex
	open []aep.Open
}

// waitsForClient refuses what comes while an action is open.
func waitsForClient(o aep.Options) aep.Options {
	actions := &waiting{Actions: o.Actions}
	o.Actions = actions
	decode := o.Decode
	o.Decode = func(body []byte) (aep.Ask, error) {
		ask, err := decode(body)
		if err == nil && len(ask.Results) == 0 && actions.waits(ask.Thread) {
			err = &aep.Error{Code: "action_open", Status: http.StatusConflict, Message: "the thread waits for the result of an action"}
		}
		return ask, err
	}
	return o
}

func (s *waiting) waits(thread string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.open, func(a aep.Open) bool { return a.Thread == thread })
}

// Open implements aep.Actions.
func (s *waiting) Open(a aep.Open) {
	s.mu.Lock()
	s.open = append(s.open, a)
	s.mu.Unlock()
	s.Actions.Open(a)
}

// Resolve implements aep.Actions.
func (s *waiting) Resolve(owner, thread string, ids []string) error {
	err := s.Actions.Resolve(owner, thread, ids)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open = slices.DeleteFunc(s.open, func(a aep.Open) bool { return slices.Contains(ids, a.ID) })
	}
	return err
}
