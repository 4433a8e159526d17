package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// memory lists the variants of memory.
func memory() []Variant {
	return []Variant{
		// These are other ways to store messages.
		{Name: "forgets-unfinished-requests", Freedom: "a request that didn't end with done", Warns: []string{"aep.threads.unfinished"},
			Summary: "What belongs to a request is stored when it is done, and otherwise not at all.",
			Apply:   on.OnUnfinished(func([]agent.Message) []agent.Message { return nil })},
		{Name: "forgets-unfinished-answers", Freedom: "a request that didn't end with done",
			Summary: "An answer is stored when it is whole, and what the user said at once.",
			Apply: on.OnUnfinished(func(said []agent.Message) []agent.Message {
				return slices.DeleteFunc(said, func(s agent.Message) bool { return s.Who == agent.ByAgent })
			})},
		{Name: "context-stays", Freedom: "the context of a request", Warns: []string{"aep.request.context-once"},
			Summary: "A key of the context stays with its thread until another value comes.",
			Apply:   on.OnContexts(func(r aep.Request) string { return r.Thread })},

		// These are other ways to take scripts and to run out of time.
		{Name: "times-out-when-idle", Freedom: "the time-out of a stream",
			Summary: "The time-out of a stream begins anew with everything that the agent says.",
			Apply: func(o aep.Options) aep.Options {
				o.TimeoutWhenIdle = true
				return o
			}},
		{Name: "ignores-untrusted-scripts", Freedom: "a script without the token of control calls",
			Summary: "A script without the token of control calls is a key of the context that says nothing.",
			Apply: on.Trust(func(err error, ask *aep.RequestBody) error {
				if err != nil {
					ask.Script = nil
				}
				return nil
			})},
	}
}
