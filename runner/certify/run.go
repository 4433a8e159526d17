package certify

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/pack"
)

// Run runs the suite. It returns an error only when nothing could be selected; a
// server that can't be reached is a report with the verdict error.
func Run(ctx context.Context, s *pack.Suite, o Options) (*Result, error) {
	plan, err := NewPlan(s, o.Target, o.Only, o.Seed)
	if err != nil {
		return nil, err
	}
	skips, err := newSkips(s, o.Skip)
	if err != nil {
		return nil, err
	}
	began, sent := time.Now(), o.Target.Requests()
	r := newRunning(s, o, plan, skips)
	ctx, cancel := WithTimeout(ctx, o.Timeout)
	defer cancel()
	defer r.outages.watch(ctx)()
	r.plan.Scenarios = slices.DeleteFunc(r.plan.Scenarios, func(sc features.Scenario) bool { return r.rowsOf(sc) == 0 })
	for _, sc := range r.plan.Scenarios {
		r.total += r.rowsOf(sc)
	}
	if !o.NoPreflight {
		offer, err := preflight(ctx, s, o, r.outages)
		if err != nil {
			r.fault = o.Target.Redact(err.Error())
			r.halted(ctx)
			return r.result(began, sent), nil
		}
		r.offer = offer
	}
	if r.total > 0 {
		r.play(ctx)
		r.collectStrays()
		if len(r.findings) > 0 && r.served(ctx) { // while the server is away, a repetition would show nothing
			(&confirmation{r}).run(ctx)
		}
	}
	if r.done < r.total { // rows without a result are errors, and the reason is stated
		r.halted(ctx)
	}
	return r.result(began, sent), nil
}

// result returns the run that began at a time, when so many requests had been sent.
func (r *running) result(began time.Time, sent int) *Result {
	rep := r.report(began)
	rep.Summary.Requests, rep.Summary.Silence = r.options.Target.Requests()-sent, r.counts.silence.Seconds()
	files := map[string]golden.File{}
	for _, sc := range r.plan.Scenarios {
		var f golden.File
		for _, row := range sc.Rows {
			if got := r.rows[sc.Location()+" "+row.Title]; got != nil && got.transcript != nil {
				f.Transcripts = append(f.Transcripts, *got.transcript)
			}
		}
		if len(f.Transcripts) > 0 {
			files[sc.GoldenPath()] = f
		}
	}
	return &Result{Report: rep, Transcripts: files, Broken: slices.Sorted(maps.Keys(r.findings)), Counted: r.counts.counted, Usual: r.options.Target.Usual()}
}
