package certify

import (
	"cmp"
	"context"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/crosscheck"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/steps"
)

// running is one run. Rows that run concurrently share it.
type running struct {
	selection                        // fixed before the first row
	*results                         // of this run alone
	names       record.Names         // names of members as the target spells them
	offer       pack.Offer           // what the preflight found; empty without one
	repeats     repeats              // rows to play once more
	waiting     waiting              // between probes and all other rows
	registry    *crosscheck.Registry // marks of all rows
	transcripts transcripts          // compared with the goldens
	outages     *outages             // shared with the repetitions that confirm findings
}

// newRunning returns the state of a run before its first row.
func newRunning(s *pack.Suite, o Options, plan Plan, skips skips) *running {
	return &running{
		selection: selection{s, o, plan, skips}, results: newResults(), names: s.Names(o.Target),
		waiting: waiting{options: o}, transcripts: transcripts{suite: s, options: o},
		outages:  newOutages(o.Target, o.Server),
		registry: crosscheck.New(s.Pack.Registry, o.Target.Prefix()),
	}
}

// env returns the environment for the scenarios of a requirement.
func (r *running) env(requirement string) steps.Env {
	env := envOf(r.suite, r.names)
	env.Unscripted, env.Seed, env.Effort = r.offer.Unscripted, r.options.Seed, r.options.Effort
	env.Unshrunk = r.options.Unshrunk
	q, _ := r.suite.Book.Get(requirement)
	if pack.Provoked(q.Tier) {
		env.Withheld = r.offer.Unscripted
	}
	if reason := pack.Lacks(r.options.Target, q.Tier); reason != nil {
		env.Withheld = reason.Error()
	}
	return env
}

func (r *running) recorder() recorder {
	return recorder{report.Recorder{Redact: r.options.Target.Redact, Prefix: r.options.Target.Prefix()}}
}

// streamsEach is the largest number of streams that a scenario needs.
const streamsEach = 2

// concurrency returns the number of concurrent scenarios.
func (r *running) concurrency() int {
	n := cmp.Or(r.options.Concurrency, 8)
	if most := r.options.Target.Limits().Streams; most > 0 {
		n = min(n, max(1, (most-r.waiting.probes)/streamsEach))
	}
	return n
}

// takes reports whether a row is played now: a selected one, or in a repetition one whose calls got lost.
func (r *running) takes(sc features.Scenario, title string) bool {
	return r.repeats.take(rowKey{sc.Location(), title}) && r.wanted(sc, title)
}

// served waits until the server is there. Where it doesn't come back, the run stops and false is returned.
func (r *running) served(ctx context.Context) bool {
	lost := r.outages.await(ctx)
	if lost == "" {
		return ctx.Err() == nil
	}
	r.stop(lost)
	return false
}
