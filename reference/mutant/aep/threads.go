package aep

import (
	"errors"
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
)

func threads() []Mutant {
	return slices.Concat(threadIDs(), threadHistories(), unfinishedHistories(), threadOwners())
}

// threadIDs get the ids of threads wrong.
func threadIDs() []Mutant {
	return []Mutant{{
		Name: "one-thread-for-all", Requirement: "aep.threads.created", Stateful: true,
		Summary: "Whoever doesn't name a thread goes on with the one that was begun first.",
		Also:    []string{"aep.threads.isolation", "aep.threads.history"},
		Apply: alter.All(onIDs(func() func(aep.IDKind, string) string {
			var first locked[string]
			return func(kind aep.IDKind, id string) string {
				if kind != aep.ThreadID {
					return id
				}
				first.do(func(s *string) {
					if *s == "" {
						*s = id
					}
					id = *s
				})
				return id
			}
		}), onThreads(func(inner aep.Threads, s *threadsShim) {
			s.begin = func(owner, id string) error {
				if errors.Is(inner.Check(owner, id), aep.ErrUnknownThread) {
					return inner.Begin(owner, id)
				}
				return nil
			}
		})),
	}, {
		Name: "thread-per-response", Requirement: "aep.threads.echoed",
		Summary: "Metadata names the thread of the response, which is always a new one.",
		Also:    []string{"aep.actions.same-thread", "aep.done.same-thread"},
		Apply: onEvents(func(r aep.Request) func(*aep.Event) {
			return func(e *aep.Event) {
				if e.Kind == aep.Metadata && r.Ask.Thread != "" {
					e.ThreadID = "thread-of-" + r.ID
				}
			}
		}),
	}, {
		Name: "unknown-thread-begins", Requirement: "aep.threads.unknown",
		Summary: "A thread that isn't there is begun, under the id that the client made up.",
		Apply: onThreads(func(inner aep.Threads, s *threadsShim) {
			s.check = func(owner, id string) error {
				err := inner.Check(owner, id)
				if errors.Is(err, aep.ErrUnknownThread) {
					return inner.Begin(owner, id)
				}
				return err
			}
		}),
	}}
}

// threadOwners let users to threads that aren't theirs, or don't say why not.
func threadOwners() []Mutant {
	return []Mutant{{
		Name: "threads-belong-to-nobody", Requirement: "aep.threads.foreign",
		Summary: "Whoever knows the id of a thread may go on with it.",
		Also:    []string{"aep.threads.foreign-status"},
		Apply: onThreads(func(inner aep.Threads, s *threadsShim) {
			s.check = func(owner, id string) error {
				err := inner.Check(owner, id)
				if errors.Is(err, aep.ErrForeignThread) {
					return nil
				}
				return err
			}
		}),
	}, {
		Name: "foreign-thread-is-a-bad-request", Requirement: "aep.threads.foreign-status",
		Summary: "A thread of somebody else is a message in a wrong format.",
		Wrap: onRefusals(func(a *refusal) {
			if a.code() == "thread_access_denied" {
				a.status = http.StatusBadRequest
				a.members(func(m object) { m["code"] = alter.Encode("invalid_message_format") })
			}
		}),
	}}
}
