package certify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/crosscheck"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
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
		offer, err := r.preflight(ctx)
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
		if len(r.findings) > 0 && r.served(ctx) {
			(&confirmation{r}).run(ctx)
		}
	}
	if r.done < r.total {
		r.halted(ctx)
	}
	return r.result(began, sent), nil
}

// newRunning returns the state of a run before its first row.
func newRunning(s *pack.Suite, o Options, plan Plan, skips skips) *running {
	return &running{
		selection: selection{s, o, plan, skips}, names: s.Names(o.Target),
		waiting: waiting{options: o}, transcripts: transcripts{suite: s, options: o}, counts: newCounters(),
		rows: map[string]*rowResult{}, findings: map[string][]record.Finding{},
		outages:  &outages{target: o.Target, server: o.Server, open: map[*openRow]bool{}},
		registry: crosscheck.New(s.Pack.Registry, o.Target.Prefix()), budget: report.NewBudget(report.RunBytes), unkept: report.RunBytes,
	}
}

// timeoutError ends a run that takes longer than it may.
type timeoutError struct{ after time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("the run's timeout of %v", e.after) }

// WithTimeout limits the time of everything that uses the returned context: the start of the server, and each run. The
// report of a run that it ends mentions it. 0 is no limit.
func WithTimeout(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, timeout, &timeoutError{timeout})
}

// halted notes why the run ended before everything had run, if it did.
func (r *running) halted(ctx context.Context) {
	var timeout *timeoutError
	switch {
	case errors.As(context.Cause(ctx), &timeout):
		r.ended = timeout.Error()
	case ctx.Err() != nil:
		r.interrupted = true
	}
}

// running is the state of one run.
type running struct {
	selection
	names       record.Names // names of members as the target spells them
	total       int
	fault       string
	offer       pack.Offer
	waiting     waiting
	transcripts transcripts
	outages     *outages
	// interrupted: the caller's context ended before the last scenario did.
	interrupted bool

	mu        sync.Mutex
	done      int
	stopped   bool
	left      bool                  // the run ended before its rows, from which nothing is taken any more
	ended     string                // why the run ended before everything had run, "" if it didn't
	rows      map[string]*rowResult // by location and title of the row
	findings  map[string][]record.Finding
	counts    counters
	budget    *report.Budget
	registry  *crosscheck.Registry // marks of all scenarios
	overflows int                  // streams with a frame over the limit
	unkept    int                  // bytes of transcripts that the report may still take
	server    string               // Server header of a response
	deferred  []rowKey             // rows whose calls got lost with an idle connection
	lost      map[rowKey]bool      // those, while they run again; nil before and after
}

// rowResult is the outcome of one row of a scenario, with its transcript.
type rowResult struct {
	scenario    features.Scenario
	report      report.Scenario
	transcript  *golden.Transcript
	began, over time.Time
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

// takes reports whether a row is played now: a selected one, or in a repetition one whose calls got lost.
func (r *running) takes(sc features.Scenario, title string) bool {
	return (r.lost == nil || r.lost[rowKey{sc.Location(), title}]) && r.wanted(sc, title)
}

func (r *running) hasStopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped
}

// finished takes in the outcome of one row.
func (r *running) finished(sc features.Scenario, title string, w *steps.World, own *registeredRow, err error, step *godog.Step, took time.Duration) {
	w.Finish()
	defer own.openRow.cancel()
	session := w.Session()
	gone := r.outages.over(own.openRow, err != nil || w.Err() != nil, hungUp(session))
	if (gone != "" || session.Lost()) && r.puts(rowKey{sc.Location(), title}) {
		session.Close()
		return
	}
	defer session.Hold()()
	row := passed(sc, title, w.Occasions(), took)
	if err != nil && w.Err() == nil {
		err = &steps.Fault{Reason: err.Error()} // an undefined or ambiguous step
	} else {
		err = w.Err()
	}
	if gone != "" {
		err = &steps.Fault{Reason: gone}
	}
	compare := func() {}
	if err == nil && sc.NoTranscript == "" {
		row.transcript, compare = r.transcripts.written(sc, title, w)
	}
	if after := r.suite.Pack.Afterwards; after != nil && err == nil && !sc.Campaign && r.options.Effort.Plays() {
		after(session, drawn(r.options.Seed, sc.Location(), title))
	}
	exchanges := session.Exchanges()
	served := unrefused(session, exchanges)
	if gone != "" {
		served = nil // responses of a server that ended don't count as evidence
	}
	session.Close()

	if r.options.Record {
		row.report.Exchanges = r.recorder().all(session, exchanges)
	}
	tier := tierOf(session)
	found := append(r.judged(sc, title, tier, served, exchanges), own.compares(served, exchanges)...)
	if len(found) == 0 || r.options.Transcripts { // otherwise a finding describes the difference
		compare()
	}
	if err != nil { // if one step could judge nothing, the others prove nothing
		row.report.Occasions = 0
	}
	if gone != "" {
		row.report.Outcome, row.report.Reason = report.Error, gone
	} else if len(served) < len(exchanges) {
		row.report.Outcome, row.report.Reason, row.report.Occasions = busyOutcome(session, exchanges), busyReason, 0
	} else if f := r.outcome(row, err, step, exchanges); f != nil {
		found = append(found, *f)
	}
	r.counted(row, w, tier, exchanges, found)
}

