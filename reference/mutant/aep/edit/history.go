package edit

import (
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// IsAnswer reports whether the agent wrote an entry of a history.
func IsAnswer(s agent.Message) bool { return s.Who == agent.ByAgent }

// OnArguments joins the pieces of the arguments of calls, changes those from the nth call on, and sends them in two pieces.
func OnArguments(nth int, change func(args alter.Object)) on.Apply {
	return on.Deltas(on.Does(agent.Arguments, agent.Called)).Map(func(struct{}) func(agent.Delta) []agent.Delta {
		var joined strings.Builder
		return func(d agent.Delta) []agent.Delta {
			if d.Kind == agent.Arguments {
				joined.WriteString(d.Piece)
				return nil
			}
			args := joined.String()
			joined.Reset()
			if d.Call >= nth {
				members := alter.Members([]byte(args))
				change(members)
				args = string(alter.Encode(members))
			}
			return []agent.Delta{
				{Kind: agent.Arguments, Call: d.Call, Piece: args[:1]}, {Kind: agent.Arguments, Call: d.Call, Piece: args[1:]}, d,
			}
		}
	})
}

// LastThreads forgets the history of a thread after so many others have started.
func LastThreads(most int) on.Apply {
	return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
		var started alter.PerKey[int]
		var since alter.PerKey[int] // by thread: how many had begun when something was said last, and one
		t.OnBegin = func(owner, id string) error {
			alter.Count(&started, "")
			return inner.Begin(owner, id)
		}
		t.OnSay = func(id string, emitted []agent.Message) []agent.Message {
			before, now := inner.Say(id, emitted), started.Get("")
			if at := since.Swap(id, now+1); at > 0 && now-(at-1) > most {
				return nil
			}
			return before
		}
	})
}
