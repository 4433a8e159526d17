package aep

import (
	"context"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
)

// Apply changes the options of a server.
type Apply = func(aep.Options) aep.Options

// OnJournal changes the events that a server sends. begin is called once for each response and makes the function that
// maps the response's events to none, one or several.
func OnJournal(begin func(aep.Request) func(aep.Event) []aep.Event) Apply {
	return func(o aep.Options) aep.Options {
		inner := o.Journal
		o.Journal = func(r aep.Request) aep.Journal {
			before, change := inner(r), begin(r)
			return func(e aep.Event) []aep.Event {
				var out []aep.Event
				for _, e := range before(e) {
					out = append(out, change(e)...)
				}
				return out
			}
		}
		return o
	}
}

// OnBytes changes the bytes of each event, its blank line included. begin is called once for each response.
func OnBytes(begin func(aep.Request) func(whole []byte, e aep.Event) []byte) Apply {
	return func(o aep.Options) aep.Options {
		inner := o.Encoder
		o.Encoder = func(r aep.Request) aep.Encoder {
			encode, change := inner(r), begin(r)
			return alter.Encoder[aep.Event](func(dst []byte, e aep.Event) []byte {
				return append(dst, change(encode.Append(nil, e), e)...)
			})
		}
		return o
	}
}

// OnDeltas changes the agent's deltas. begin is called once for each turn and returns the function that maps the turn's
// deltas to none, one or several.
func OnDeltas(begin func() func(agent.Delta) []agent.Delta) Apply {
	return func(o aep.Options) aep.Options {
		inner := o.Agent
		o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
			change := begin()
			return inner.Run(ctx, t, func(d agent.Delta) error {
				for _, d := range change(d) {
					if err := say(d); err != nil {
						return err
					}
				}
				return nil
			})
		})
		return o
	}
}
