package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
	"github.com/streamcert/streamcert/steps"
)

// Options are how a suite is run.
type Options struct {
	Target      *target.Target
	Only        []string // ids or globs; all when empty
	Seed        int64
	Concurrency int // scenarios at a time; 0 means 8
	Strict      bool
	// Progress is called after each scenario, one call at a time.
	Progress func(Progress)
	// Rerun is the command that reruns one requirement, with %s for its id.
	Rerun string
	// Rows selects the rows of scenarios that run; nil is all of them. What
	// isn't run has no part in a verdict.
	Rows func(sc features.Scenario, title string) bool
	// NoPreflight skips the check that the target can be certified at all.
	NoPreflight bool
	// Until ends the run early once it returns true for a finding's requirement.
	Until func(requirement string) bool
	// Transcripts compares every scenario with its golden and keeps what was
	// exchanged.
	Transcripts bool
	// Record keeps every exchange in the report, so that it can be judged again.
	Record bool
	// Known says, by requirement id, why it is known to fail. What fails, or is
	// only warned of, has the verdict known then.
	Known map[string]string
}

// Progress tells how far a run is.
type Progress struct {
	Done, Total int
	Scenario    report.Scenario
	Findings    []Found
}

// Found is a finding with the requirement that it breaks.
type Found struct {
	Requirement string
	Finding     report.Finding
}

// Result is a run: its report, and what the report has no room for.
type Result struct {
	Report *report.Report
	// Transcripts are what each scenario exchanged, by golden path, rows in
	// order. Scenarios that failed or have no transcript are left out.
	Transcripts map[string]golden.File
	// Broken are the requirements of which anything was found, selected or not.
	Broken []string
	// Waits are how long each successful wait took, for choosing deadlines.
	Waits []time.Duration
}

// Run runs the suite. It returns an error only when nothing could be selected; a
// server that can't be reached is a report with the verdict error.
func (s *Suite) Run(ctx context.Context, o Options) (*Result, error) {
	plan, err := s.Plan(o.Target, o.Only, o.Seed)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	r := &running{suite: s, options: o, plan: plan, rows: map[string]*rowResult{}, occasions: map[string]int{}, findings: map[string][]report.Finding{}}
	r.plan.Scenarios = slices.DeleteFunc(r.plan.Scenarios, func(sc features.Scenario) bool { return r.rowsOf(sc) == 0 })
	for _, sc := range r.plan.Scenarios {
		r.total += r.rowsOf(sc)
	}
	if !o.NoPreflight {
		offer, err := s.Preflight(ctx, o.Target)
		if err != nil {
			r.fault = o.Target.Redact(err.Error())
			r.interrupted = ctx.Err() != nil
			return r.result(began), nil
		}
		r.offer = offer
	}
	if r.total > 0 {
		r.godog(ctx)
	}
	r.interrupted = ctx.Err() != nil && r.done < r.total
	return r.result(began), nil
}

// running is the state of one run.
type running struct {
	suite   *Suite
	options Options
	plan    Plan
	total   int
	fault   string
	offer   Offer
	// interrupted: the caller's context ended before the last scenario did.
	interrupted bool

	mu        sync.Mutex
	done      int
	stopped   bool
	rows      map[string]*rowResult // by place and title
	occasions map[string]int
	findings  map[string][]report.Finding
	waits     []time.Duration
	notes     []report.Note
}

// rowResult is what came out of one row of a scenario.
type rowResult struct {
	scenario   features.Scenario
	report     report.Scenario
	transcript *golden.Transcript
}

// godog runs the planned scenarios.
func (r *running) godog(caller context.Context) {
	ctx, stop := context.WithCancel(caller)
	defer stop()
	byPlace := map[string]features.Scenario{}
	var paths []string
	for _, sc := range r.plan.Scenarios {
		byPlace[sc.Place()] = sc
		paths = append(paths, sc.Place())
	}
	concurrency := r.options.Concurrency
	if concurrency == 0 {
		concurrency = 8
	}
	suite := godog.TestSuite{
		Name: "streamcert",
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			r.suite.vocabulary.Bind(sc)
			var step string
			sc.Before(func(ctx context.Context, p *godog.Scenario) (context.Context, error) {
				if r.hasStopped() || caller.Err() != nil || !r.wanted(byPlace[p.Uri], p.Name) {
					return ctx, godog.ErrSkip
				}
				id := byPlace[p.Uri].Requirement
				w := steps.NewWorld(r.env(id), r.options.Target.Session(ctx), id)
				return steps.With(ctx, w), nil
			})
			sc.StepContext().Before(func(ctx context.Context, st *godog.Step) (context.Context, error) {
				if w := steps.From(ctx); w != nil && w.Err() == nil {
					step = st.Text
					w.Heading(st.Text)
				}
				return ctx, nil
			})
			began := time.Now()
			sc.After(func(ctx context.Context, p *godog.Scenario, err error) (context.Context, error) {
				w := steps.From(ctx)
				switch {
				case w == nil:
				case caller.Err() != nil: // what a step saw of that is no fault of the server
					w.Finish()
					w.Session().Close()
				default:
					r.finished(byPlace[p.Uri], p.Name, w, err, step, time.Since(began))
					if r.hasStopped() {
						stop()
					}
				}
				return ctx, nil
			})
		},
		Options: &godog.Options{
			FS: r.suite.Files.Features, Paths: paths, Concurrency: concurrency, Strict: true,
			Format: silent, Output: io.Discard, NoColors: true, DefaultContext: ctx,
		},
	}
	suite.Run()
}

