package aep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// campaignOnlyKnown are mutants that take one thread for another, or somebody for its owner.
func campaignOnlyKnown() []Mutant {
	known := func(find func(id string, known []string) string) apply {
		return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
			var all alter.Ledger[[]string]
			t.OnBegin = func(owner, id string) error {
				all.With("", func(ids *[]string) { *ids = append(*ids, id) })
				return inner.Begin(owner, id)
			}
			t.OnCheck = func(owner, id string) error {
				err := inner.Check(owner, id)
				if err == aep.ErrUnknownThread && find(id, all.Get("")) != "" {
					return nil
				}
				return err
			}
		})
	}
	return []Mutant{
		{Name: "threads-by-their-beginning", Requirement: "aep.threads.unknown",
			Summary: "A thread is found by the beginning of its id.",
			Apply: known(func(id string, all []string) string {
				for _, one := range all {
					if strings.HasPrefix(one, id) {
						return one
					}
				}
				return ""
			})},
		{Name: "threads-by-what-their-ids-begin-with", Requirement: "aep.threads.unknown",
			Summary: "An id that begins with that of a thread names it.",
			Apply: known(func(id string, all []string) string {
				for _, one := range all {
					if len(id) > len(one) && strings.HasPrefix(id, one) {
						return one
					}
				}
				return ""
			})},
		{Name: "threads-of-the-prototype", Requirement: "aep.threads.unknown",
			Summary: "An id that is the name of what every object has names a thread.",
			Apply: known(func(id string, _ []string) string {
				if id == "__proto__" || id == "constructor" {
					return id
				}
				return ""
			})},
		{Name: "refused-on-its-thread-and-used", Requirement: "aep.actions.resumed", Also: []string{"aep.actions.all-or-none", "aep.actions.foreign"},
			Summary: "The results of a request are used up before its thread is looked for.", Apply: usesFirst},
	}
}

// usesFirst resolves what a request brings, also where its thread is refused.
func usesFirst(o aep.Options) aep.Options {
	var brought alter.Ledger[[]string] // ids of actions, by thread
	o = on.OnDecode(func(body []byte, decode func([]byte) (aep.Ask, error)) (aep.Ask, error) {
		ask, err := decode(body)
		var ids []string
		for _, r := range ask.Results {
			ids = append(ids, r.ActionID)
		}
		brought.Set(ask.Thread, ids)
		return ask, err
	})(o)
	var known *on.Actions
	o = on.OnActions(func(_ aep.Actions, a *on.Actions) { known = a })(o)
	return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
		t.OnCheck = func(owner, id string) error {
			err := inner.Check(owner, id)
			for _, a := range known.Opened() {
				if err != nil && slices.Contains(brought.Get(id), a.ID) {
					_ = known.Resolve(a.Owner, a.Thread, []string{a.ID}) // it may be resolved already
				}
			}
			return err
		}
	})(o)
}

// knowsLatest knows the latest actions of a thread, so many of them.
func knowsLatest(most int) apply {
	return on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
		all := a.OpenedOn(thread)
		for _, id := range ids {
			if i := slices.Index(all, id); i >= 0 && i < len(all)-most {
				return aep.ErrUnknownAction
			}
		}
		return a.Actions.Resolve(owner, thread, ids)
	})
}

// campaignOnlyKept are mutants that keep too few actions.
func campaignOnlyKept() []Mutant {
	return []Mutant{
		{Name: "ten-actions-at-most", Requirement: "aep.actions.unchanged",
			Summary: "The eleventh thing that an agent asks for in a response is forgotten.",
			Apply:   on.Events(on.Kind(aep.Continuation).From(11)).Drop()},
		{Name: "four-results-at-most", Requirement: "aep.actions.result",
			Summary: "Of the results of a request the first four reach the agent.",
			Apply:   on.Turns(func(t *agent.Turn) { t.Results = t.Results[:min(4, len(t.Results))] })},
		{Name: "looks-and-then-takes", Requirement: "aep.actions.resolved",
			Summary: "That an action is open is looked up before the lock is taken under which it is resolved.",
			Apply: alter.WithState(func(taking *alter.Ledger[bool]) apply { // by action
				return on.Resolving(func(a *on.Actions, owner, thread string, ids []string) (err error) {
					taking.With(ids[0], func(taken *bool) {
						if !*taken {
							err = a.Actions.Resolve(owner, thread, ids)
							*taken = err == nil
						}
					})
					time.Sleep(2 * time.Millisecond) // the database
					taking.Set(ids[0], false)
					return err
				})
			})},
	}
}

// recordedBody is a body that can be read again.
func recordedBody(r *http.Request) []byte {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body
}

