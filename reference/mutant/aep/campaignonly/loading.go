package campaignonly

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// loading lists mutants that lose something as they load it after a restart: large values, and texts that resemble the end
// of a line.
func loading() []edit.Mutant {
	return []edit.Mutant{
		{Name: "restart-skips-lines-of-64k", Requirement: "aep.durable.history",
			Summary: "A restart reads its log line by line, with a buffer of 64 KiB: what is on longer ones isn't loaded.",
			Apply: onFoundHistory(func(found, now []agent.Message) []agent.Message {
				short := slices.DeleteFunc(slices.Clone(found), func(one agent.Message) bool { return len(one.Text) > 64<<10 })
				return append(short, now...)
			})},
		{Name: "restart-splits-at-every-line-break", Requirement: "aep.durable.history",
			Summary: "A restart splits its log wherever Unicode has a line end: of what holds such a character a beginning is loaded.",
			Apply: onFoundHistory(func(found, now []agent.Message) []agent.Message {
				found = slices.Clone(found)
				for i := range found {
					if at := strings.IndexAny(found[i].Text, "\u0085\u2028\u2029"); at >= 0 {
						found[i].Text = found[i].Text[:at]
					}
				}
				return append(found, now...)
			})},
	}
}

// loadingFailures lists mutants that forget, as they load it, a thread whose first request failed, or a failed attempt.
func loadingFailures() []edit.Mutant {
	return []edit.Mutant{
		{Name: "restart-opens-what-failed-once", Requirement: "aep.durable.resolved",
			Summary: "A restart reads that a run came to nothing and opens its action, whatever stands behind it in the log.",
			Apply: on.OnActions(func(inner aep.Actions, a *on.Actions) {
				var failed, taken alter.PerKey[bool] // by action
				a.OnResolve = func(owner, thread string, ids []string) error {
					if slices.ContainsFunc(ids, taken.Get) {
						return aep.ErrResolvedAction
					}
					if err := inner.Resolve(owner, thread, ids); err != nil {
						return err
					}
					for _, id := range ids {
						if failed.Get(id) {
							taken.Set(id, true)
							inner.Reopen([]string{id})
						}
					}
					return nil
				}
				a.OnReopen = func(ids []string) {
					for _, id := range ids {
						failed.Set(id, true)
						taken.Set(id, false)
					}
					inner.Reopen(ids)
				}
			})},
		{Name: "restart-forgets-threads-that-began-badly", Requirement: "aep.durable.threads",
			Summary: "A thread is stored with its first answer, and one whose first request failed isn't there after a restart.",
			Apply: formerThreads(func(emitted []agent.Message) error {
				if at := slices.IndexFunc(emitted, edit.IsAnswer); at < 0 || slices.ContainsFunc(emitted[:at], func(one agent.Message) bool { return one.Request != emitted[at].Request }) {
					return aep.ErrUnknownThread
				}
				return nil
			})},
	}
}