// env is what the scenarios of a requirement need.
func (r *running) env(requirement string) steps.Env {
	env := r.suite.env()
	env.Unscripted, env.Seed = r.offer.Unscripted, r.options.Seed
	if q, _ := r.suite.Book.Get(requirement); q.Tier == spec.TierScripted {
		env.Withheld = r.offer.Unscripted
	}
	return env
}

func (r *running) recorder() recorder { return recorder{r.options.Target.Redact} }

// wanted reports whether a row was selected.
func (r *running) wanted(sc features.Scenario, title string) bool {
	return r.options.Rows == nil || r.options.Rows(sc, title)
}

func (r *running) hasStopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped
}

// finished takes in the outcome of one row.
func (r *running) finished(sc features.Scenario, title string, w *steps.World, err error, step string, took time.Duration) {
	w.Finish()
	session := w.Session()
	row := &rowResult{scenario: sc, report: report.Scenario{
		Title: title, Place: "features/" + sc.Place(), Requirement: sc.Requirement, Outcome: report.Pass,
		Occasions: w.Occasions(), Seconds: took.Seconds(),
	}}
	if err != nil && w.Err() == nil {
		err = &steps.Fault{Reason: err.Error()} // an undefined or ambiguous step
	} else {
		err = w.Err()
	}
	var transcript golden.Transcript
	if r.options.Transcripts && err == nil && sc.NoTranscript == "" {
		transcript = r.transcript(sc, title, w)
		row.transcript = &transcript
	}
	waits := session.Waits()
	exchanges := session.Exchanges()
	session.Close()

	if r.options.Record {
		row.report.Exchanges = r.recorder().all(exchanges)
	}
	found := r.judged(sc, title, w, exchanges)
	if f := r.outcome(row, err, step, exchanges); f != nil {
		found = append(found, Found{sc.Requirement, *f})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	r.rows[sc.Place()+" "+title] = row
	r.waits = append(r.waits, waits...)
	r.occasions[sc.Requirement] += row.report.Occasions
	for _, f := range found {
		r.findings[f.Requirement] = append(r.findings[f.Requirement], f.Finding)
		if r.options.Until != nil && r.options.Until(f.Requirement) {
			r.stopped = true
		}
	}
	if r.options.Progress != nil {
		r.options.Progress(Progress{r.done, r.total, row.report, found})
	}
}

// outcome fills in what came of the steps and returns the finding of a failure.
func (r *running) outcome(row *rowResult, err error, step string, exchanges []*target.Exchange) *report.Finding {
	var failure *steps.Failure
	var unprovable *steps.Unprovable
	redact := r.options.Target.Redact
	switch {
	case err == nil:
		return nil
	case errors.As(err, &failure):
		row.report.Outcome, row.report.Reason = report.Fail, redact(failure.Error())
		f := r.finding(row.scenario, row.report.Title, failure.Message, failure.Want, failure.Got)
		f.Step = step
		if failure.Exchange != nil {
			r.recorder().show(&f, failure.Exchange, r.options.Target.URL(), failure.Frame, exchanges)
		}
		return &f
	case errors.As(err, &unprovable):
		row.report.Outcome, row.report.Reason = report.Unprovable, redact(unprovable.Reason)
	default:
		row.report.Outcome, row.report.Reason = report.Error, redact(fmt.Sprintf("%v (at %q)", err, step))
	}
	return nil
}

func (r *running) finding(sc features.Scenario, title, message, want, got string) report.Finding {
	redact := r.options.Target.Redact
	f := report.Finding{Message: redact(message), Want: redact(want), Got: redact(got), Scenario: title, Place: "features/" + sc.Place()}
	if f.Message == "" {
		f.Message = report.Unsaid
	}
	return f
}

// judged shows every exchange to the judge.
func (r *running) judged(sc features.Scenario, title string, w *steps.World, exchanges []*target.Exchange) []Found {
	env := r.suite.env()
	var found []Found
	occasions := map[string]int{}
	distinct := distinct{}
	for _, e := range exchanges {
		findings, seen := steps.Judge(env, e)
		for id, n := range seen {
			occasions[id] += n
		}
		for _, j := range findings {
			if !distinct.take(j) {
				continue
			}
			f := r.finding(sc, title, j.Message, j.Want, j.Got)
			f.Instance, f.Schema = j.Instance, j.Schema
			r.recorder().show(&f, e, r.options.Target.URL(), j.Frame, exchanges)
			found = append(found, Found{j.Requirement, f})
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, n := range occasions {
		r.occasions[id] += n
	}
	return found
}

func (r *running) result(began time.Time) *Result {
	rep := r.report(began)
	files := map[string]golden.File{}
	for _, sc := range r.plan.Scenarios {
		var f golden.File
		for _, row := range sc.Rows {
			if got := r.rows[sc.Place()+" "+row.Title]; got != nil && got.transcript != nil {
				f.Transcripts = append(f.Transcripts, *got.transcript)
			}
		}
		if len(f.Transcripts) > 0 {
			files[sc.GoldenPath()] = f
		}
	}
	return &Result{Report: rep, Transcripts: files, Broken: slices.Sorted(maps.Keys(r.findings)), Waits: r.waits}
}

// places are the scenarios of the whole suite that carry an id.
func (s *Suite) places(id string) []string {
	var out []string
	for _, sc := range s.Scenarios {
		if sc.Requirement == id {
			out = append(out, "features/"+sc.Place())
		}
	}
	slices.Sort(out)
	return out
}

// Version is the version of the spec and the kit.
func (s *Suite) Version() string { return strings.TrimSpace(s.Book.Version) }