// campaignOnlyStopping are mutants that a cancellation confuses.
func campaignOnlyStopping() []Mutant {
	return []Mutant{
		{Name: "cancelled-for-a-reason", Requirement: "aep.cancel.aborted",
			Summary: "A cancellation that gives a reason is accepted, and kept for the statistics.",
			Wrap:    cancellations(http.StatusNoContent, func(body []byte) bool { return bytes.Contains(body, []byte("reason")) })},
		{Name: "reasons-of-100-bytes", Requirement: "aep.cancel.aborted",
			Summary: "A reason of more than 100 bytes breaks the cancellation off after it was accepted.",
			Wrap:    cancellations(http.StatusAccepted, func(body []byte) bool { return len(body) > 113 })},
		{Name: "long-reasons-are-refused", Requirement: "aep.cancel.aborted",
			Summary: "A cancellation whose reason is longer than 1,000 characters is refused, and its request goes on.",
			Wrap:    cancellations(http.StatusBadRequest, func(body []byte) bool { return utf8.RuneCount(body) > 1013 })},
		{Name: "long-reasons-are-dropped", Requirement: "aep.cancel.aborted",
			Summary: "A cancellation is accepted and queued for those who keep its reason, and the queue takes 1,000 characters.",
			Wrap:    cancellations(http.StatusAccepted, func(body []byte) bool { return utf8.RuneCount(body) > 1013 })},
	}
}

// campaignOnlyLeaving are mutants that somebody who leaves or comes late confuses.
func campaignOnlyLeaving() []Mutant {
	return []Mutant{
		{Name: "late-cancellation-ends-the-latest", Requirement: "aep.cancel.one",
			Summary: "A cancellation of a request that is over ends the one of its user that began last.",
			Apply: func(o aep.Options) aep.Options {
				cancelled := o.Cancelled
				o.Cancelled = func(live []aep.Request, principal, id string) []string {
					ids := cancelled(live, principal, id)
					if own := ofPrincipal(live, principal); len(ids) == 0 && len(own) > 0 && !slices.ContainsFunc(live, func(r aep.Request) bool { return r.ID == id }) {
						return []string{own[len(own)-1].ID}
					}
					return ids
				}
				return o
			}},
		{Name: "buffers-where-it-might-compress", Requirement: "aep.wire.live",
			Summary: "To a client that takes gzip everything is sent at the end, as it is.",
			Apply: on.OnJournal(func(r aep.Request) func(aep.Event) []aep.Event {
				var withheld []aep.Event
				hold := strings.Contains(r.HTTP.Header.Get("Accept-Encoding"), "gzip")
				return func(e aep.Event) []aep.Event {
					if withheld = append(withheld, e); hold && !e.Kind.Terminal() && e.Kind != aep.Metadata {
						return nil
					}
					out := withheld
					withheld = nil
					return out
				}
			})},
	}
}

// campaignOnlyLong are mutants that err where much is sent, or to somebody slow.
func campaignOnlyLong() []Mutant {
	return []Mutant{
		{Name: "hundred-block-ids", Requirement: "aep.stages.one-start",
			Summary: "The ids of blocks have two digits.",
			Apply: on.Events().EditCourse(func(aep.Request) func(*aep.Event) {
				return func(e *aep.Event) {
					if n, err := strconv.Atoi(strings.TrimPrefix(e.BlockID, "b")); err == nil {
						e.BlockID = fmt.Sprint("b", n%100)
					}
				}
			})},
		{Name: "sixty-four-blocks-in-done", Requirement: "aep.done.complete",
			Summary: "The content of done has 64 blocks at most.",
			Apply:   on.Content(func(blocks []aep.Block) []aep.Block { return blocks[:min(len(blocks), 64)] })},
		{Name: "arguments-of-16-kib", Requirement: "aep.tools.arguments",
			Summary: "Arguments of a call beyond 16 KiB are replaced by an empty object.",
			Apply: onCallArguments(func(text json.RawMessage) json.RawMessage {
				if len(text) > 16<<10 {
					return json.RawMessage("{}")
				}
				return text
			})},
		{Name: "payloads-of-8-kib", Requirement: "aep.actions.unchanged",
			Summary: "A payload beyond 8 KiB is null.",
			Apply: onPayload(func(text json.RawMessage) json.RawMessage {
				if len(text) > 8<<10 {
					return json.RawMessage("null")
				}
				return text
			})},
	}
}

// cancellations answers those whose body is such with a status, and forgets them.
func cancellations(status int, such func(body []byte) bool) alter.Around {
	return on.Requests(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/cancel") && such(recordedBody(r)) {
			w.WriteHeader(status)
			return
		}
		next.ServeHTTP(w, r)
	})
}