// counted adds a row to the results of the run, unless the run has ended.
func (r *running) counted(row *rowResult, w *steps.World, tier string, exchanges []*target.Exchange, found []record.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return
	}
	r.counts.saw(row.report.Requirement, tier, row.report.Occasions)
	if row.report.Outcome == report.Pass {
		r.counts.passed(row, w, tier)
		if w.Silence() > 0 {
			row.report.Reason = r.waiting.shortened(w.Silence())
		}
	}
	r.keep(row, exchanges, found)
	if r.options.Progress != nil {
		r.options.Progress(Progress{r.done, r.total, row.report, found})
	}
}

// passed returns a row that has just ended well, after a time.
func passed(sc features.Scenario, title string, occasions int, took time.Duration) *rowResult {
	row := &rowResult{scenario: sc, over: time.Now(), report: report.Scenario{
		Title: title, Location: "features/" + sc.Location(), Requirement: sc.Requirement, Outcome: report.Pass, Occasions: occasions, Seconds: took.Seconds(),
	}}
	row.began = row.over.Add(-took)
	return row
}

// outcome sets the outcome of the steps and returns the finding of a failure.
func (r *running) outcome(row *rowResult, err error, step *godog.Step, exchanges []*target.Exchange) *record.Finding {
	var failure *steps.Failure
	var unprovable *steps.Unprovable
	redact := r.options.Target.Redact
	switch {
	case err == nil:
		return nil
	case errors.As(err, &failure) && losesRefusal(row.scenario, row.report.Title, failure.Exchange):
		row.report.Outcome, row.report.Reason = report.Unprovable, lostRefusal
	case errors.As(err, &failure) && endsAsDeclared(r.options.Target.Timing().MaxConnection, exchanges):
		row.report.Outcome, row.report.Reason = report.Unprovable, declaredEnd
	case errors.As(err, &failure):
		row.report.Outcome, row.report.Reason = report.Fail, redact(failure.Error())
		f := r.recorder().Finding(failure.Finding, row.report.Title, row.report.Location)
		f.Requirement = cmp.Or(failure.Finding.Requirement, row.report.Requirement) // a campaign checks several
		f.Step, f.Setup = step.Text, step.Type == "Context"
		if failure.Exchange != nil {
			r.recorder().show(&f, failure.Exchange, r.options.Target.URL(), failure.Frame, exchanges)
		}
		return &f
	case errors.As(err, &unprovable):
		row.report.Outcome, row.report.Reason = report.Unprovable, inWords(redact(unprovable.Reason))
	default:
		row.report.Outcome, row.report.Reason = report.Error, redact(fmt.Sprintf("%v (at %q)", err, step.Text))
	}
	return nil
}

// judged passes the served exchanges to the judge. Findings refer to calls among all exchanges.
func (r *running) judged(sc features.Scenario, title, tier string, served, exchanges []*target.Exchange) []record.Finding {
	var found []record.Finding
	occasions := map[string]int{}
	distinct := record.Distinct{}
	var recorded []*record.Exchange
	for _, e := range served {
		came := e.Record()
		recorded = append(recorded, came)
		findings, seen := r.suite.Judge(came, r.names)
		for id, n := range seen {
			occasions[id] += n
		}
		for _, j := range findings {
			if !distinct.Take(j) {
				continue
			}
			f := r.recorder().Finding(j, title, "features/"+sc.Location())
			r.recorder().show(&f, e, r.options.Target.URL(), j.Frame, exchanges)
			found = append(found, f)
		}
	}
	found = append(found, r.sideBySide(sc, title, recorded, served, exchanges)...)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return nil
	}
	for id, n := range occasions {
		r.counts.saw(id, tier, n)
		r.counts.counted[id] += n
	}
	return found
}

// drawn returns a random number for a row that depends only on the seed, the location and the title.
func drawn(seed int64, location, title string) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintln(h, seed, location, title) // writing to a hash never fails
	return h.Sum64()
}

// sideBySide compares the exchanges of a row with each other. recorded are the records of served.
func (r *running) sideBySide(sc features.Scenario, title string, recorded []*record.Exchange,
	served, exchanges []*target.Exchange) (found []record.Finding) {
	if r.suite.Pack.SideBySide == nil {
		return nil
	}
	findings, of := r.suite.Pack.SideBySide(recorded)
	for i, f := range findings {
		f.Step = "the responses to the readers of this scenario are compared"
		told := r.recorder().Finding(f, title, "features/"+sc.Location())
		r.recorder().show(&told, served[of[i]], r.options.Target.URL(), f.Frame, exchanges)
		found = append(found, told)
	}
	return found
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

// locations returns the locations of the scenarios of the suite that carry an id.
func locations(s *pack.Suite, id string) []string {
	var out []string
	for _, sc := range s.Scenarios {
		if slices.Contains(sc.IDs, id) {
			out = append(out, "features/"+sc.Location())
		}
	}
	slices.Sort(out)
	return out
}
