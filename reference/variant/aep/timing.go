package aep

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/variant"
)

// timings are other moments for the same.
func timings() []Variant {
	return append(variant.Latencies[aep.Options]("Q-46"), Variant{
		Name: "agents-take-their-time", Freedom: "Q-46", Slow: true, Summary: "Some milliseconds pass before each piece of what an agent says, as with a model.",
		Apply: unhurried,
	})
}

// unhurried lets agents think before they say something.
func unhurried(o aep.Options) aep.Options {
	run := o.Agent
	o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
		return run.Run(ctx, t, func(d agent.Delta) error {
			if err := alter.Pause(ctx, rand.N(20*time.Millisecond)); err != nil {
				return err
			}
			return say(d)
		})
	})
	return o
}
